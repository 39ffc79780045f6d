import type { Transaction } from "@aqua/sdk/api/account";
import type { List } from "@aqua/sdk/api/envelope";
import { type Hex, keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPendingWatcher } from "../../src/portfolio/pending.ts";
import { pendingTransaction } from "../../src/portfolio/schema.ts";
import { CHAIN_ID, meddledClient, openWorld, silent, type World } from "../indexer/world.ts";
import { forEachDatabase } from "../support/databases.ts";
import { openApi, served } from "./api.ts";

let world: World;
let origin: Hex;
beforeAll(async () => {
  world = await openWorld();
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

forEachDatabase("announced transactions", (open) => {
  const running = served(() => world, open, "test");
  const { api, caughtUp } = running;
  let clock = 0;
  let told: Transaction[] = [];

  beforeEach(async () => {
    await running.db.orm.delete(pendingTransaction);
    clock = 0;
    told = [];
  });

  const check = (client = world.client) =>
    createPendingWatcher({
      ...{ db: running.db, log: silent, now: () => Date.now() + clock },
      events: { publish: (name, data) => void (name === "transaction" && told.push(data as Transaction)) },
      chains: [{ chainId: CHAIN_ID, deployment: world.deployed.deployment, status: running.indexer.status, client }],
    }).check();
  const wallet = (index: number) => world.wallets[index] ?? "0x";
  const body = (hash: Hex, change: object = {}) => ({
    ...{ hash, chain_id: CHAIN_ID, address: wallet(0), kind: "deposit", description: "Deposit 25 tUSD" },
    ...{ short_id: world.shortIds[0], amount: "25.000000", ...change },
  });
  const announce = (hash: Hex, change: object = {}) =>
    api.post<Transaction>("account/addPendingTransaction", body(hash, change));
  const pending = async (index = 0) =>
    (await api.get<List<Transaction>>(`account/getPendingTransaction?address=${wallet(index)}`)).items;
  const history = async (index = 0) => (await api.get<List<Transaction>>(`account/transaction/${wallet(index)}`)).items;
  const unknownHash = (name: string) => keccak256(stringToHex(name));

  it("tells what is pending until it is indexed, and then the movement in its place", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    if (!hash) throw new Error("not sent");
    const answer = await announce(hash);
    expect(answer).toMatchObject({
      hash,
      status: "pending",
      block: null,
      amount: "25.000000",
      symbol: "tUSD",
      address: wallet(0),
    });
    expect(await pending()).toEqual([answer]);
    expect(await history()).toEqual([answer]);
    await check();
    expect(await pending()).toEqual([answer]);
    await world.mine();
    await caughtUp();
    expect(await pending()).toEqual([]);
    expect(await history()).toMatchObject([{ hash, status: "confirmed", amount: "25.000000", kind: "deposit" }]);
    await check();
    expect(await running.db.orm.select().from(pendingTransaction)).toEqual([]);
  });

  it("answers what is indexed when the announcement comes late", async () => {
    const [hash] = await world.mineLoosely([world.deposit(0, 0, 25_000_000n)]);
    await caughtUp();
    expect(await announce(hash ?? "0x")).toMatchObject({
      hash,
      status: "confirmed",
      block: (await world.head()).number,
    });
    expect(await running.db.orm.select().from(pendingTransaction)).toEqual([]);
  });

  it("calls a reverted transaction failed and keeps it in the history", async () => {
    // More shares than the wallet has.
    const [hash] = await world.mineLoosely([world.redeem(0, 0, 10n ** 18n)]);
    await announce(hash ?? "0x", { kind: "withdraw" });
    await check();
    expect(await pending()).toEqual([]);
    expect(await history()).toMatchObject([{ hash, status: "failed", kind: "withdraw" }]);
    expect(told).toMatchObject([{ hash, status: "failed", address: wallet(0), short_id: world.shortIds[0] }]);
  });

  it("answers the same when a transaction is announced twice", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    const first = await announce(hash ?? "0x");
    expect(await announce(hash ?? "0x", { description: "Another text" })).toEqual(first);
    expect(await pending()).toHaveLength(1);
  });

  it("refuses a sender who is not the one the node knows, and drops such a claim once the node knows", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    const refusal = await api.refusal("account/addPendingTransaction", body(hash ?? "0x", { address: wallet(1) }));
    expect(refusal).toMatchObject({ status: 400, error_code: "validation_error", details: [{ path: "address" }] });

    const blind = meddledClient(world, async (args, ask) =>
      args.method === "eth_getTransactionByHash" ? null : ask(args),
    );
    const early = await openApi(world, running.db, running.indexer, { client: blind });
    await early.post("account/addPendingTransaction", body(hash ?? "0x", { address: wallet(1) }));
    await early.close();
    expect(await pending(1)).toHaveLength(1);
    // The real sender is not kept out by the claim.
    await announce(hash ?? "0x");
    expect(await pending(1)).toEqual([]);
    expect(await pending(0)).toHaveLength(1);
    await check();
    expect(await pending(0)).toHaveLength(1);
  });

  it("forgets a hash that no node ever knew", async () => {
    await announce(unknownHash("nothing"));
    await check();
    expect(await pending()).toHaveLength(1);
    clock = 10 * 60_000;
    await check();
    expect(await pending()).toEqual([]);
    expect(await history()).toEqual([]);
  });

  it("calls a transaction failed when another one has taken its nonce", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    await announce(hash ?? "0x");
    await check();
    await world.chain.rpc.call("anvil_dropTransaction", [hash]);
    await world.forgetNonces();
    await world.mine([world.deposit(0, 1, 30_000_000n)]);
    await caughtUp();
    await check();
    expect(await pending()).toEqual([]);
    expect((await history()).map((item) => item.status).sort()).toEqual(["confirmed", "failed"]);
  });

  it("lets go of a success that moves no shares once its block is indexed", async () => {
    const [hash] = await world.mineLoosely([world.transfer(0, 1, 0, 0n)]);
    await announce(hash ?? "0x", { kind: "transfer_out" });
    await caughtUp();
    await check();
    expect(await history()).toEqual([]);
  });

  it("keeps only a few claims of a wallet that the node has not confirmed", async () => {
    for (let i = 0; i < 12; i += 1) await announce(unknownHash(`claim ${i}`));
    expect(await pending()).toHaveLength(5);
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    await announce(hash ?? "0x");
    for (let i = 0; i < 12; i += 1) await announce(unknownHash(`more ${i}`));
    expect((await pending()).map((item) => item.hash)).toContain(hash);
  });

  it("keeps everything pending while the node is away", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    await announce(hash ?? "0x");
    const gone = meddledClient(world, async () => {
      throw new Error("connection refused");
    });
    clock = 10 * 60_000;
    await expect(check(gone)).rejects.toThrow();
    expect(await pending()).toHaveLength(1);
  });

  it("names the field that is wrong", async () => {
    const path = "account/addPendingTransaction";
    expect(await api.refusal(path, body("0x12"))).toMatchObject({
      error_code: "validation_error",
      message: "Invalid transaction hash",
    });
    expect(await api.refusal(path, body(unknownHash("a"), { description: "" }))).toMatchObject({
      message: "Transaction must have a description",
    });
    expect(await api.refusal(path, body(unknownHash("a"), { chain_id: 1 }))).toMatchObject({
      details: [{ path: "chain_id" }],
    });
    expect(await api.refusal(path, body(unknownHash("a"), { short_id: "no-such" }))).toMatchObject({
      error_code: "pool_not_found",
    });
  });
});
