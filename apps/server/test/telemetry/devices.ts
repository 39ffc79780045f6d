import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "@aqua/sdk/proofs/batch";
import {
  encodeReading,
  fromHex,
  type HexText,
  leafOf,
  nameHex,
  noReading,
  readingHash,
  toHex,
  typedDigest,
} from "@aqua/sdk/proofs/reading";
import { buildTree } from "@aqua/sdk/proofs/tree";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import { privateKeyToAccount, sign as signDigest } from "viem/accounts";
import type { Database } from "../../src/db/database.ts";
import { anchor, deviceKey } from "../../src/indexer/schema.ts";
import { insertDevice } from "../../src/telemetry/deviceStore.ts";

export const CHAIN = 31337;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A measuring device with its own key. */
export interface TestDevice {
  name: string;
  key: { kind: 1 | 2; x: HexText; y: HexText };
  /** Returns the next reading with the fields of `change`. The device continues from it unless `keep` is false. */
  next(change?: Partial<SignedReading>, keep?: boolean): Promise<SignedReading>;
}

export interface DeviceOptions {
  name: string;
  kind?: "p256" | "secp256k1";
  metric?: Metric;
  exponent?: number;
  /** Time of the first reading, Unix milliseconds, and milliseconds between two readings. */
  start?: number;
  step?: number;
  /** A party that also signs each reading. */
  coSigner?: TestCoSigner;
}

/** A party with its own key that signs the readings of devices. */
export interface TestCoSigner {
  name: string;
  key: TestDevice["key"];
  sign(encoding: Uint8Array): Promise<HexText>;
}

export const newCoSigner = (name: string, kind: "p256" | "secp256k1" = "p256"): TestCoSigner => ({
  name,
  ...newSigner(kind, name),
});

/** Signs encodings and hashes with a new key. */
export function newSigner(kind: "p256" | "secp256k1", seed: string) {
  if (kind === "p256") {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const hex = (text: string) => toHex(Buffer.from(text, "base64url"));
    return {
      key: { kind: 1, x: hex(x), y: hex(y) } as const,
      sign: async (encoding: Uint8Array) => signP256(privateKey, encoding),
    };
  }
  const secret = toHex(createHash("sha256").update(seed).digest());
  const { address } = privateKeyToAccount(secret);
  return {
    key: { kind: 2, x: `0x${"0".repeat(24)}${address.slice(2).toLowerCase()}`, y: noReading } as const,
    sign: async (encoding: Uint8Array) =>
      signDigest({ hash: toHex(typedDigest(readingHash(encoding))), privateKey: secret, to: "hex" }),
  };
}

export function signP256(key: KeyObject, encoding: Uint8Array): HexText {
  const text = sign("sha256", encoding, { key, dsaEncoding: "ieee-p1363" }).toString("hex");
  const s = BigInt(`0x${text.slice(64)}`);
  const low = s > ORDER / 2n ? ORDER - s : s;
  return `0x${text.slice(0, 64)}${low.toString(16).padStart(64, "0")}`;
}

export function newDevice(options: DeviceOptions): TestDevice {
  const { name, kind = "p256", metric = "power", exponent = -1 } = options;
  const { start = Date.now() - 3_600_000, step = 1_000, coSigner } = options;
  const signer = newSigner(kind, name);
  let last = { seq: 0, hash: noReading, time: start - step };
  return {
    name,
    key: signer.key,
    async next({ signature, co_signature, ...change } = {}, keep = true) {
      const seq = last.seq + 1;
      const reading = {
        device: name,
        seq,
        time: last.time + step,
        metric,
        value: `${1_000 + (seq % 7)}`,
        exponent,
        prev: last.hash,
        ...change,
      };
      const encoding = encodeReading({ ...reading, value: BigInt(reading.value), prev: reading.prev as HexText });
      if (keep) last = { seq: reading.seq, hash: toHex(readingHash(encoding)), time: reading.time };
      const co = coSigner && { by: coSigner.name, signature: await coSigner.sign(encoding) };
      return {
        ...reading,
        signature: signature ?? (await signer.sign(encoding)),
        ...((co_signature ?? co) && { co_signature: co_signature ?? co }),
      };
    },
  };
}

export interface Enrolment {
  shortId?: string;
  min?: bigint;
  max?: bigint;
  maxStep?: bigint | null;
  interval?: number;
  metric?: Metric;
  exponent?: number;
  /** Unix seconds from which its key is valid. */
  validFrom?: number;
  /** The name of its co-signer, whose key `addKey` registers. */
  coSigner?: string;
}

let block = 0;

/** Simulates that the operator enrolled the device and the indexer read its key. */
export async function enrol(db: Database, one: TestDevice, options: Enrolment = {}): Promise<void> {
  const { shortId = "tide", min = 0n, max = 1_000_000n, maxStep = null, interval = 1_000 } = options;
  const { metric = "power", exponent = -1, validFrom = 1 } = options;
  const trust = options.coSigner === undefined ? "secure_element" : "co_signed";
  const where = { place: "Brest", latitude: 48.4, longitude: -4.5, model: "T1", trust } as const;
  await db.transaction((tx) =>
    insertDevice(tx, {
      name: one.name,
      chainId: CHAIN,
      shortId,
      metric,
      exponent,
      ...where,
      min,
      max,
      maxStep,
      interval,
      coSigner: options.coSigner ?? null,
      secretHash: new Uint8Array(32),
      createTime: 1,
    }),
  );
  await addKey(db, one.name, one.key, validFrom);
}

export async function addKey(
  db: Database,
  name: string,
  { kind, x, y }: TestDevice["key"],
  validFrom: number,
): Promise<void> {
  block += 1;
  await db.orm.insert(deviceKey).values({
    chainId: CHAIN,
    block,
    logIndex: 0,
    time: 1,
    device: nameHex(name),
    what: "registered",
    kind,
    x,
    y,
    validFrom,
  });
}
export async function revokeKey(db: Database, name: string, validFrom: number): Promise<void> {
  block += 1;
  await db.orm.insert(deviceKey).values({
    chainId: CHAIN,
    block,
    logIndex: 0,
    time: 1,
    device: nameHex(name),
    what: "revoked",
    kind: 0,
    validFrom,
  });
}

/** End of a stream after a batch. */
interface StreamEnd {
  number: number;
  head: HexText;
}

/** The next batch of a product's stream, as if built by another instance, and its record on chain. */
export function buildBatch(shortId: string, readings: readonly SignedReading[], last: StreamEnd | null, to: number) {
  const number = (last?.number ?? 0) + 1;
  const previousHead = last?.head ?? noReading;
  const stream = nameHex(shortId);
  const ordered = readings.toSorted((a, b) => (a.device === b.device ? a.seq - b.seq : a.device < b.device ? -1 : 1));
  const leaves = ordered.map((reading) =>
    leafOf(readingHash(encodeReading({ ...reading, value: BigInt(reading.value), prev: reading.prev as HexText }))),
  );
  const figures = { number, root: toHex(buildTree(leaves).root), from: to - 1, to, count: readings.length };
  const contract = `0x${"c0".repeat(20)}`;
  const header = { ...figures, format: "aqua-batch-1", chain_id: CHAIN, contract, short_id: shortId } as const;
  const file = writeBatchFile({ ...header, previous_head: previousHead }, ordered);
  const dataHash = dataHashOf(file);
  const head = nextHead(previousHead, batchDigest({ stream, ...figures, dataHash }));
  const onChain = {
    chainId: CHAIN,
    logIndex: 0,
    time: to,
    hash: toHex(fromHex(head)),
    stream,
    ...figures,
    dataHash,
    head,
  };
  return { number, head, file: Buffer.from(file), onChain };
}

/** Simulates that the indexer read these batches. */
export async function anchorAll(db: Database, batches: readonly ReturnType<typeof buildBatch>[]): Promise<void> {
  for (const { onChain } of batches) {
    block += 1;
    await db.orm.insert(anchor).values({ ...onChain, block });
  }
}
