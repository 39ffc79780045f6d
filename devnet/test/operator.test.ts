import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type Address, createPublicClient, http, type PublicClient } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chain, startChain } from "../src/chain.ts";
import { type DeployedWorld, deployContracts } from "../src/deploy.ts";
import { sealBatches } from "../src/fleet/batches.ts";
import { modelIncome } from "../src/fleet/modelIncome.ts";
import { Operator } from "../src/operator.ts";
import { devnetProducts, shortIds } from "../src/products.ts";
import { OWNER_DELAY } from "../src/roles.ts";
import { crowded } from "../src/seed/intents.ts";
import { type Plan, planWorld } from "../src/seed/plan.ts";
import { runPlan } from "../src/seed/run.ts";
import { receiptStatus } from "../src/seed/termModel.ts";
import { Sender } from "../src/sender.ts";
import { freePort } from "./support/port.ts";

/** The days after a seeded month, on a chain whose clock the test moves. */
const DAY = 86_400;
const HOUR = 3_600;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;
let chain: Chain;
let client: PublicClient;
let world: DeployedWorld;
let plan: Plan;
let sender: Sender;
let operator: Operator;
let now = END;

beforeAll(async () => {
  const genesisTime = END - 30 * DAY;
  chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  client = createPublicClient({ transport: http(chain.url, { retryCount: 0, batch: true }), cacheTime: 0 });
  sender = await Sender.on(chain.rpc);
  plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors: 8 });
  world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
  const { telemetryAnchor } = world.addresses;
  const { batches } = await sealBatches(plan, telemetryAnchor);
  await runPlan({ sender, world, plan, batches, end: END });
  operator = new Operator(sender, world.deployment, modelIncome(chain.url, telemetryAnchor));
}, 60_000);
afterAll(() => chain?.stop());

/** One look of the operator, `seconds` later; what it was for. A call that fails on the chain rejects. */
async function look(seconds: number): Promise<string[]> {
  now += seconds;
  await sender.block([], now - 2);
  const calls = await operator.due(now - 2);
  await sender.block(calls, now);
  await sender.settle();
  return calls.map(({ what }) => what);
}

function totals(): Promise<readonly [bigint, bigint, bigint, bigint]> {
  const address = world.queues.get(crowded) as Address;
  return client.readContract({ address, abi: redemptionQueueAbi, functionName: "totals" });
}

it("looks again at once without doing anything twice", async () => {
  while ((await look(60)).length > 0);
  expect(await look(60)).toEqual([]);
});

it("serves the queue once the custodian's notice has passed, and keeps reports fresh", async () => {
  const [requested, , before] = await totals();
  expect(before).toBeLessThan(requested);
  for (let step = 0; step < 7 * 24; step += 4) await look(4 * HOUR);
  const [, , processed] = await totals();
  expect(processed).toBe(requested);
  for (const { shortId, reportEveryDays } of devnetProducts) {
    const address = world.vaults.get(shortId) as Address;
    const asOf = await client.readContract({ address, abi: demandVaultAbi, functionName: "lastReportAsOf" });
    expect(now - Number(asOf)).toBeLessThanOrEqual(reportEveryDays * DAY + 4 * HOUR);
  }
});

it("rolls over what its owner wants rolled over, and has the money there for what matures", async () => {
  const address = world.termDeposits.get("jutland-biogas") as Address;
  const model = plan.termDeposits.get("jutland-biogas");
  const waiting = [...(model?.receipts ?? [])].filter(
    ([, { status, roll }]) => status === receiptStatus.live && roll > 0,
  );
  expect(waiting.length).toBeGreaterThan(0);
  // The terms are months: twelve-hour looks until the first has matured, for all of the window.
  const first = waiting.map(([, { maturity }]) => Number(maturity)).sort((a, b) => a - b)[0] ?? 0;
  while (now < first - DAY) await look(12 * HOUR);
  const books = await client.readContract({ address, abi: termDepositAbi, functionName: "books" });
  expect(books.cash).toBeGreaterThan(books.reserved);
  const done: string[] = [];
  while (now < first + DAY) done.push(...(await look(6 * HOUR)));
  expect(done.some((what) => what.startsWith("roll over receipt"))).toBe(true);
});

it("catches up after weeks in which nobody looked", async () => {
  for (let round = 0; round < 6; round++) await look(round === 0 ? 20 * DAY : 60);
  for (const { shortId } of devnetProducts) {
    const address = world.vaults.get(shortId) as Address;
    const asOf = await client.readContract({ address, abi: demandVaultAbi, functionName: "lastReportAsOf" });
    expect(now - Number(asOf)).toBeLessThan(HOUR);
  }
  expect(await look(60)).toEqual([]);
});

it("renews evidence before it lapses", async () => {
  const done: string[] = [];
  for (let round = 0; round < 6; round++) done.push(...(await look(round === 0 ? 340 * DAY : 60)));
  const renewed = done.filter((what) => what.startsWith("renew the evidence")).sort();
  expect(renewed).toEqual(shortIds.map((shortId) => `renew the evidence of ${shortId}`).sort());
});
