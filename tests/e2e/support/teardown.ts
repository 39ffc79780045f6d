import { rmSync } from "node:fs";

/** The world of this run is gone; so is its folder. A failed run keeps its traces. */
export default function teardown() {
  const folder = process.env.AQUA_E2E_DATA;
  if (folder && !process.env.AQUA_E2E_KEEP) rmSync(folder, { recursive: true, force: true });
}
