import type { AvatarComponent } from "@rainbow-me/rainbowkit";
import { WalletFace } from "../../ui/wallet-face.tsx";

/** The same face the header shows, in the kit's sizes: drawn here from the address, fetched nowhere. */
export const Avatar: AvatarComponent = ({ address, size }) => (
  <span aria-hidden="true" className="block bg-surface [&>svg]:size-full" style={{ width: size, height: size }}>
    <WalletFace address={address} />
  </span>
);
