import { buildContracts } from "@aqua/contracts/deploy/build";

/** Compiles the contracts once for all tests: each `aqua deploy` would where nobody has, for longer than a test may take. */
export default function setup(): Promise<void> {
  return buildContracts();
}
