import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import {
  encodeReading,
  type HexText,
  nameHex,
  noReading,
  readingHash,
  toHex,
  typedDigest,
} from "@aqua/sdk/proofs/reading";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import { privateKeyToAccount, sign as signDigest } from "viem/accounts";
import type { Database } from "../../src/db/database.ts";
import { deviceKey } from "../../src/indexer/schema.ts";
import { insertDevice } from "../../src/telemetry/deviceStore.ts";

export const CHAIN = 31337;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A device that measures, with a key of its own. */
export interface TestDevice {
  name: string;
  key: { kind: 1 | 2; x: HexText; y: HexText };
  /** The next reading; what is given replaces what it would say. It goes on from there unless `keep` is false. */
  next(change?: Partial<SignedReading>, keep?: boolean): Promise<SignedReading>;
}

export interface DeviceOptions {
  name: string;
  kind?: "p256" | "secp256k1";
  metric?: Metric;
  exponent?: number;
  /** Of the first reading, Unix milliseconds, and between two. */
  start?: number;
  step?: number;
}

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
  const { start = Date.now() - 3_600_000, step = 1_000 } = options;
  const signer = newSigner(kind, name);
  let last = { seq: 0, hash: noReading, time: start - step };
  return {
    name,
    key: signer.key,
    async next({ signature, ...change } = {}, keep = true) {
      const seq = last.seq + 1;
      const reading = {
        ...{
          device: name,
          seq,
          time: last.time + step,
          metric,
          value: `${1_000 + (seq % 7)}`,
          exponent,
          prev: last.hash,
        },
        ...change,
      };
      const encoding = encodeReading({ ...reading, value: BigInt(reading.value), prev: reading.prev as HexText });
      if (keep) last = { seq: reading.seq, hash: toHex(readingHash(encoding)), time: reading.time };
      return { ...reading, signature: signature ?? (await signer.sign(encoding)) };
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
  /** Seconds from which its key holds. */
  validFrom?: number;
}

let block = 0;

/** As if the operator had enrolled it and the indexer had read its key. */
export async function enrol(db: Database, one: TestDevice, options: Enrolment = {}): Promise<void> {
  const { shortId = "tide", min = 0n, max = 1_000_000n, maxStep = null, interval = 1_000 } = options;
  const { metric = "power", exponent = -1, validFrom = 1 } = options;
  const where = { place: "Brest", latitude: 48.4, longitude: -4.5, model: "T1", trust: "secure_element" } as const;
  await db.transaction((tx) =>
    insertDevice(tx, {
      ...{ name: one.name, chainId: CHAIN, shortId, metric, exponent, ...where, min, max, maxStep, interval },
      ...{ secretHash: new Uint8Array(32), createTime: 1 },
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
    ...{ chainId: CHAIN, block, logIndex: 0, time: 1, device: nameHex(name), what: "registered" },
    ...{ kind, x, y, validFrom },
  });
}
