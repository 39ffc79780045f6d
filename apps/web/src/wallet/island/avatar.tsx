import type { AvatarComponent } from "@rainbow-me/rainbowkit";
import { WalletFace } from "../../ui/wallet-face.tsx";

/** The same avatar as in the header, in the kit's sizes: drawn here from the address, without a request. */
export const Avatar: AvatarComponent = ({ address, size }) => (
  <span aria-hidden="true" className="block bg-surface [&>svg]:size-full" style={{ width: size, height: size }}>
    <WalletFace address={address} />
  </span>
);
