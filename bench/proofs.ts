/**
 * Measures the cost of a batch's tree and of a visitor's check: leaves per second beside OpenZeppelin's library in the
 * same run, the largest batch, and a proof out of that batch in Chromium. Run: npm run bench -- proofs
 */
import { randomBytes } from "node:crypto";
import { SimpleMerkleTree, StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { chromium } from "@playwright/test";
import { verifierBundle } from "../apps/web/scripts/verifier-bundle.ts";
import { batchDigest, nextHead } from "../packages/sdk/src/proofs/batch.ts";
import {
  encodeReading,
  leafOf,
  noReading,
  type Reading,
  readingHash,
  toHex,
} from "../packages/sdk/src/proofs/reading.ts";
import { buildTree } from "../packages/sdk/src/proofs/tree.ts";
import {
  type Batch,
  batchOf,
  chainOf,
  hardware,
  proofOf,
  readingsOf,
  start,
} from "../packages/sdk/test/proofs/world.ts";
import { findChromium } from "../scripts/chromium.ts";

const LARGEST = 65_536;
const TURNS = 5;
const CHECKS = 50;

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Medians, in milliseconds of this process's own time, in turns: others on the machine then count for nothing. */
function compare(works: Record<string, () => unknown>): Record<string, number> {
  const times = Object.entries(works).map(([name, work]) => ({ name, work, taken: [] as number[] }));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const { work, taken } of times) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      taken.push((user + system) / 1_000);
    }
  }
  return Object.fromEntries(times.map(({ name, taken }) => [name, median(taken)]));
}

const readings = Array.from(
  { length: LARGEST },
  (_, index): Reading => ({
    device: `device-${index % 24}`,
    seq: index + 1,
    time: (start + index) * 1_000,
    metric: "energy_wh",
    value: BigInt(index),
    exponent: 0,
    prev: toHex(randomBytes(32)),
  }),
);
const leaves = readings.map((reading) => leafOf(readingHash(encodeReading(reading))));
const hexLeaves = leaves.map(toHex);
const types = Array.from({ length: 8 }, () => "bytes32");
const words = readings.map((reading) => {
  const encoding = encodeReading(reading);
  return types.map((_, index) => toHex(encoding.subarray(index * 32, (index + 1) * 32)));
});

const ourRoot = toHex(buildTree(leaves).root);
if (SimpleMerkleTree.of(hexLeaves).root !== ourRoot || StandardMerkleTree.of(words, types).root !== ourRoot) {
  throw new Error("The roots differ");
}
const taken = compare({
  tree: () => buildTree(leaves),
  "tree, OpenZeppelin": () => SimpleMerkleTree.of(hexLeaves),
  "readings to root": () => buildTree(readings.map((reading) => leafOf(readingHash(encodeReading(reading))))),
  "readings to root, OpenZeppelin": () => StandardMerkleTree.of(words, types),
});
for (const [name, time] of Object.entries(taken)) {
  const ours = taken[name.replace(", OpenZeppelin", "")] ?? time;
  const ratio = ours === time ? "" : `  ours is ${(time / ours).toFixed(1)} × as fast`;
  const rate = Math.round(LARGEST / (time / 1_000)).toLocaleString("en-US");
  console.log(`${name.padEnd(32)} ${(time / 1_000).toFixed(2).padStart(6)} s  ${rate.padStart(9)} leaves/s${ratio}`);
}

/** A real reading among as many leaves as a batch may hold: the longest path a visitor's browser walks. */
const maker = hardware("dam-level");
const [reading] = readingsOf([maker], 1, 1);
if (reading === undefined) throw new Error("No reading");
const alone = batchOf([reading], null, start, start + 400);
const own = proofOf(alone, 0, maker.key);
const tree = buildTree([
  leafOf(readingHash(encodeReading({ ...reading, value: BigInt(reading.value) } as Reading))),
  ...leaves,
]);
const figures = { ...alone.figures, root: toHex(tree.root), count: LARGEST + 1 };
const head = nextHead(noReading, batchDigest(figures));
const batch: Batch = { ...alone, figures, head };
const proof = {
  ...own,
  proof: tree.proofOf(0).map(toHex),
  batch: { ...own.batch, root: figures.root, count: figures.count, head },
};
const chain = chainOf({ keys: { [maker.name]: [{ from: maker.key.valid_from, key: maker.key }] }, batches: [batch] });
const asked: [string, string][] = [];
const { verifyProof } = await import("../packages/sdk/src/proofs/verify.ts");
const steps = await verifyProof(proof, {
  async call(to, data) {
    const answer = await chain.call(to, data);
    asked.push([data, answer]);
    return answer;
  },
});
if (steps.some(({ state }) => state !== "pass")) throw new Error(`The proof does not hold: ${JSON.stringify(steps)}`);

const [chunk] = await verifierBundle();
const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.route("**/*", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript", body: chunk?.code ?? "" })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
  );
  await page.goto("http://localhost/");
  // The chain answers at once: what is measured is the browser's own work.
  const times = (await page.evaluate(`(async () => {
    const { verifyProof } = await import("/verifier.js");
    const answers = new Map(${JSON.stringify(asked)});
    const chain = { call: async (to, data) => answers.get(data) };
    const times = [];
    for (let turn = 0; turn < ${CHECKS}; turn++) {
      const started = performance.now();
      const steps = await verifyProof(${JSON.stringify(proof)}, chain);
      times.push(performance.now() - started);
      if (steps.some(({ state }) => state !== "pass")) throw new Error(JSON.stringify(steps));
    }
    return times;
  })()`)) as number[];
  const [first = Number.NaN] = times;
  console.log(`a proof in Chromium: first ${first.toFixed(1)} ms, median of ${CHECKS} ${median(times).toFixed(1)} ms`);
} finally {
  await browser.close();
}
