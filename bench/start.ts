/**
 * Measures how long `npm start` takes until the app answers: with nothing built and a new data folder, and again on the
 * same data. Beside it, in the same run, the chain binary alone as the lower bound. Run: npm run bench -- start
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChain } from "../devnet/src/chain.ts";
import { type StartWorldOptions, startWorld } from "../devnet/src/world.ts";

const root = join(import.meta.dirname, "..");
const scratch = await mkdtemp(join(tmpdir(), "aqua-bench-"));
await chmod(scratch, 0o755);
const world: StartWorldOptions = { dataDir: join(scratch, "world"), chainPort: 38545, httpPort: 38080 };

async function seconds(work: () => Promise<{ stop(): Promise<void> }>): Promise<number> {
  const started = performance.now();
  const running = await work();
  const taken = (performance.now() - started) / 1000;
  await running.stop();
  return taken;
}

try {
  const floor = await seconds(() => startChain({ port: 38546, dataDir: join(scratch, "bare") }));
  for (const built of ["contracts/out", "contracts/cache", "apps/web/dist/demo"]) {
    await rm(join(root, built), { recursive: true, force: true });
  }
  const rows = [
    ["nothing built, new data", await seconds(() => startWorld(world))],
    ["later, same data", await seconds(() => startWorld(world))],
    ["all built, new data", await seconds(() => startWorld({ ...world, dataDir: join(scratch, "second") }))],
  ] as const;
  console.log(`${"anvil alone".padEnd(26)} ${floor.toFixed(1).padStart(6)} s`);
  for (const [name, taken] of rows) {
    console.log(`${name.padEnd(26)} ${taken.toFixed(1).padStart(6)} s  ${(taken / floor).toFixed(0)} × anvil alone`);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
