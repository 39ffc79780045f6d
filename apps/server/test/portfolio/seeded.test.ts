import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Statement } from "@aqua/sdk/api/portfolio";
import type { Product } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { type Address, createPublicClient, erc20Abi, getAddress, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEMO_DEPOSITOR, DEPOSITOR_COUNT, depositor, successorWallet } from "../../../../devnet/src/accounts.ts";
import { type Chain, startChain } from "../../../../devnet/src/chain.ts";
import { type DeployedWorld, deployContracts } from "../../../../devnet/src/deploy.ts";
import { sealBatches } from "../../../../devnet/src/fleet/batches.ts";
import { OWNER_DELAY } from "../../../../devnet/src/roles.ts";
import { planWorld } from "../../../../devnet/src/seed/plan.ts";
import { runPlan } from "../../../../devnet/src/seed/run.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import type { World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { served } from "./api.ts";
import { expectBalanced } from "./statements.ts";

const DAY = 86_400;
/** A month has every rare event of the year, which a soak runs. */
const [days, depositors] = process.env.AQUA_SOAK === "1" ? [365, DEPOSITOR_COUNT] : [30, 8];
const END = Date.UTC(2026, 10, 22, 1) / 1_000;

let chain: Chain;
let deployed: DeployedWorld;
let world: World;
const wallets = [
  ...Array.from({ length: depositors }, (_, index) => depositor(index).address),
  depositor(DEMO_DEPOSITOR).address,
  successorWallet().address,
];

beforeAll(async () => {
  const genesisTime = END - days * DAY;
  chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  const sender = await Sender.on(chain.rpc);
  const plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors });
  deployed = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
  const { batches } = await sealBatches(plan, deployed.addresses.telemetryAnchor);
  await runPlan({ sender, world: deployed, plan, batches, end: END });
  const client = createPublicClient({ transport: http(chain.url, { retryCount: 0, batch: true }), cacheTime: 0 });
  const head = async () => {
    const { number, timestamp, hash } = await client.getBlock();
    return { number: Number(number), time: Number(timestamp), hash };
  };
  world = { chain, deployed, client, head } as Partial<World> as World;
});
afterAll(() => chain?.stop());

withDatabase("the figures of the seeded world", (open) => {
  const { api } = served(() => world, open, "suite");
  const read = <Answer>(call: object) => world.client.readContract(call as never) as Promise<Answer>;
  const units = (text: string | null | undefined) => parseUnits(text ?? "", 6);

  /** Money that moved between wallet and product, from the asset's own transfers. */
  async function moneyOf(wallet: Address, product: Address): Promise<{ in: bigint; out: bigint }> {
    const moved = async (from: Address, to: Address) => {
      const logs = await world.client.getContractEvents({
        address: deployed.addresses.testDollar,
        abi: erc20Abi,
        eventName: "Transfer",
        args: { from, to },
        fromBlock: 0n,
        strict: true,
      });
      return logs.reduce((sum, { args }) => sum + args.value, 0n);
    };
    return { in: await moved(wallet, product), out: await moved(product, wallet) };
  }

  async function holdingsOf(wallet: Address): Promise<Holding[]> {
    return (await api.get<List<Holding>>(`account/hold/${wallet}?page_size=100`)).items;
  }

  it("are of each wallet's shares and queue what the contracts answer", async () => {
    for (const wallet of wallets) {
      const holdings = await holdingsOf(wallet);
      for (const [shortId, vault] of deployed.vaults) {
        const ofVault = { address: vault, abi: demandVaultAbi };
        const ofQueue = { address: deployed.queues.get(shortId), abi: redemptionQueueAbi };
        const [shares, pending, claimable] = await Promise.all([
          read<bigint>({ ...ofVault, functionName: "balanceOf", args: [wallet] }),
          read<bigint>({ ...ofQueue, functionName: "pendingRedeemRequest", args: [0n, wallet] }),
          read<bigint>({ ...ofQueue, functionName: "maxWithdraw", args: [wallet] }),
        ]);
        const held = holdings.find((holding) => holding.short_id === shortId);
        if (shares + pending + claimable === 0n) {
          expect(held, `${wallet} ${shortId}`).toBeUndefined();
          continue;
        }
        const worth = await read<bigint>({ ...ofVault, functionName: "convertToAssets", args: [shares + pending] });
        expect(held, `${wallet} ${shortId}`).toMatchObject({
          wallet: getAddress(wallet),
          shares: formatUnits(shares, 12),
          pending_shares: formatUnits(pending, 12),
          claimable: formatUnits(claimable, 6),
          value: formatUnits(worth + claimable, 6),
        });
      }
    }
  });

  it("are of each live receipt what the contract answers", async () => {
    const { time } = await world.head();
    for (const [shortId, address] of deployed.termDeposits) {
      const contract = { address, abi: termDepositAbi };
      const opened = await world.client.getContractEvents({ ...contract, eventName: "Opened", fromBlock: 0n });
      const live = new Map<string, Address>();
      for (const { args } of opened) {
        const id = (args as { id: bigint }).id;
        const [{ status }] = await read<[{ status: bigint }]>({ ...contract, functionName: "receiptOf", args: [id] });
        // 1 runs and 2 has matured; any other is gone and has no owner.
        if (status === 1n || status === 2n)
          live.set(String(id), await read<Address>({ ...contract, functionName: "ownerOf", args: [id] }));
      }
      for (const wallet of wallets) {
        const holdings = (await holdingsOf(wallet)).filter((holding) => holding.short_id === shortId);
        const own = [...live].filter(([, owner]) => owner === wallet).map(([id]) => id);
        expect(holdings.map(({ deposit_id }) => deposit_id).sort()).toEqual(own.sort());
        for (const holding of holdings) {
          const id = BigInt(holding.deposit_id ?? "");
          const [receipt] = await read<[{ principal: bigint; openedAt: bigint; maturity: bigint; termId: bigint }]>({
            ...contract,
            functionName: "receiptOf",
            args: [id],
          });
          const { rate } = await read<{ rate: bigint }>({
            ...contract,
            functionName: "termOf",
            args: [receipt.termId],
          });
          const until = BigInt(time) < receipt.maturity ? BigInt(time) : receipt.maturity;
          const earned = (receipt.principal * rate * (until - receipt.openedAt)) / (365n * BigInt(DAY) * 10n ** 18n);
          expect(holding).toMatchObject({
            value: formatUnits(receipt.principal + earned, 6),
            receipt: { principal: formatUnits(receipt.principal, 6) },
          });
        }
      }
    }
  });

  it("are in each wallet's statement the asset's own transfers, and add up to the holdings", async () => {
    let products = 0;
    for (const wallet of wallets) {
      const statement = await api.get<Statement>(`account/statement/${wallet}?from=0&to=9000000000000`);
      expectBalanced(statement);
      const holdings = await holdingsOf(wallet);
      for (const [shortId, product] of [...deployed.vaults, ...deployed.termDeposits]) {
        const money = await moneyOf(wallet, product);
        const part = statement.products.find((one) => one.short_id === shortId);
        const where = `${wallet} ${shortId}`;
        const value = holdings
          .filter((holding) => holding.short_id === shortId)
          .reduce((sum, holding) => sum + units(holding.value), 0n);
        if (part === undefined) {
          expect([money.in, money.out, value], where).toEqual([0n, 0n, 0n]);
          continue;
        }
        products += 1;
        // Holdings that pass from wallet to wallet, also by a recovery, count as paid out and in at their value.
        const lines = part.lines.filter(({ kind }) => kind !== "transfer_in" && kind !== "transfer_out");
        const sum = (side: "paid_in" | "paid_out") => lines.reduce((total, line) => total + units(line[side]), 0n);
        expect([sum("paid_in"), sum("paid_out")], where).toEqual([money.in, money.out]);
        expect(units(part.closing.value), where).toBe(value);
      }
    }
    expect(products).toBeGreaterThan(depositors);
  });

  it("are of each product what the contract answers", async () => {
    for (const [shortId, vault] of deployed.vaults) {
      const { tvl } = await api.get<Product>(`product/${shortId}`);
      const total = await read<bigint>({ address: vault, abi: demandVaultAbi, functionName: "totalAssets" });
      expect(units(tvl), shortId).toBe(total);
    }
    for (const [shortId, address] of deployed.termDeposits) {
      const { conditions } = await api.get<Product>(`product/${shortId}`);
      const { cash, deployed: away } = await read<{ cash: bigint; deployed: bigint }>({
        address,
        abi: termDepositAbi,
        functionName: "books",
      });
      expect([units(conditions.cash), units(conditions.deployed)], shortId).toEqual([cash, away]);
    }
  });
});
