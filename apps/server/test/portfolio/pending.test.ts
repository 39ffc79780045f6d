import type { List } from "@aqua/sdk/api/envelope";
import type { Transaction } from "@aqua/sdk/api/portfolio";
import { type Hex, keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { createPendingWatcher } from "../../src/portfolio/pending.ts";
import { pendingTransaction } from "../../src/portfolio/schema.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { CHAIN_ID, openWorld, silent, tamperingClient, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
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

withDatabase("PendingTransactions", (open) => {
  const running = served(() => world, open, "test");
  const { api, caughtUp } = running;
  let clock = 0;
  let told: Transaction[] = [];

  beforeEach(async () => {
    await running.db.orm.delete(pendingTransaction);
    clock = 0;
    told = [];
  });

  const watcher = (client = world.client, lookups = createLookups()) =>
    createPendingWatcher({
      db: running.db,
      log: silent,
      lookups,
      now: () => Date.now() + clock,
      events: { publish: (name, data) => void (name === "transaction" && told.push(data as Transaction)) },
      chains: [chainWith(client)],
    });
  const check = (client = world.client) => watcher(client).check();
  const chainWith = (client = world.client) => ({
    chainId: CHAIN_ID,
    deployment: world.deployed.deployment,
    status: running.indexer.status,
    client,
  });
  const wallet = (index: number) => world.wallets[index] ?? "0x";
  const body = (hash: Hex, change: object = {}) => ({
    hash,
    chain_id: CHAIN_ID,
    address: wallet(0),
    kind: "deposit",
    description: "Deposit 25 tUSD",
    short_id: world.shortIds[0],
    amount: "25.000000",
    ...change,
  });
  const announce = (hash: Hex, change: object = {}) =>
    api.post<Transaction>("account/addPendingTransaction", body(hash, change));
  const pending = async (index = 0) =>
    (await api.get<List<Transaction>>(`account/getPendingTransaction?address=${wallet(index)}`)).items;
  const history = async (index = 0) => (await api.get<List<Transaction>>(`account/transaction/${wallet(index)}`)).items;
  const rows = () => running.db.orm.select().from(pendingTransaction);
  /** A node that has not received any transaction yet. */
  const blind = () =>
    tamperingClient(world, async (args, ask) => (args.method === "eth_getTransactionByHash" ? null : ask(args)));
  const unknownHash = (name: string) => keccak256(stringToHex(name));

  it("list a pending transaction until it is indexed, and then the movement instead", async () => {
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
      description: expect.stringMatching(/^Deposit into /),
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

  it("return the indexed movement if the announcement comes late", async () => {
    const [hash] = await world.mineLoosely([world.deposit(0, 0, 25_000_000n)]);
    await caughtUp();
    expect(await announce(hash ?? "0x")).toMatchObject({
      hash,
      status: "confirmed",
      block: (await world.head()).number,
    });
    expect(await running.db.orm.select().from(pendingTransaction)).toEqual([]);
  });

  it("show a reverted transaction as failed in the history", async () => {
    // The call redeems more shares than the wallet has.
    const [hash] = await world.mineLoosely([world.redeem(0, 0, 10n ** 18n)]);
    await announce(hash ?? "0x", { kind: "withdraw" });
    await check();
    expect(await pending()).toEqual([]);
    expect(await history()).toMatchObject([{ hash, status: "failed", kind: "withdraw" }]);
    expect(told).toMatchObject([{ hash, status: "failed", address: wallet(0), short_id: world.shortIds[0] }]);
  });

  it("return the same if a transaction is announced twice", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    const first = await announce(hash ?? "0x");
    expect(await announce(hash ?? "0x", { description: "Another text" })).toEqual(first);
    expect(await pending()).toHaveLength(1);
  });

  it("reject a sender other than that of the node, and drop such an announcement once the node has the transaction", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    const refusal = await api.refusal("account/addPendingTransaction", body(hash ?? "0x", { address: wallet(1) }));
    expect(refusal).toMatchObject({ status: 400, error_code: "validation_error", details: [{ path: "address" }] });

    const early = await openApi(world, running.db, running.indexer, { client: blind() });
    await early.post("account/addPendingTransaction", body(hash ?? "0x", { address: wallet(1) }));
    await early.close();
    expect(await pending(1)).toEqual([]);
    // The claim does not exclude the real sender, for whom the transaction is shown.
    await announce(hash ?? "0x");
    await check();
    expect(await pending(1)).toEqual([]);
    expect(await pending(0)).toMatchObject([{ hash, address: wallet(0), amount: "25.000000" }]);
  });

  it("drop a hash that no node ever had", async () => {
    await announce(unknownHash("nothing"));
    await check();
    expect(await rows()).toHaveLength(1);
    clock = 10 * 60_000;
    await check();
    expect(await rows()).toEqual([]);
  });

  it("show a transaction as failed if another one has used its nonce", async () => {
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

  it("drop a successful transaction that moves no shares once its block is indexed", async () => {
    const [hash] = await world.mineLoosely([world.transfer(0, 1, 0, 0n)]);
    await announce(hash ?? "0x", { kind: "transfer_out" });
    await caughtUp();
    await check();
    expect(await history()).toEqual([]);
  });

  it("neither show nor store announcements that another wallet makes for an account", async () => {
    const description = "Your deposit is frozen: verify at https://evil.example";
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await announce(unknownHash(`line ${turn}`), { description });
      expect(answer).toMatchObject({ status: "pending", kind: "deposit", amount: "25.000000" });
      expect(JSON.stringify(answer)).not.toContain("evil");
    }
    await check();
    expect(await pending()).toEqual([]);
    expect(await history()).toEqual([]);
    expect(JSON.stringify(await rows())).not.toContain("evil");
  });

  it("describe a transaction by its call, not by its announcement", async () => {
    const [first, second] = await world.send([world.deposit(0, 1, 25_000_000n), world.redeem(0, 0, 10n ** 12n)]);
    const lies = { kind: "claim", amount: "9000000", description: "Call +1 555 0100", short_id: world.shortIds[2] };
    const early = await openApi(world, running.db, running.indexer, { client: blind() });
    await early.post("account/addPendingTransaction", body(second ?? "0x", lies));
    await early.close();
    const answer = await announce(first ?? "0x", lies);
    await check();
    const shown = await pending();
    expect(shown).toContainEqual(answer);
    expect(Object.fromEntries(shown.map((item) => [item.hash, [item.kind, item.short_id, item.amount]]))).toEqual({
      [first ?? ""]: ["deposit", world.shortIds[1], "25.000000"],
      [second ?? ""]: ["withdraw", world.shortIds[0], null],
    });
    for (const { description } of shown) expect(description).toMatch(/^(Deposit into|Withdrawal from) /);
  });

  it("reject a transaction that calls no listed product, and drop it if that is found later", async () => {
    const { testDollar } = world.deployed.addresses;
    const [hash] = await world.send([{ ...world.transfer(0, 1, 0, 1n), to: testDollar }]);
    const refusal = await api.refusal("account/addPendingTransaction", body(hash ?? "0x"));
    expect(refusal).toMatchObject({ status: 400, error_code: "validation_error", details: [{ path: "hash" }] });
    const early = await openApi(world, running.db, running.indexer, { client: blind() });
    await early.post("account/addPendingTransaction", body(hash ?? "0x"));
    await early.close();
    expect(await rows()).toHaveLength(1);
    await check();
    expect(await rows()).toEqual([]);
  });

  it("date a failure by its block, even if it is announced late", async () => {
    const [hash] = await world.mineLoosely([world.redeem(0, 0, 10n ** 18n)]);
    const { time } = await world.head();
    await announce(hash ?? "0x");
    await check();
    expect(await history()).toMatchObject([{ hash, status: "failed", time: time * 1_000 }]);
  });

  it("send the node no more requests for 500 announcements than for a few, and store the newest 200", async () => {
    let asked = 0;
    const client = tamperingClient(world, async (args, ask) => {
      asked += 1;
      return ask(args);
    });
    const lookups = createLookups(undefined, () => clock);
    const service = createPortfolioService({
      db: running.db,
      chains: [chainWith(client)],
      documents: new Map(),
      lookups,
      findings: createOpenFindings(running.db),
    });
    const kind = "deposit" as const;
    for (let turn = 0; turn < 500; turn += 1) {
      const address = wallet(turn % 5);
      await service.addPending({ ...body(unknownHash(`flood ${turn}`)), address, kind, short_id: undefined });
    }
    expect(asked).toBe(10);
    expect(await rows()).toHaveLength(200);
    const steady = watcher(client, lookups);
    for (let second = 1; second <= 30; second += 1) {
      clock = second * 1_000;
      await steady.check();
      expect(asked).toBeLessThanOrEqual(10 + 5 * second);
    }
    // The same hashes again cost nothing.
    const before = asked;
    for (let turn = 400; turn < 500; turn += 1) {
      await service.addPending({ ...body(unknownHash(`flood ${turn}`)), kind, short_id: undefined });
    }
    expect(asked).toBe(before);
  });

  it("ask about a hash that no node has at growing intervals", async () => {
    let asked = 0;
    const client = tamperingClient(world, async (args, ask) => {
      asked += 1;
      return ask(args);
    });
    await announce(unknownHash("quiet"));
    const steady = watcher(
      client,
      createLookups(undefined, () => clock),
    );
    for (clock = 0; clock < 4 * 60_000; clock += 1_000) await steady.check();
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(25);
  });

  it("accept 60 announcements per minute from an address", async () => {
    for (let turn = 0; turn < 60; turn += 1) await announce(unknownHash(`many ${turn}`));
    expect(await api.refusal("account/addPendingTransaction", body(unknownHash("one more")))).toMatchObject({
      status: 429,
      error_code: "too_many_requests",
    });
  });

  it("return an empty list with the requested page, and a long one page by page", async () => {
    const path = `account/getPendingTransaction?address=${wallet(0)}`;
    expect(await api.get(path)).toEqual({ items: [], total: 0, page: 1, page_size: 20 });
    expect(await api.get(`${path}&page=3&page_size=7`)).toEqual({ items: [], total: 0, page: 3, page_size: 7 });
    const hashes = await world.send([1n, 2n, 3n].map((assets) => world.deposit(0, 0, assets * 1_000_000n)));
    for (const hash of hashes) await announce(hash);
    const pages = await Promise.all(
      [1, 2].map((page) => api.get<List<Transaction>>(`${path}&page=${page}&page_size=2`)),
    );
    expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
      [3, 2],
      [3, 1],
    ]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ hash }) => hash)))).toEqual(new Set(hashes));
  });

  it("list all pending transactions while the node is down", async () => {
    const [hash] = await world.send([world.deposit(0, 0, 25_000_000n)]);
    await announce(hash ?? "0x");
    const gone = tamperingClient(world, async () => {
      throw new Error("connection refused");
    });
    clock = 10 * 60_000;
    await expect(check(gone)).rejects.toThrow();
    expect(await pending()).toHaveLength(1);
  });

  it("name the invalid field", async () => {
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
