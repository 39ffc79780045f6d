import { useStore } from "../../create-store.ts";
import { island } from "./island.ts";

/** Mounted once by the shell as a sibling of the router, so that loading the island remounts no page. */
export function WalletIslandRoot() {
  const module = useStore(island);
  return module === null ? null : <module.Island />;
}
