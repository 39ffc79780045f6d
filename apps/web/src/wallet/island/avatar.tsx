import type { AvatarComponent } from "@rainbow-me/rainbowkit";
import { lazy, Suspense } from "react";

/** The connect dialog has none. */
const WalletFace = lazy(async () => ({ default: (await import("../../ui/wallet-face.tsx")).WalletFace }));

/** The same avatar as in the header, in the kit's sizes: drawn here from the address, without a request. */
export const Avatar: AvatarComponent = ({ address, size }) => (
  <span aria-hidden="true" className="block bg-surface [&>svg]:size-full" style={{ width: size, height: size }}>
    <Suspense>
      <WalletFace address={address} />
    </Suspense>
  </span>
);
