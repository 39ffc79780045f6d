import { rmSync } from "node:fs";

/** The folder of this run's worlds goes with it, traces included; AQUA_E2E_KEEP keeps it. */
export default function teardown() {
  const folder = process.env.AQUA_E2E_DATA;
  if (!folder || process.env.AQUA_E2E_KEEP) return;
  // The worlds end only after this, so one may write while its folder is emptied.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
