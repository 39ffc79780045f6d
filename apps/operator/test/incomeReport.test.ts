import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CHAIN_ID } from "../../server/test/indexer/world.ts";
import { type IncomeWorld, openIncomeWorld } from "../../server/test/portfolio/incomeWorld.ts";
import { run } from "../src/run.ts";

let stage: IncomeWorld;
let folder: string;
let file: IncomeProof;
beforeAll(async () => {
  stage = await openIncomeWorld();
  folder = await mkdtemp(join(tmpdir(), "aqua-income-"));
  await writeFile(join(folder, `${CHAIN_ID}.json`), JSON.stringify(stage.world.deployed.deployment));
  file = (await stage.app.inject(`/api/v2/account/incomeProof/${stage.world.wallets[0]}?month=2025-07`)).json();
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `aqua verify` on a file with this content. Returns the exit code and the output. */
async function verify(content: object, ...args: string[]): Promise<{ code: number; text: string }> {
  const path = join(folder, "income.json");
  await writeFile(path, JSON.stringify(content));
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const environment = { DEPLOYMENTS_DIR: folder };
  const code = await run(["verify", path, ...args], { environment, out: write, error: write });
  return { code, text };
}

it("aqua verify tells the chain from the meters to the wallet, and confirms each link by the node", async () => {
  const { code, text } = await verify(file, "--rpc", stage.world.chain.url);
  expect(text).toContain(`Income of ${stage.world.wallets[0]} in 2025-07 on chain ${CHAIN_ID}`);
  expect(text).toContain("Time deposits are not part of it");
  expect(text).toMatch(/report of 0\.123457 tUSD\n\s+meter-a counted 14\.0+ kWh from reading 20 to 40\n/);
  expect(text).toMatch(/× 0\.02 = 0\.560000 tUSD, rounded down\n/);
  expect(text).toContain("= 0.280019 tUSD, rounded down; the report states 0.156562 tUSD less\n");
  expect(text).toContain("no readings of devices prove it here");
  expect(text).toMatch(/income: -?\d+\.\d{6} tUSD = value at the end − value at the start − paid in \+ paid out\n/);
  expect(text.match(/^pass {2}/gm)).toHaveLength(11);
  expect(text).toContain("Everything is right.");
  expect(code).toBe(0);
});

it("aqua verify leaves what only the chain knows unknown without a node, and finds a changed amount", async () => {
  const offline = await verify(file);
  expect(offline.text.match(/^\? {3} {2}\S+/gm)?.map((line) => line.slice(5).trim())).toEqual([
    ...["keys", "anchored", "events", "balances"],
  ]);
  expect(offline.code).toBe(3);
  const forged = structuredClone(file);
  const [product] = forged.products;
  if (product) product.income = String(BigInt(product.income) + 1n);
  const wrong = await verify(forged);
  expect(wrong.text).toContain("FAIL  value         sahel-solar: the amounts do not follow from units and price");
  expect(wrong.code).toBe(1);
  const malformed = await verify({ format: "aqua-income-proof-1" });
  expect(malformed.text).toContain("FAIL  form          it does not have the required form");
  expect(malformed.code).toBe(1);
});

it("aqua verify does not trust a registry that only the file names", async () => {
  const { telemetryAnchor } = stage.world.deployed.addresses;
  const { code, text } = await verify(file, "--rpc", stage.world.chain.url, "--contract", telemetryAnchor);
  expect(text).toContain("The registry of products is named only by the file");
  expect(code).toBe(3);
});

it("aqua verify links batches to the stream's head by the events since then", async () => {
  await stage.anchorMore();
  const { code, text } = await verify(file, "--rpc", stage.world.chain.url);
  expect(text).toContain("Everything is right.");
  expect(code).toBe(0);
});
