import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { and, asc, desc, eq } from "drizzle-orm";
import { type Address, encodeFunctionData, type Hex, stringToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { depositor } from "../../../../devnet/src/accounts.ts";
import { Random } from "../../../../devnet/src/random.ts";
import { subjectOf } from "../../../../devnet/src/seed/identity.ts";
import type { Database } from "../../src/db/database.ts";
import { waitingRequests } from "../../src/indexer/load.ts";
import {
  movement,
  position,
  privilegedAct,
  queueBatch,
  vaultState,
  withdrawalRequest,
} from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { poolAt } from "../../src/indexer/world.ts";
import { isReady, waitingOf } from "../../src/product/withdrawalQueue.ts";
import { withDatabase } from "../support/databases.ts";
import { openQueue, type QueueCalls } from "./queue-calls.ts";
import { derivedTables } from "./tables.ts";
import {
  CHAIN_ID,
  caughtUp,
  indexerOf,
  openWorld,
  type RunningIndexer,
  reindex,
  WALLETS,
  type World,
} from "./world.ts";

const DOLLAR = 1_000_000n;
const SHARE = 10n ** 12n;
const HOUR = 3_600;
let world: World;
let vault: Address;
let queue: QueueCalls;
let origin: Hex;

beforeAll(async () => {
  world = await openWorld();
  vault = world.vaults[0] as Address;
  queue = await openQueue(world, vault);
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

const ofVault = { abi: demandVaultAbi } as const;
const inQueue = { abi: redemptionQueueAbi } as const;
const read = <
  Name extends "totalAssets" | "totalSupply" | "maxDeploy" | "desk" | "reviewedLoss" | "setAside" | "standingLoss",
>(
  functionName: Name,
) => world.client.readContract({ ...ofVault, address: vault, functionName });
const balance = (of: Address) =>
  world.client.readContract({ ...ofVault, address: vault, functionName: "balanceOf", args: [of] });
const dollars = (of: Address) =>
  world.client.readContract({
    address: world.deployed.addresses.testDollar,
    abi: testDollarAbi,
    functionName: "balanceOf",
    args: [of],
  });
const waiting = (of: Address) =>
  world.client.readContract({
    ...inQueue,
    address: queue.address,
    functionName: "pendingRedeemRequest",
    args: [0n, of],
  });
const claimableShares = (of: Address) =>
  world.client.readContract({
    ...inQueue,
    address: queue.address,
    functionName: "claimableRedeemRequest",
    args: [0n, of],
  });
const claimable = (of: Address) =>
  world.client.readContract({ ...inQueue, address: queue.address, functionName: "maxWithdraw", args: [of] });

/** Random actions around the queue, one per block. Actions that are not allowed at the time revert. */
async function play(seed: string, moves: number): Promise<void> {
  const random = new Random(seed);
  const part = (whole: bigint) => (random.chance(250) ? whole : (whole * BigInt(random.between(1, 999))) / 1_000n);
  for (let move = 0; move < moves; move += 1) {
    const wallet = random.between(0, WALLETS - 1);
    const address = world.wallets[wallet] as Address;
    const roll = random.between(0, 99);
    const [, reviewed] = await read("reviewedLoss");
    if (reviewed > BigInt((await world.head()).time + 12)) {
      const functionName = random.chance(500) ? "confirmLoss" : "takeBackLoss";
      await world.mine([world.as("confirmer", vault, encodeFunctionData({ ...ofVault, functionName }))]);
    }
    const standing = await read("standingLoss");
    if (standing > 0n && random.chance(100)) {
      const args = [part(standing)] as const;
      const data = encodeFunctionData({ ...ofVault, functionName: "restore", args });
      await world.mineLoosely([gassed(world.as("confirmer", vault, data))]);
    }
    const seconds = random.pick([12, HOUR, 90_000]);
    await world.mine([await world.report(0, 0n, seconds)], seconds);
    if (roll < 20)
      await world.mineLoosely([gassed(world.deposit(wallet, 0, BigInt(random.between(10, 9_000)) * DOLLAR + 7n))]);
    else if (roll < 28) {
      const shares = part(await balance(address));
      await world.mineLoosely([gassed(world.transfer(wallet, (wallet + 1) % WALLETS, 0, shares))]);
    } else if (roll < 45) await world.mineLoosely([queue.request(wallet, part(await balance(address)))]);
    else if (roll < 57) await world.mineLoosely([gassed(queue.deploy(part(await read("maxDeploy"))))]);
    else if (roll < 66) await world.mineLoosely([gassed(queue.repay(part((await read("desk")).deployed)))]);
    else if (roll < 74) {
      // Some losses are large enough to be reviewed.
      const lost = (await read("desk")).deployed / BigInt(random.between(50, 400));
      const gain = random.chance(500) ? -lost : BigInt(random.between(0, 500));
      await world.mineLoosely([gassed(await world.report(0, gain))]);
    } else if (roll < 88) await world.mineLoosely([queue.process()]);
    else if (roll < 94) await world.mineLoosely([queue.claim(wallet)]);
    else if (roll < 97)
      await world.mineLoosely([queue.claim(wallet, { shares: part(await claimableShares(address)) })]);
    else await world.mineLoosely([queue.claim(wallet, { assets: part(await claimable(address)) })]);
  }
}

function gassed<Call extends object>(call: Call) {
  return { ...call, gas: 600_000n };
}

withDatabase("a redemption queue", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    indexer = indexerOf(world, db);
    await indexer.start();
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, CHAIN_ID);
  });

  const product = () => vault.toLowerCase() as Hex;

  async function state() {
    const [row] = await db.orm
      .select()
      .from(vaultState)
      .where(eq(vaultState.product, product()))
      .orderBy(desc(vaultState.block), desc(vaultState.logIndex))
      .limit(1);
    if (!row) throw new Error("no state");
    return row;
  }

  async function latestPosition(of: Address) {
    const [row] = await db.orm
      .select()
      .from(position)
      .where(and(eq(position.product, product()), eq(position.wallet, of.toLowerCase() as Hex)))
      .orderBy(desc(position.block), desc(position.logIndex))
      .limit(1);
    return row;
  }

  const movementsOf = (of: Address) =>
    db.orm
      .select()
      .from(movement)
      .where(and(eq(movement.product, product()), eq(movement.wallet, of.toLowerCase() as Hex)))
      .orderBy(asc(movement.block), asc(movement.logIndex));

  /** Compares every figure of every wallet and of the vault with the chain, to the last unit. */
  async function expectAgreement(wallets: readonly Address[] = world.wallets): Promise<void> {
    await caughtUp(world, indexer);
    const { time } = await world.head();
    const vaultNow = await state();
    const pool = poolAt(vaultNow, time);
    expect(pool).toEqual({ totalAssets: await read("totalAssets"), supply: await read("totalSupply") });
    const desk = await read("desk");
    expect(vaultNow).toMatchObject({ deployed: desk.deployed, fee: desk.fee, buffer: desk.buffer });
    expect(vaultNow.custodian).toBe(desk.custodian.toLowerCase());
    expect(vaultNow.queued).toBe(await balance(queue.address));
    const line = await world.client.readContract({ ...inQueue, address: queue.address, functionName: "totals" });
    const places = await waitingRequests(db.orm, {
      chainId: CHAIN_ID,
      vault: product(),
      processed: vaultNow.processed,
    });
    const ready = places.filter((place) => isReady(place, vaultNow, time));
    const due = ready.reduce((sum, place) => sum + waitingOf(place, vaultNow).shares, vaultNow.processed);
    expect([vaultNow.requested, due, vaultNow.processed, vaultNow.setAside]).toEqual(line);
    expect({ reviewUntil: vaultNow.reviewUntil > time, lossUntil: vaultNow.lossUntil > time }).toEqual({
      reviewUntil: (await read("reviewedLoss"))[1] > BigInt(time),
      lossUntil: desk.lossUntil > time,
    });
    expect(vaultNow.setAside - vaultNow.claimed).toBe(await read("setAside"));
    const batches = await db.orm.select().from(queueBatch).orderBy(asc(queueBatch.number));
    expect(batches.map((batch) => batch.number)).toEqual(batches.map((_, index) => index + 1));
    expect(batches.at(-1)?.end ?? 0n).toBe(vaultNow.processed);

    let holders = 0;
    const sums = { shares: 0n, pending: 0n, claimable: 0n };
    for (const wallet of wallets) {
      const row = await latestPosition(wallet);
      const has = {
        pending: row?.pending ?? 0n,
        claimable: row?.claimable ?? 0n,
        shares: row?.shares ?? 0n,
        claimableShares: row?.claimableShares ?? 0n,
      };
      const pending = await waiting(wallet);
      expect(has).toEqual({
        pending,
        claimable: await claimable(wallet),
        claimableShares: await claimableShares(wallet),
        shares: (await balance(wallet)) + pending,
      });
      if (has.shares > 0n) holders += 1;
      sums.shares += has.shares;
      sums.pending += has.pending;
      sums.claimable += has.claimable;
      if (row) {
        // At any price, profit = value + claimable + out − in.
        expect(row.realised - row.cost).toBe(row.claimable + row.totalOut - row.totalIn);
      }
    }
    expect(vaultNow.holders).toBe(holders);
    expect(sums).toEqual({
      shares: pool.supply,
      pending: vaultNow.queued,
      claimable: vaultNow.setAside - vaultNow.claimed,
    });
  }

  async function expectSameAnew(): Promise<void> {
    const followed = await derivedTables(db);
    await indexer.stop();
    for (const settings of [{}, { confirmations: 0, span: 7 }]) {
      await reindex(world, db, settings);
      expect(await derivedTables(db)).toEqual(followed);
    }
  }

  for (const seed of ["one", "two"]) {
    it(`has the same shares, requests and claims of every wallet as the chain after random moves (${seed})`, async () => {
      await world.mine(world.wallets.map((_, wallet) => world.deposit(wallet, 0, 5_000n * DOLLAR)));
      const before = await Promise.all(world.wallets.map(dollars));
      for (let round = 0; round < 2; round += 1) {
        await play(`${seed} ${round}`, 18);
        await expectAgreement();
      }
      // Together the wallets paid and received what the chain moved. A transfer has the same value on both sides.
      const after = await Promise.all(world.wallets.map(dollars));
      const rows = await Promise.all(world.wallets.map(latestPosition));
      const first = BigInt(world.wallets.length) * 5_000n * DOLLAR;
      const net = rows.reduce((sum, row) => sum + (row?.totalOut ?? 0n) - (row?.totalIn ?? 0n), first);
      expect(net).toBe(after.reduce((sum, one, index) => sum + one - (before[index] ?? 0n), 0n));
      expect((await state()).processed).toBeGreaterThan(0n);
      await expectSameAnew();
    });
  }

  it("follows a branch that replaces requests, processings and claims", async () => {
    await world.mine(world.wallets.map((_, wallet) => world.deposit(wallet, 0, 5_000n * DOLLAR)));
    await world.mine([queue.deploy(20_000n * DOLLAR)]);
    await world.mine([queue.request(0, 2_000n * SHARE), queue.request(1, 3_000n * SHARE)]);
    await expectAgreement();
    const fork = await world.snapshot();
    await play("lost", 12);
    await expectAgreement();
    await world.revert(fork);
    await play("kept", 12);
    await expectAgreement();
    await expectSameAnew();
  });

  it("streams a loss that the confirmer restores, as the chain does", async () => {
    await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
    await world.mine([queue.deploy(5_000n * DOLLAR)], HOUR);
    await world.mine([await world.report(0, -90n * DOLLAR, HOUR)], HOUR);
    const data = encodeFunctionData({ ...ofVault, functionName: "restore", args: [40n * DOLLAR] });
    await world.mine([world.as("confirmer", vault, data)]);
    await expectAgreement();
    expect((await state()).streaming).toBe(40n * DOLLAR);
    await world.mine([], HOUR);
    await expectAgreement();
    await expectSameAnew();
  });

  it("does not change the cost at a request, sells at the processing and pays at the claim", async () => {
    await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
    await world.mine([queue.deploy(9_000n * DOLLAR)], HOUR);
    await world.mine([queue.request(0, 3_000n * SHARE)], HOUR);
    await world.mine([await world.report(0, 300_000n, HOUR)], HOUR);
    await caughtUp(world, indexer);
    const [wallet] = world.wallets as [Address];
    expect(await latestPosition(wallet)).toMatchObject({
      cost: 6_000n * DOLLAR,
      realised: 0n,
      totalOut: 0n,
      pending: 3_000n * SHARE,
    });

    // The idle money pays for a third of the request.
    await world.mine([queue.process()], 90_000);
    await expectAgreement();
    const [sold] = await db.orm.select().from(queueBatch);
    if (!sold) throw new Error("no batch");
    const cost = (6_000n * DOLLAR * sold.shares) / (6_000n * SHARE);
    expect(await latestPosition(wallet)).toMatchObject({
      claimable: sold.assets,
      claimableShares: sold.shares,
      pending: 3_000n * SHARE - sold.shares,
      cost: 6_000n * DOLLAR - cost,
      realised: sold.assets - cost,
      totalOut: 0n,
    });
    await world.mine([queue.claim(0, { assets: sold.assets / 2n })], HOUR);
    await world.mine([queue.claim(0)], HOUR);
    await expectAgreement();
    expect(await latestPosition(wallet)).toMatchObject({ claimable: 0n, claimableShares: 0n, totalOut: sold.assets });
    const kinds = (await movementsOf(wallet)).map(({ kind, assets }) => ({ kind, assets }));
    expect(kinds).toEqual([
      { kind: "deposit", assets: 6_000n * DOLLAR },
      { kind: "request", assets: 3_000n * DOLLAR },
      { kind: "processed", assets: sold.assets },
      { kind: "claim", assets: sold.assets / 2n },
      { kind: "claim", assets: sold.assets - sold.assets / 2n },
    ]);
    expect(indexer.published.filter(({ name }) => name === "product").length).toBeGreaterThan(0);
  });

  it("makes the whole queue payable if reports are missing, as the contract does", async () => {
    await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
    await world.mine([queue.request(0, 1_000n * SHARE)]);
    await world.mine([queue.request(1, 500n * SHARE)]);
    await world.mine([], 40 * 86_400);
    await world.mine([queue.process()]);
    await expectAgreement();
    expect(await state()).toMatchObject({ processed: 1_500n * SHARE });
  });

  it("moves the requests, processed money and cost of a retired wallet to its successor", async () => {
    await world.mine([world.deposit(2, 0, 6_000n * DOLLAR), world.deposit(1, 0, 4_000n * DOLLAR)]);
    await world.mine([queue.deploy(9_000n * DOLLAR)], HOUR);
    await world.mine([
      queue.request(2, 2_000n * SHARE),
      queue.request(1, 100n * SHARE),
      queue.request(2, 500n * SHARE),
    ]);
    await world.mine([await world.report(0, 0n, HOUR)], HOUR);
    await world.mine([queue.process()], HOUR);
    const [old, next] = [depositor(2), depositor(WALLETS)];
    await world.chain.rpc.call("anvil_setBalance", [next.address, "0x56bc75e2d63100000"]);
    await world.mine([await bindTo(subjectOf(old.address), next)]);
    await world.mine([await switchCall(old, next)]);
    await caughtUp(world, indexer);
    const before = await latestPosition(old.address);
    if (!before) throw new Error("no position");
    await world.mine([queue.recover(old.address)]);
    const both = [...world.wallets, next.address];
    await caughtUp(world, indexer);
    const moved = await latestPosition(next.address);
    const cost = (before.cost * before.pending) / before.shares;
    expect(moved).toMatchObject({
      pending: before.pending,
      shares: before.pending,
      claimable: before.claimable,
      cost,
      totalIn: cost + before.claimable,
      totalOut: 0n,
      realised: 0n,
      costEstimated: false,
    });
    // The retired wallet's shares outside the queue move in a separate recovery.
    const recover = encodeFunctionData({ ...ofVault, functionName: "recover", args: [old.address] });
    await world.mine([world.as("faucet", vault, recover)]);
    await expectAgreement(both);
    expect(await latestPosition(next.address)).toMatchObject({ cost: before.cost, shares: before.shares });
    const places = await db.orm
      .select()
      .from(withdrawalRequest)
      .where(eq(withdrawalRequest.wallet, next.address.toLowerCase() as Hex));
    expect(places.map(({ shares, requestedAt }) => [shares, requestedAt < before.time])).toEqual([
      [2_000n * SHARE, true],
      [500n * SHARE, true],
    ]);
    await world.mine([queue.repay(5_000n * DOLLAR)]);
    await world.mine([queue.process()]);
    await world.mine([{ ...queue.claim(WALLETS), gas: 600_000n }]);
    await expectAgreement(both);
    expect((await movementsOf(next.address)).map(({ kind }) => kind)).toEqual([
      ...["transfer_in", "transfer_in", "processed", "claim"],
    ]);
    await expectSameAnew();
  });

  it("carries the cost in a transfer between two wallets of one account, and in no other transfer", async () => {
    const [mine, other] = [depositor(0), depositor(WALLETS)];
    await world.mine([await bindTo(subjectOf(mine.address), other)]);
    await world.mine([world.deposit(0, 0, 1_000n * DOLLAR)]);
    await world.mine([], HOUR);
    await world.mine([await world.report(0, 5_000n)]);
    await world.mine([], 90_000);
    const shares = await world.shares(0, 0);
    const give = (to: Address, amount: bigint) => ({
      from: mine,
      to: vault,
      what: "transfer",
      data: encodeFunctionData({ ...ofVault, functionName: "transfer", args: [to, amount] }),
    });
    await world.mine([give(other.address, shares / 3n), give(depositor(1).address, shares / 3n)]);
    await expectAgreement([...world.wallets, other.address]);
    const cost = (1_000n * DOLLAR * (shares / 3n)) / shares;
    expect(await latestPosition(other.address)).toMatchObject({ cost, totalIn: cost, costEstimated: false });
    const stranger = await latestPosition(depositor(1).address);
    expect(stranger?.costEstimated).toBe(true);
    expect(stranger?.cost).toBeGreaterThan(cost);
    // The sender retains the rest of the cost, and realises the profit on the transferred part.
    const rest = await latestPosition(mine.address);
    expect(rest?.realised).toBe((stranger?.cost ?? 0n) - (1_000n * DOLLAR - cost - (rest?.cost ?? 0n)));
  });

  it("is read from its first event on, even if it was named before its vault was listed", async () => {
    const late = await world.createVault();
    await world.mine([late.call]);
    const lateQueue = await openQueue(world, late.address);
    await world.mine([world.list("late-product", late.address)]);
    await caughtUp(world, indexer);
    const [row] = await db.orm
      .select()
      .from(vaultState)
      .where(eq(vaultState.product, late.address.toLowerCase() as Hex))
      .orderBy(desc(vaultState.block), desc(vaultState.logIndex))
      .limit(1);
    expect(row?.queue).toBe(lateQueue.address.toLowerCase());
    await expectSameAnew();
  });

  it("stores the calls of role holders by name and with their arguments", async () => {
    await world.mine([world.deposit(0, 0, 6_000n * DOLLAR)]);
    await world.mine([queue.deploy(1_000n * DOLLAR)]);
    await caughtUp(world, indexer);
    const acts = await db.orm
      .select()
      .from(privilegedAct)
      .orderBy(asc(privilegedAct.block), asc(privilegedAct.logIndex));
    const of = (name: string) => acts.filter((act) => act.name === name);
    expect(of("Deployed")).toMatchObject([{ contract: product(), args: { assets: String(1_000n * DOLLAR) } }]);
    expect(of("QueueSet").map((act) => act.args)).toContainEqual({ queue: queue.address.toLowerCase() });
    expect(of("ProductListed").length).toBeGreaterThanOrEqual(world.vaults.length);
    expect(of("RoleGranted").length).toBeGreaterThan(3);
    expect(of("RoleLabel").map((act) => act.args.label)).toContain("treasurer");
    expect(of("Deposit")).toEqual([]);
  });
});

async function switchCall(old: ReturnType<typeof depositor>, next: ReturnType<typeof depositor>) {
  const line = `\nSwitch to this wallet from ${old.address.toLowerCase()}.`;
  const signature = await next.signMessage({ message: `Aqua${line}\nRequest ID: ${subjectOf(old.address)}` });
  const data = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "switchWallet",
    args: [next.address, stringToHex("Aqua"), "0x", signature],
  });
  return { from: old, to: world.deployed.addresses.identityRegistry, data, what: "switch" };
}

/** A second wallet of an account. */
async function bindTo(subject: Hex, wallet: ReturnType<typeof depositor>) {
  const signature = await wallet.signMessage({ message: `Aqua\nRequest ID: ${subject}` });
  const until = BigInt((await world.head()).time + 86_400 * 365);
  const data = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "bind",
    args: [wallet.address, BigInt(subject), until, 756, 1, stringToHex("Aqua"), signature],
  });
  return world.as("attester", world.deployed.addresses.identityRegistry, data);
}
