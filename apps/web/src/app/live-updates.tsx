import { useLiveUpdates } from "../features/live-updates.ts";
import { useWallet } from "../wallet/store.ts";

/** Keeps what is shown fresh; draws nothing. */
export default function LiveUpdates() {
  const { address } = useWallet();
  useLiveUpdates(address);
  return null;
}
