import { gunzipSync } from "node:zlib";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { dataHashOf, readBatchFile } from "@aqua/sdk/proofs/batch";
import { asc, eq } from "drizzle-orm";
import { createPublicClient, custom, encodeFunctionData, type Hex, http, type PublicClient, padHex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roleAccount } from "../../../../../devnet/src/accounts.ts";
import type { Database } from "../../../src/db/database.ts";
import { storedHead } from "../../../src/indexer/schema.ts";
import { forgetChain } from "../../../src/indexer/store.ts";
import type { ArchivedBatch, BatchArchive } from "../../../src/telemetry/anchoring/archive.ts";
import { reading, telemetryBatch, telemetryBatchPart } from "../../../src/telemetry/schema.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, type World } from "../../indexer/world.ts";
import { withDatabase } from "../../support/databases.ts";
import { counting } from "../../support/queries.ts";
import {
  type Anchorer,
  type AnchorerOptions,
  anchorerOf,
  anchorsOf,
  batchesOf,
  type Fleet,
  forgetFleet,
  inBatches,
  openFleet,
  solar,
  water,
} from "./world.ts";

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

/** A client of the chain whose requests the test can fail or lose. */
function tampered(tamper: (method: string, params: unknown, ask: () => Promise<unknown>) => Promise<unknown>) {
  const plain = createPublicClient({ transport: http(world.chain.url, { retryCount: 0 }) });
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    tamper(method, params, () => plain.request({ method, params } as never));
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 }) as PublicClient;
}

withDatabase("anchoring", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  let fleet: Fleet;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    fleet = await openFleet(world, db);
    indexer = indexerOf(world, db);
    await indexer.start();
    await caughtUp(world, indexer);
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, 31337);
    await forgetFleet(db);
  });
  const anchorer = (options: AnchorerOptions = {}) => anchorerOf(world, db, options);
  /** Mines a block with all sent transactions and indexes it. */
  const block = async () => {
    await world.mine();
    await caughtUp(world, indexer);
  };
  const streamOf = (stream: Hex) =>
    world.client.readContract({
      address: world.deployed.addresses.telemetryAnchor,
      abi: telemetryAnchorAbi,
      functionName: "streamOf",
      args: [stream],
    });
  /** Runs turns and mines blocks until every reading is on chain. */
  async function settle(by: Anchorer, rounds = 30): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await by.turn();
      await block();
      const [anchors, batches, inside] = [await anchorsOf(db), await batchesOf(db), await inBatches(db)];
      if (anchors.length === batches.length && inside.length === fleet.measured().length) return;
    }
    throw new Error(`not everything is anchored: ${by.logged.join("; ")}`);
  }
  /** Expects every reading in exactly one batch, every batch on chain as built, and every file as the chain names it. */
  async function expectWhole(): Promise<void> {
    expect(await inBatches(db)).toEqual(fleet.measured());
    const [anchors, batches] = [await anchorsOf(db), await batchesOf(db)];
    expect(anchors.map(({ head }) => head)).toEqual(batches.map(({ head }) => head));
    const found: string[] = [];
    for (const [index, { file, dataHash, from, to }] of batches.entries()) {
      const bytes = gunzipSync(file ?? new Uint8Array());
      expect(dataHashOf(bytes)).toBe(dataHash);
      expect(anchors[index]).toMatchObject({ dataHash, from, to });
      found.push(...readBatchFile(bytes).readings.map(({ device, seq }) => `${device} ${seq}`));
    }
    expect(found.sort()).toEqual(fleet.measured());
  }

  it("anchors accepted readings batch by batch, with one stream per product", async () => {
    await fleet.measure("meter-a", 5);
    await fleet.measure("flow-1", 2);
    const by = anchorer();
    await settle(by);
    await fleet.measure("meter-a", 3);
    await fleet.measure("panel", 4);
    await settle(by);
    await expectWhole();
    expect((await anchorsOf(db)).map(({ stream, number, count }) => ({ stream, number, count }))).toEqual([
      { stream: water, number: 1, count: 2 },
      { stream: solar, number: 1, count: 5 },
      { stream: solar, number: 2, count: 7 },
    ]);
    const [head, batches, , readings] = await streamOf(solar);
    expect([head, batches, readings]).toEqual([(await batchesOf(db)).at(-1)?.head, 2n, 12n]);
    expect(by.logged).toEqual([]);
  });

  it("waits for its interval between two batches, unless the next batch is full", async () => {
    let clock = Date.now();
    const by = anchorer({ now: () => clock, settings: { everyMs: 60_000, most: 10 } });
    await fleet.measure("meter-a", 25);
    for (let n = 0; n < 6; n += 1) {
      await by.turn();
      await block();
    }
    // Two full batches are built at once, and the rest a minute later, when it is due.
    expect((await batchesOf(db)).map(({ count }) => count)).toEqual([10, 10, 5]);
    await fleet.measure("meter-a", 1);
    await by.turn();
    expect(await batchesOf(db)).toHaveLength(3);
    clock += 60_000;
    await by.turn();
    expect(await batchesOf(db)).toHaveLength(4);
  });

  it("logs a transaction only if the node rejects it for a minute", async () => {
    let [clock, rejecting] = [Date.now(), true];
    const client = tampered((method, _params, ask) =>
      method === "eth_sendRawTransaction" && rejecting
        ? Promise.reject(Object.assign(new Error("nonce too low"), { code: -32003 }))
        : ask(),
    );
    const by = anchorer({ client, now: () => clock });
    await fleet.measure("meter-a", 2);
    await by.turn();
    clock += 30_000;
    await by.turn();
    expect([by.logged, by.chain.state.stopped.size]).toEqual([[], 0]);
    clock += 30_000;
    await by.turn();
    expect(by.logged).toEqual([
      expect.stringContaining("no batch of this product is anchored until the reason is resolved"),
    ]);
    rejecting = false;
    await settle(by);
    expect(by.chain.state.stopped.size).toBe(0);
    await expectWhole();
  });

  it("continues at once after its clock, which ran ahead, is correct again", async () => {
    await fleet.measure("meter-a", 2);
    await settle(anchorer({ now: () => Date.now() + 30 * 86_400_000 }));
    await fleet.measure("meter-a", 2);
    const by = anchorer({ now: () => Date.now() });
    await settle(by);
    expect(by.logged).toEqual([]);
    await expectWhole();
  });

  it("does not let one device's backlog exclude another's readings", async () => {
    await fleet.measure("meter-a", 60);
    await fleet.measure("panel", 3);
    const by = anchorer({ settings: { most: 20 } });
    await by.turn();
    const [first] = await batchesOf(db);
    const { readings } = readBatchFile(gunzipSync(first?.file ?? new Uint8Array()));
    expect(readings.filter(({ device }) => device === "panel")).toHaveLength(3);
    expect(readings).toHaveLength(20);
    await settle(by);
    await expectWhole();
  });

  it("has at most one unanchored batch per stream", async () => {
    await fleet.measure("meter-a", 3);
    const by = anchorer();
    await by.turn();
    await fleet.measure("meter-a", 3);
    for (let n = 0; n < 3; n += 1) await by.turn();
    expect(await batchesOf(db)).toHaveLength(1);
    await block();
    await by.turn();
    expect(await batchesOf(db)).toHaveLength(2);
  });

  it("makes the chain store a head after every fixed number of batches", async () => {
    const by = anchorer({ settings: { most: 1, keepEvery: 4 } });
    await fleet.measure("meter-a", 9);
    await settle(by);
    await by.turn();
    await block();
    const kept = await db.orm.select().from(storedHead).orderBy(asc(storedHead.number));
    const anchors = await anchorsOf(db);
    expect(kept).toHaveLength(2);
    for (const [index, { stream, number, head }] of kept.entries()) {
      expect(number).toBeGreaterThanOrEqual(4 * (index + 1));
      expect(anchors.find((one) => one.number === number)).toMatchObject({ stream, head });
    }
  });

  describe("continues after a restart", () => {
    it("with a batch that is stored and not sent", async () => {
      await fleet.measure("meter-a", 4);
      const dead = anchorer({
        client: tampered(async (method, _params, ask) => {
          if (method === "eth_sendRawTransaction") throw new Error("the process is killed");
          return ask();
        }),
      });
      await dead.turn();
      const [stored] = await batchesOf(db);
      await fleet.measure("meter-a", 2);
      const by = anchorer();
      await settle(by);
      await expectWhole();
      expect((await batchesOf(db))[0]?.head).toBe(stored?.head);
    });

    it("with a stored batch without a stored transaction", async () => {
      await fleet.measure("meter-a", 4);
      await anchorer().turn();
      await world.chain.rpc.call("anvil_dropAllTransactions");
      await db.orm.update(telemetryBatch).set({ hash: null });
      await settle(anchorer());
      await expectWhole();
    });

    it("with a transaction that waits for a block, which is not sent twice", async () => {
      await fleet.measure("meter-a", 4);
      await anchorer().turn();
      const [before] = await batchesOf(db);
      await anchorer().turn();
      await anchorer().turn();
      expect((await batchesOf(db))[0]?.hash).toBe(before?.hash);
      await block();
      await settle(anchorer());
      await expectWhole();
      expect(await world.client.getTransactionCount({ address: roleAccount("anchorer").address })).toBe(1);
    });

    it("with a transaction that is in a block and not indexed", async () => {
      await fleet.measure("meter-a", 4);
      await anchorer().turn();
      await indexer.stop();
      await world.mine();
      await anchorer().turn();
      await fleet.measure("meter-a", 1);
      indexer = indexerOf(world, db);
      await indexer.start();
      await caughtUp(world, indexer);
      await settle(anchorer());
      await expectWhole();
      expect(await world.client.getTransactionCount({ address: roleAccount("anchorer").address })).toBe(2);
    });
  });

  it("ignores streams at rest while another has a batch in progress", async () => {
    await fleet.measure("meter-a", 4);
    const { db: counted, queries } = counting(db);
    let clock = Date.now();
    const by = anchorerOf(world, counted, { now: () => clock, settings: { lookMs: 1_000, restMs: 5_000 } });
    const looks = () => queries.filter((sql) => /from "anchor"/.test(sql)).length;
    expect(await by.turn()).toBe(1_000);
    const streams = looks();
    expect(streams).toBeGreaterThan(1);
    clock += 1_000;
    await by.turn();
    expect(looks() - streams).toBe(1);
    clock += 4_000;
    await by.turn();
    expect(looks() - streams).toBe(1 + streams);
  });

  it("sends a lost transaction again, and a stuck one again with a higher fee", async () => {
    await fleet.measure("meter-a", 4);
    let clock = Date.now();
    const by = anchorer({ now: () => clock });
    await by.turn();
    await world.chain.rpc.call("anvil_dropAllTransactions");
    const [lost] = await batchesOf(db);
    await by.turn();
    const [again] = await batchesOf(db);
    expect(again?.hash).not.toBe(null);
    await by.turn();
    clock += 181_000;
    await by.turn();
    const [paid] = await batchesOf(db);
    expect(paid?.hash).not.toBe(again?.hash);
    expect((await world.client.getTransaction({ hash: paid?.hash as Hex })).nonce).toBe(0);
    await settle(by);
    await expectWhole();
    expect((await batchesOf(db))[0]?.head).toBe(lost?.head);
    expect(await world.client.getTransactionCount({ address: roleAccount("anchorer").address })).toBe(1);
  });

  it("sends a batch that a reorg removed again and unchanged", async () => {
    await fleet.measure("meter-a", 4);
    const by = anchorer();
    await settle(by);
    const fork = await world.snapshot();
    for (let n = 0; n < 3; n += 1) {
      await fleet.measure("meter-a", 2);
      await settle(by);
    }
    const built = await batchesOf(db);
    expect(built).toHaveLength(4);
    await world.revert(fork);
    await world.mine();
    await caughtUp(world, indexer);
    expect(await anchorsOf(db)).toHaveLength(1);
    await settle(by);
    await expectWhole();
    expect((await batchesOf(db)).map(({ head }) => head)).toEqual(built.map(({ head }) => head));
    expect(by.logged).toEqual([]);
  });

  it("does nothing while the node is away or the tables are behind the chain, and continues later", async () => {
    let away = true;
    const client = tampered((_method, _params, ask) => {
      if (!away) return ask();
      return createPublicClient({ transport: http("http://127.0.0.1:18269", { retryCount: 0 }) }).getBlockNumber();
    });
    const by = anchorer({ client });
    await fleet.measure("meter-a", 4);
    await by.turn();
    expect(await batchesOf(db)).toEqual([]);
    away = false;
    await by.turn();
    away = true;
    await by.turn();
    expect(by.chain.state.stopped.size).toBe(0);
    away = false;
    await settle(by);
    await expectWhole();
  });

  it("reports that its account is empty, and continues once it is filled", async () => {
    const { address } = roleAccount("anchorer");
    await world.chain.rpc.call("anvil_setBalance", [address, "0x0"]);
    await fleet.measure("meter-a", 4);
    const by = anchorer();
    await by.turn();
    await by.turn();
    expect(by.chain.state.outOfGas).toBe(true);
    expect(by.logged).toHaveLength(1);
    expect(by.logged[0]).toContain("cannot pay");
    await world.chain.rpc.call("anvil_setBalance", [address, "0x56bc75e2d63100000"]);
    await settle(by);
    expect(by.chain.state.outOfGas).toBe(false);
    await expectWhole();
  });

  it("stops at a batch that another writer anchored, does not delete its own, and continues for other products", async () => {
    await fleet.measure("meter-a", 4);
    const by = anchorer();
    await settle(by);
    await fleet.measure("meter-a", 2);
    const { time } = await world.head();
    const args = [
      solar,
      padHex("0x01", { size: 32 }),
      BigInt(time),
      BigInt(time),
      1,
      padHex("0x02", { size: 32 }),
    ] as const;
    const data = encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "anchor", args });
    await world.forgetNonces();
    await world.mine([world.as("anchorer", world.deployed.addresses.telemetryAnchor, data)]);
    await caughtUp(world, indexer);
    await by.turn();
    await by.turn();
    expect([...by.chain.state.stopped]).toEqual([
      ["sahel-solar", expect.stringContaining("the chain holds batch 2, which the database lacks")],
    ]);
    expect(by.logged).toHaveLength(1);
    await fleet.measure("flow-1", 2);
    await by.turn();
    await block();
    expect((await anchorsOf(db)).map(({ stream, number }) => `${stream} ${number}`)).toEqual([
      `${water} 1`,
      `${solar} 1`,
      `${solar} 2`,
    ]);
    expect((await batchesOf(db)).filter(({ stream }) => stream === solar)).toHaveLength(1);
    expect(await world.client.getTransactionCount({ address: roleAccount("anchorer").address })).toBe(3);
  });

  it("waits if the chain contains an unknown batch, and continues after that batch is imported", async () => {
    await fleet.measure("meter-a", 4);
    const by = anchorer();
    await settle(by);
    const batches = await batchesOf(db);
    const parts = await db.orm.select().from(telemetryBatchPart);
    await db.orm.delete(telemetryBatchPart);
    await db.orm.delete(telemetryBatch);
    await fleet.measure("meter-a", 2);
    await by.turn();
    // An import may be running, so nothing is logged or built yet.
    expect(by.logged).toEqual([]);
    await by.turn();
    expect(by.logged).toEqual([expect.stringContaining("the chain holds batch 1, which the database lacks")]);
    expect(await batchesOf(db)).toEqual([]);
    await db.orm.insert(telemetryBatch).values(batches);
    await db.orm.insert(telemetryBatchPart).values(parts);
    await settle(by);
    await expectWhole();
    expect(by.chain.state.stopped.size).toBe(0);
  });

  it("stops if the database lacks a batch before a later one, in place of asking again without a pause", async () => {
    await fleet.measure("meter-a", 4);
    const by = anchorer();
    await settle(by);
    await fleet.measure("meter-a", 2);
    await by.turn();
    expect(await batchesOf(db)).toHaveLength(2);
    await db.orm.delete(telemetryBatch).where(eq(telemetryBatch.number, 1));
    await by.turn();
    await by.turn();
    const reason = "the chain holds batch 1, which the database lacks, although it has a later one: restore a backup";
    expect([...by.chain.state.stopped]).toEqual([["sahel-solar", reason]]);
  });

  describe("with an archive of batch files", () => {
    /** An archive in memory, and the calls to it. */
    function archiveOf() {
      const files = new Map<string, Uint8Array>();
      const calls: string[] = [];
      const state = { isFailing: false };
      const nameOf = ({ shortId, number, dataHash }: ArchivedBatch) => `${shortId} ${number} ${dataHash}`;
      const call = async <T>(what: string, { number }: ArchivedBatch, answer: () => T): Promise<T> => {
        if (state.isFailing) throw new Error("the disk is full");
        calls.push(`${what} ${number}`);
        return answer();
      };
      const archive: BatchArchive = {
        place: "memory",
        has: (batch) => call("has", batch, () => files.has(nameOf(batch))),
        get: (batch) => call("get", batch, () => files.get(nameOf(batch)) ?? null),
        put: (batch, gzip) => call("put", batch, () => void files.set(nameOf(batch), gzip)),
      };
      return { archive, files, calls, state };
    }

    it("stores the file there before it sends the batch, and first the files of all earlier batches", async () => {
      await fleet.measure("meter-a", 5);
      const settings = { most: 1 };
      await settle(anchorer({ settings }));
      const { archive, files, calls } = archiveOf();
      await fleet.measure("meter-a", 1);
      const client = tampered((method, _params, ask) => {
        if (method === "eth_sendRawTransaction") calls.push("send");
        return ask();
      });
      await settle(anchorer({ settings, archive, client }));
      expect(calls.filter((call) => !call.startsWith("has"))).toEqual(
        [1, 2, 3, 4, 5, 6].map((n) => `put ${n}`).concat("send"),
      );
      const batches = await batchesOf(db);
      expect([...files.values()].map((file) => Buffer.from(file))).toEqual(
        batches.map(({ file }) => Buffer.from(file ?? [])),
      );

      // From then on it asks for the batch before and stores the new one.
      calls.length = 0;
      await fleet.measure("meter-a", 1);
      await settle(anchorer({ settings, archive, client }));
      expect(calls).toEqual(["has 6", "put 7", "send"]);
    });

    it("sends nothing while the archive does not take the file, and says so once", async () => {
      const { archive, state } = archiveOf();
      state.isFailing = true;
      await fleet.measure("meter-a", 2);
      const by = anchorer({ archive });
      for (let n = 0; n < 4; n += 1) {
        await by.turn();
        await block();
      }
      expect(await anchorsOf(db)).toEqual([]);
      expect(by.logged).toEqual([
        expect.stringContaining("the batch archive memory does not answer as it should: the disk is full"),
      ]);
      state.isFailing = false;
      await settle(by);
      await expectWhole();
      expect(by.chain.state.stopped.size).toBe(0);
    });

    it("stops at a damaged file, and at one that the archive lacks", async () => {
      const { archive, files } = archiveOf();
      await fleet.measure("meter-a", 2);
      await settle(anchorer({ archive }));
      await db.orm.delete(telemetryBatchPart);
      await db.orm.delete(telemetryBatch);
      const [[name = "", file = new Uint8Array()] = []] = files;
      files.set(name, file.slice(0, -10));
      const by = anchorer({ archive });
      await by.turn();
      expect([...by.chain.state.stopped.values()]).toEqual([
        expect.stringContaining("the file of batch 1 in memory is damaged"),
      ]);
      files.clear();
      await by.turn();
      expect([...by.chain.state.stopped.values()]).toEqual([
        "the chain holds batch 1, which neither the database nor memory has: import its file or declare it lost (aqua batches)",
      ]);
      expect(await batchesOf(db)).toEqual([]);
    });
  });

  it("never replaces another writer's batch that came first", async () => {
    await fleet.measure("meter-a", 4);
    const { time } = await world.head();
    const by = anchorer();
    await by.turn();
    await world.chain.rpc.call("anvil_dropAllTransactions");
    const args = [solar, padHex("0x01", { size: 32 }), 1n, BigInt(time), 1, padHex("0x02", { size: 32 })] as const;
    const data = encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "anchor", args });
    await world.forgetNonces();
    await world.mine([world.as("anchorer", world.deployed.addresses.telemetryAnchor, data)]);
    // The batch is not indexed yet; the chain itself shows that another batch is there.
    await by.turn();
    await caughtUp(world, indexer);
    for (let n = 0; n < 3; n += 1) {
      await by.turn();
      await block();
    }
    expect([...by.chain.state.stopped.values()]).toEqual([expect.stringContaining("another batch")]);
    expect(await anchorsOf(db)).toHaveLength(1);
    expect(await batchesOf(db)).toHaveLength(1);
  });

  it("reports once that the contract rejects it, and continues when the contract accepts it again", async () => {
    await fleet.measure("meter-a", 4);
    const stranger = generatePrivateKey();
    const by = anchorer({ key: stranger });
    await by.turn();
    await by.turn();
    expect(by.logged).toHaveLength(1);
    expect([...by.chain.state.stopped.values()]).toEqual([expect.stringContaining("AccessManagedUnauthorized")]);
    await settle(anchorer());
    await expectWhole();
  });

  it("anchors no reading that was changed after it was accepted", async () => {
    await fleet.measure("meter-a", 4);
    await db.orm.update(reading).set({ value: 1n }).where(eq(reading.seq, 3));
    await fleet.measure("flow-1", 1);
    const by = anchorer();
    await by.turn();
    await block();
    expect([...by.chain.state.stopped]).toEqual([
      ["sahel-solar", "reading 3 of meter-a is not the one that was accepted"],
    ]);
    expect((await anchorsOf(db)).map(({ stream }) => stream)).toEqual([water]);
  });

  it("anchors each batch once with two processes at the same time", async () => {
    const one = anchorer();
    const other = anchorer();
    for (let round = 0; round < 12; round += 1) {
      await fleet.measure("meter-a", 1 + (round % 4));
      if (round % 3 === 0) await fleet.measure("flow-1", 2);
      await Promise.all([one.turn(), other.turn(), one.turn(), other.turn()]);
      await block();
    }
    await settle(one);
    await expectWhole();
    expect([...one.logged, ...other.logged]).toEqual([]);
  });
});
