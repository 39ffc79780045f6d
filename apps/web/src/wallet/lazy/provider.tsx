import { useSyncExternalStore } from "react";
import { getIsland, subscribeIsland } from "./island.ts";

/** Mounted once by the shell as a sibling of the router, so that loading the island remounts no page. */
export function WalletIslandRoot() {
  const { module } = useSyncExternalStore(subscribeIsland, getIsland, getIsland);
  return module === null ? null : <module.Island />;
}
