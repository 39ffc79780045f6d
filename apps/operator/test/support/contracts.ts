import { buildContracts } from "@aqua/contracts/deploy/build";

/** Compiles the contracts once for all tests. Otherwise each `aqua deploy` would, for longer than a test may take. */
export default function setup(): Promise<void> {
  return buildContracts();
}
