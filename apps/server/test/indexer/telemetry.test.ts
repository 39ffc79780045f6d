import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { asc } from "drizzle-orm";
import { encodeFunctionData, type Hex, padHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { roleAccount } from "../../../../devnet/src/accounts.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import type { Database } from "../../src/db/database.ts";
import { anchor, deviceKey, privilegedAct, storedHead } from "../../src/indexer/schema.ts";
import { forgetChain } from "../../src/indexer/store.ts";
import { shortIdOf } from "../../src/indexer/telemetry.ts";
import { withDatabase } from "../support/databases.ts";
import { derivedTables } from "./tables.ts";
import { caughtUp, indexerOf, openWorld, type RunningIndexer, reindex, type World } from "./world.ts";

const stream = nameHex("solar-one");
const meter = nameHex("meter-1");
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

const contract = () => world.deployed.addresses.telemetryAnchor;
const byte = (value: number): Hex => padHex(`0x${value.toString(16)}`, { size: 32 });

/** A batch of `stream` that covers the time from the previous batch up to now. */
async function anchorCall(root: number, from: number, of: Hex = stream): Promise<Call> {
  const { time } = await world.head();
  const args = [of, byte(root), BigInt(from), BigInt(time), 3, byte(root + 1)] as const;
  return world.as(
    "anchorer",
    contract(),
    encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "anchor", args }),
  );
}
const keep = () =>
  world.as(
    "keeper",
    contract(),
    encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "keepHead", args: [stream] }),
  );
const register = (device: Hex, signer: Hex, validFrom: number) =>
  world.as(
    "registrar",
    contract(),
    encodeFunctionData({
      abi: telemetryAnchorAbi,
      functionName: "registerSecp256k1Key",
      args: [device, signer, BigInt(validFrom)],
    }),
  );
const revoke = (device: Hex) =>
  world.as(
    "registrar",
    contract(),
    encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "revokeKey", args: [device] }),
  );

it("a stream belongs to the product whose short id its 32 bytes contain, or to none", () => {
  expect(shortIdOf(nameHex("solar-one"))).toBe("solar-one");
  expect(shortIdOf(`0x${Buffer.from("a".repeat(32)).toString("hex")}`)).toBe("a".repeat(32));
  for (const other of [byte(0), byte(1), nameHex("Solar"), `0x${"ff".repeat(32)}` as const]) {
    expect(shortIdOf(other)).toBeNull();
  }
  expect(shortIdOf(`0x61006100${"00".repeat(28)}`)).toBeNull();
});

withDatabase("the indexer of anchors and device keys", (open) => {
  let db: Database;
  let indexer: RunningIndexer;
  beforeAll(async () => {
    db = await open();
  });
  afterEach(async () => {
    await indexer.stop();
    await forgetChain(db, 31337);
  });
  const start = async () => {
    indexer = indexerOf(world, db);
    await indexer.start();
    await caughtUp(world, indexer);
  };
  const anchors = () => db.orm.select().from(anchor).orderBy(asc(anchor.block), asc(anchor.logIndex));
  const told = () => indexer.published.filter(({ name }) => name === "anchor").map(({ data }) => data);

  it("stores every batch, stored head and change of a key as the contract emitted it", async () => {
    await start();
    await world.mine([await anchorCall(1, 1)]);
    const { time: first } = await world.head();
    await world.mine([await anchorCall(5, first), keep()]);
    const signer = roleAccount("keeper").address;
    const later = roleAccount("treasury").address;
    const { time } = await world.head();
    await world.mine([register(meter, signer, time + 13)]);
    // This key is not in force when the next one is registered, so it is dropped.
    await world.mine([register(meter, later, time + 5_000)]);
    await world.mine([register(meter, roleAccount("custodian").address, time + 9_000)]);
    await world.mine([revoke(meter)]);
    await caughtUp(world, indexer);

    const [one, two] = await anchors();
    expect(one).toMatchObject({ stream, number: 1, root: byte(1), from: 1, count: 3, dataHash: byte(2) });
    expect(two).toMatchObject({ stream, number: 2, root: byte(5), from: first });
    const [head] = await world.client.readContract({
      address: contract(),
      abi: telemetryAnchorAbi,
      functionName: "streamOf",
      args: [stream],
    });
    expect(two?.head).toBe(head);
    expect(await db.orm.select().from(storedHead)).toMatchObject([{ stream, number: 2, head }]);

    const keys = await db.orm.select().from(deviceKey).orderBy(asc(deviceKey.block), asc(deviceKey.logIndex));
    const end = (await world.head()).time + 1;
    expect(keys.map(({ what, kind, x, validFrom }) => ({ what, kind, x, validFrom }))).toEqual([
      { what: "registered", kind: 2, x: padHex(signer, { size: 32 }).toLowerCase(), validFrom: time + 13 },
      { what: "registered", kind: 2, x: padHex(later, { size: 32 }).toLowerCase(), validFrom: time + 5_000 },
      { what: "dropped", kind: 2, x: padHex(later, { size: 32 }).toLowerCase(), validFrom: time + 5_000 },
      {
        what: "registered",
        kind: 2,
        validFrom: time + 9_000,
        x: padHex(roleAccount("custodian").address, { size: 32 }).toLowerCase(),
      },
      {
        what: "dropped",
        kind: 2,
        validFrom: time + 9_000,
        x: padHex(roleAccount("custodian").address, { size: 32 }).toLowerCase(),
      },
      { what: "revoked", kind: 0, x: null, validFrom: end },
    ]);
    expect(keys.every(({ device }) => device === meter)).toBe(true);
    const acts = await db.orm
      .select()
      .from(privilegedAct)
      .orderBy(asc(privilegedAct.block), asc(privilegedAct.logIndex));
    const ours = acts.filter(({ contract: by }) => by === contract().toLowerCase());
    expect(ours.map(({ name }) => name)).toEqual([
      ...["KeyRegistered", "KeyRegistered", "KeyDropped", "KeyRegistered", "KeyDropped", "KeyRevoked"],
    ]);
    expect(ours[0]?.args).toMatchObject({ device: meter, kind: "2", validFrom: String(time + 13) });
  });

  it("publishes a batch once it is committed, but none of a stream without a product", async () => {
    await start();
    await world.mine([await anchorCall(1, 1), await anchorCall(1, 1, byte(7))]);
    await caughtUp(world, indexer);
    expect(told()).toEqual([{ chain_id: 31337, short_id: "solar-one", number: 1 }]);
  });

  it("removes reorganised batches, and publishes those that replace them", async () => {
    await world.mine([await anchorCall(1, 1)]);
    await start();
    const fork = await world.snapshot();
    const { time } = await world.head();
    await world.mine([await anchorCall(3, time), keep(), register(meter, roleAccount("keeper").address, time + 60)]);
    await caughtUp(world, indexer);
    expect(await anchors()).toHaveLength(2);
    await world.revert(fork);
    await world.mine();
    await world.mine([await anchorCall(9, time)]);
    await caughtUp(world, indexer);
    expect((await anchors()).map(({ root }) => root)).toEqual([byte(1), byte(9)]);
    expect(await db.orm.select().from(storedHead)).toEqual([]);
    expect(await db.orm.select().from(deviceKey)).toEqual([]);
    expect(told().at(-1)).toEqual({ chain_id: 31337, short_id: "solar-one", number: 2 });
    const followed = await derivedTables(db);
    await indexer.stop();
    await reindex(world, db);
    expect(await derivedTables(db)).toEqual(followed);
  });
});
