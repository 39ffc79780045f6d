import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import {
  encodeReading,
  fromHex,
  type HexText,
  nameHex,
  noReading,
  readingHash,
  toHex,
  typedDigest,
} from "@aqua/sdk/proofs/reading";
import { asc, eq } from "drizzle-orm";
import { encodeFunctionData, type Hex, type PublicClient } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { roleKey } from "../../../../../devnet/src/accounts.ts";
import { createSender } from "../../../src/chain/sender.ts";
import type { Database } from "../../../src/db/database.ts";
import { anchor } from "../../../src/indexer/schema.ts";
import { RetryLater } from "../../../src/jobs/runner.ts";
import type { BatchArchive } from "../../../src/telemetry/anchoring/archive.ts";
import { type AnchorChain, type AnchorSettings, createAnchorJob } from "../../../src/telemetry/anchoring/job.ts";
import { createRecovery } from "../../../src/telemetry/anchoring/recovery.ts";
import { createDirectory } from "../../../src/telemetry/directory.ts";
import { createImport } from "../../../src/telemetry/import.ts";
import { createPartitions } from "../../../src/telemetry/partitions.ts";
import { device, reading, telemetryBatch, telemetryBatchPart } from "../../../src/telemetry/schema.ts";
import { CHAIN_ID, type World } from "../../indexer/world.ts";

/** Two products of the world and a few devices of each. */
const devices: Record<string, string[]> = {
  "aegean-water": ["flow-1"],
  "sahel-solar": ["meter-a", "meter-b", "panel"],
};
/** A party with its own key that also signs each reading of a device. */
const coSigner = { of: "meter-b", name: "grid", key: `0x${"61".repeat(32)}` as const };
export const solar = nameHex("sahel-solar");
export const water = nameHex("aegean-water");

export interface Fleet {
  /** Appends `count` signed readings of a device, a second apart and later than its last one. */
  measure(name: string, count: number): Promise<void>;
  /** Moves the clocks of all devices forward. */
  wait(seconds: number): void;
  /** Device and number of every measured reading, ordered as text. */
  measured(): string[];
  /** Registers the keys of all devices. They are valid from the next block on. */
  registerKeys(): Promise<void>;
}

/** Enrols devices in `db` that sign with their own keys and measure from the chain's current time on. */
export async function openFleet(world: World, db: Database): Promise<Fleet> {
  const { time: start } = await world.head();
  await createPartitions(db).ensure([start * 1_000, (start + 20 * 86_400) * 1_000]);
  const known = new Map<string, { id: number; seq: number; time: number; prev: HexText; key: Hex }>();
  for (const [shortId, names] of Object.entries(devices)) {
    for (const name of names) {
      const figures = { min: 0n, max: 10n ** 12n, interval: 1_000, exponent: -1, createTime: 1 };
      const where = { place: "Field", latitude: 1, longitude: 2, model: "M", trust: "software_key" } as const;
      const [row] = await db.orm
        .insert(device)
        .values({
          name,
          chainId: CHAIN_ID,
          shortId,
          metric: "energy",
          ...figures,
          ...where,
          ...(name === coSigner.of && { trust: "co_signed", coSigner: coSigner.name }),
          secretHash: new Uint8Array(32),
        })
        .returning({ id: device.id });
      const key: Hex = `0x${(known.size + 1).toString(16).padStart(64, "0")}`;
      known.set(name, { id: row?.id ?? 0, seq: 0, time: (start + 60) * 1_000, prev: noReading, key });
    }
  }
  return {
    measured: () =>
      [...known].flatMap(([name, { seq }]) => Array.from({ length: seq }, (_, index) => `${name} ${index + 1}`)).sort(),
    wait(seconds) {
      for (const one of known.values()) one.time += seconds * 1_000;
    },
    async measure(name, count) {
      const one = known.get(name);
      if (!one) throw new RangeError(`no device ${name}`);
      const rows: (typeof reading.$inferInsert)[] = [];
      for (let added = 0; added < count; added += 1) {
        one.seq += 1;
        one.time += 1_000;
        const { seq, time, prev } = one;
        const value = BigInt(seq * 7);
        const hash = readingHash(
          encodeReading({ device: name, seq, time, metric: "energy", value, exponent: -1, prev }),
        );
        const signedBy = async (privateKey: Hex) =>
          fromHex(await sign({ hash: toHex(typedDigest(hash)), privateKey, to: "hex" }));
        rows.push({
          device: one.id,
          seq,
          time,
          accepted: time,
          value,
          hash,
          flaw: null,
          prev: fromHex(prev),
          signature: await signedBy(one.key),
          coSignature: name === coSigner.of ? await signedBy(coSigner.key) : null,
        });
        one.prev = toHex(hash);
      }
      if (rows.length > 0) await db.orm.insert(reading).values(rows);
    },
    async registerKeys() {
      const { time } = await world.head();
      const holders = [...known].map(([name, { key }]) => ({ name, key }));
      const calls = [...holders, coSigner].map(({ name, key }) => {
        const args = [nameHex(name), privateKeyToAddress(key), BigInt(time + 13)] as const;
        const data = encodeFunctionData({ abi: telemetryAnchorAbi, functionName: "registerSecp256k1Key", args });
        return world.as("registrar", world.deployed.addresses.telemetryAnchor, data);
      });
      await world.mine(calls);
    },
  };
}

export interface Anchorer {
  chain: AnchorChain;
  logged: string[];
  /** Runs one turn of the job. Returns the milliseconds until the next turn. */
  turn(): Promise<number>;
}

export interface AnchorerOptions {
  client?: PublicClient;
  settings?: Partial<AnchorSettings>;
  now?: () => number;
  key?: Hex;
  archive?: BatchArchive;
}

/** The job in a new process, without the memory of an earlier one. */
export function anchorerOf(world: World, db: Database, options: AnchorerOptions = {}): Anchorer {
  const client = options.client ?? (world.client as PublicClient);
  const chain: AnchorChain = {
    chainId: CHAIN_ID,
    client,
    contract: world.deployed.addresses.telemetryAnchor,
    anchorer: createSender(client, options.key ?? roleKey("anchorer")),
    state: { outOfGas: false, stopped: new Map() },
  };
  const logged: string[] = [];
  const log = {
    info: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    error: (fields: object, message: string) => {
      const { err, ...rest } = fields as { err?: unknown };
      logged.push(`${message} ${JSON.stringify(rest)} ${err ?? ""}`);
    },
  };
  // Every turn checks every stream.
  const settings = { everyMs: 5_000, most: 8_192, lookMs: 0, restMs: 0, ...options.settings };
  // By default, the next batch is due at every turn.
  let clock = Date.now();
  const ticking = () => {
    clock += 60_000;
    return clock;
  };
  const importBatches = createImport({ db, directory: createDirectory(db.orm), partitions: createPartitions(db) });
  const recovery = createRecovery({ db, archive: options.archive ?? null, importBatches, log });
  const job = createAnchorJob({ db, chains: [chain], log, recovery, settings, now: options.now ?? ticking });
  const context = { id: 1, attempts: 1, waitedMs: 0, signal: new AbortController().signal };
  return {
    chain,
    logged,
    turn: () =>
      job({ chainId: CHAIN_ID }, context).then(
        () => 0,
        (error: unknown) => {
          if (error instanceof RetryLater) return error.delayMs;
          throw error;
        },
      ),
  };
}

export const anchorsOf = (db: Database) => db.orm.select().from(anchor).orderBy(asc(anchor.stream), asc(anchor.number));
export const batchesOf = (db: Database) =>
  db.orm.select().from(telemetryBatch).orderBy(asc(telemetryBatch.stream), asc(telemetryBatch.number));

/** Device and number of every reading in a batch, ordered as text. The numbers of a device have no gaps. */
export async function inBatches(db: Database): Promise<string[]> {
  const parts = await db.orm
    .select({ name: device.name, first: telemetryBatchPart.firstSeq, last: telemetryBatchPart.lastSeq })
    .from(telemetryBatchPart)
    .innerJoin(device, eq(device.id, telemetryBatchPart.device));
  return parts
    .flatMap(({ name, first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => `${name} ${first + index}`),
    )
    .sort();
}

/** Deletes all devices, readings and batches. */
export async function forgetFleet(db: Database): Promise<void> {
  for (const table of [telemetryBatchPart, telemetryBatch, reading, device]) await db.orm.delete(table);
}
