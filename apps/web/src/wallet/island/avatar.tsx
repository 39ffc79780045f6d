import type { AvatarComponent } from "@rainbow-me/rainbowkit";
import { type ComponentType, lazy, Suspense } from "react";
import { reportError } from "../../report-error.ts";

/** Loaded with the first avatar, since the connect dialog has none. Without it the place stays empty. */
const WalletFace = lazy<ComponentType<{ address: string }>>(() =>
  import("../../ui/wallet-face.tsx").then(
    (module) => ({ default: module.WalletFace }),
    (error: unknown) => {
      reportError("wallet", error);
      return { default: () => null };
    },
  ),
);

/** The same avatar as in the header, in the kit's sizes: drawn here from the address, without a request. */
export const Avatar: AvatarComponent = ({ address, size }) => (
  <span aria-hidden="true" className="block bg-surface [&>svg]:size-full" style={{ width: size, height: size }}>
    <Suspense>
      <WalletFace address={address} />
    </Suspense>
  </span>
);
