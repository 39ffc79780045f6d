import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { type Address, createPublicClient, type Hex, http, type PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEPOSITOR_COUNT, depositor } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { type DeployedWorld, deployContracts } from "../src/deploy.ts";
import { sealBatches } from "../src/fleet/batches.ts";
import { devnetProducts, timeProducts } from "../src/products.ts";
import { type Plan, planWorld } from "../src/seed/plan.ts";
import { runPlan } from "../src/seed/run.ts";
import { Sender } from "../src/sender.ts";
import { freePort } from "./support/port.ts";

const DAY = 86_400;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;

describe.each([
  { name: "year", days: 365, depositors: DEPOSITOR_COUNT },
  { name: "month", days: 30, depositors: 8 },
])("after a $name the chain says what was planned, to the last unit,", ({ days, depositors }) => {
  let chain: Chain;
  let client: PublicClient;
  let world: DeployedWorld;
  let plan: Plan;
  /** Of the chain's last block. */
  let now: number;

  beforeAll(async () => {
    const genesisTime = END - days * DAY;
    chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
    client = createPublicClient({ transport: http(chain.url, { retryCount: 0, batch: true }), cacheTime: 0 });
    const sender = await Sender.on(chain.rpc);
    world = await deployContracts(sender, genesisTime + 12);
    plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors });
    const { batches } = await sealBatches(plan, world.addresses.telemetryAnchor);
    await runPlan(sender, world, plan, batches, END);
    now = Number((await client.getBlock()).timestamp);
  }, 120_000);
  afterAll(() => chain?.stop());

  it.each(devnetProducts.map(({ shortId }) => shortId))(
    "of the pool, holders, queue and claims of %s",
    async (shortId) => {
      const model = plan.vaults.get(shortId);
      const [vault, queue] = [world.vaults.get(shortId) as Address, world.queues.get(shortId) as Address];
      if (model === undefined) throw new Error("no model");
      const ofVault = { address: vault, abi: demandVaultAbi } as const;
      const ofQueue = { address: queue, abi: redemptionQueueAbi } as const;
      expect(await client.readContract({ ...ofVault, functionName: "totalAssets" })).toBe(model.totalAssets(now));
      expect(await client.readContract({ ...ofVault, functionName: "totalSupply" })).toBe(model.supply);
      expect(await client.readContract({ ...ofVault, functionName: "instantLiquidity" })).toBe(model.instant(now));
      const desk = await client.readContract({ ...ofVault, functionName: "desk" });
      expect({ deployed: desk.deployed, mark: desk.mark }).toEqual({ deployed: model.deployed, mark: model.mark });
      const { shares, assets } = model.processed;
      const totals = await client.readContract({ ...ofQueue, functionName: "totals" });
      expect(totals).toEqual([model.requested, model.eligible, shares, assets]);
      const inside = await client.readContract({
        ...{ address: world.addresses.testDollar, abi: demandVaultAbi, functionName: "balanceOf", args: [vault] },
      });
      expect(inside).toBe(model.idle + model.surplus);
      const everyone = Array.from({ length: depositors }, (_, index) => index);
      const held = await Promise.all(
        everyone.map(async (index) => {
          const args = [depositor(index).address] as const;
          return Promise.all([
            client.readContract({ ...ofVault, functionName: "balanceOf", args }),
            client.readContract({ ...ofQueue, functionName: "maxRedeem", args }),
            client.readContract({ ...ofQueue, functionName: "maxWithdraw", args }),
            client.readContract({ ...ofQueue, functionName: "pendingRedeemRequest", args: [0n, ...args] }),
          ]);
        }),
      );
      const planned = everyone.map((index) => {
        const claimable = model.claimable(index);
        return [model.sharesOf(index), claimable.shares, claimable.assets, model.pending(index)];
      });
      expect(held).toEqual(planned);
    },
  );

  it.each(timeProducts.map(({ shortId }) => shortId))("of the accounts and every receipt of %s", async (shortId) => {
    const model = plan.termDeposits.get(shortId);
    if (model === undefined) throw new Error("no model");
    const contract = { address: world.termDeposits.get(shortId) as Address, abi: termDepositAbi } as const;
    const { buffer: _, ...accounts } = model.accounts;
    expect(await client.readContract({ ...contract, functionName: "books" })).toEqual(accounts);
    const coverage = await client.readContract({ ...contract, functionName: "coverage" });
    expect(coverage).toBeGreaterThanOrEqual(10n ** 18n);
    for (const [id, planned] of model.receipts) {
      const args = [BigInt(id)] as const;
      const [receipt, paid] = await client.readContract({ ...contract, functionName: "receiptOf", args });
      const { principal, openedAt, maturity, termId, status, roll, rollTermId } = planned;
      const matured = status === 1 && BigInt(now) >= maturity;
      expect({ id, ...receipt, paid }).toEqual({
        ...{ id, principal, openedAt, maturity, termId: BigInt(termId), status: matured ? 2n : BigInt(status) },
        ...{ roll: BigInt(roll), rollTermId: BigInt(rollTermId), paid: 0n },
      });
      if (status === 1) {
        const owner = await client.readContract({ ...contract, functionName: "ownerOf", args });
        expect(owner).toBe(depositor(planned.holder).address);
      }
    }
    const next = [BigInt(model.receipts.size + 1)] as const;
    const [none] = await client.readContract({ ...contract, functionName: "receiptOf", args: next });
    expect(none.status).toBe(0n);
  });

  it("of what is closed", async () => {
    for (const { shortId, closedAfter } of devnetProducts) {
      const [, , , status] = await client.readContract({
        ...{ address: world.addresses.productRegistry as Hex, abi: productRegistryAbi },
        ...{ functionName: "productOf", args: [shortId] },
      });
      expect({ shortId, status }).toEqual({ shortId, status: closedAfter === undefined ? 0 : 1 });
    }
  });
});
