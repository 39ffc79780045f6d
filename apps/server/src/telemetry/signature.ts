import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { DeviceKey } from "@aqua/sdk/api/telemetry";
import { fromHex } from "@aqua/sdk/proofs/reading";
import { signerOf } from "@aqua/sdk/proofs/signatures";
import pLimit from "p-limit";
import type { Candidate, CheckedDevice } from "./checks.ts";
import type { FormedReading } from "./form.ts";
import { type KeyHistory, keyAt } from "./keys.ts";

/** Half of the order of P-256, as hex digits. A larger `s` is the second form of a signature and is refused. */
const HALF_ORDER = "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8";

/** Verifies the signatures of a reading. `coSigned` requires a co-signature exactly when the device has a co-signer. */
export async function signaturesOf(
  { coSigner, keys }: Pick<CheckedDevice, "coSigner"> & { keys: KeyHistory },
  reading: FormedReading,
): Promise<Pick<Candidate, "signed" | "coSigned">> {
  const second = Math.floor(reading.time / 1_000);
  const key = keyAt(keys, second);
  const signed = key !== null && (await isSignedBy(key, reading));
  const { co_signature: co } = reading;
  if (!signed || coSigner === null || co === undefined) {
    return { signed, coSigned: coSigner === null && co === undefined };
  }
  const coKey = co.by === coSigner && keys.coSigner ? keyAt(keys.coSigner, second) : null;
  const signature = co.signature as FormedReading["signature"];
  return { signed, coSigned: coKey !== null && (await isSignedBy(coKey, { ...reading, signature })) };
}

/** P-256 signatures checked at once. More would only fill the queue of the thread pool ahead of all other work. */
const p256Limit = pLimit(256);
/** Verifying a secp256k1 signature blocks the main thread for a millisecond or two. */
const secp256k1Limit = pLimit(1);

/** Whether that key signed the reading. */
export function isSignedBy(
  key: Pick<DeviceKey, "kind" | "x" | "y">,
  reading: Pick<FormedReading, "encoding" | "hash" | "signature">,
): Promise<boolean> {
  if (key.kind === "p256") return p256Limit(() => isP256Signed(key, reading));
  return secp256k1Limit(async () => {
    // Lets other work of the main thread run between two signatures.
    await setImmediate();
    const { hash, signature } = reading;
    return signature.length === 132 && signerOf(fromHex(hash), fromHex(signature)) === `0x${key.x.slice(26)}`;
  });
}

/** Verifies P-256 on the thread pool, not on the main thread. */
async function isP256Signed(
  { x, y }: Pick<DeviceKey, "x" | "y">,
  { encoding, signature }: Pick<FormedReading, "encoding" | "signature">,
): Promise<boolean> {
  if (signature.length !== 130 || signature.slice(66) > HALF_ORDER) return false;
  const key = p256Key(x, y);
  if (key === null) return false;
  return new Promise((resolve, reject) => {
    verify("sha256", encoding, { key, dsaEncoding: "ieee-p1363" }, fromHex(signature), (error, valid) => {
      if (error) reject(error);
      else resolve(valid);
    });
  });
}

/**
 * Imported keys, because an import costs as much as checking a signature. Only keys registered on chain reach this
 * cache, so it stays small.
 */
const keys = new Map<string, KeyObject | null>();

function p256Key(x: string, y: string): KeyObject | null {
  const name = x + y;
  let key = keys.get(name);
  if (key === undefined) {
    if (keys.size >= 10_000) keys.clear();
    key = importKey(x, y);
    keys.set(name, key);
  }
  return key;
}

function importKey(x: string, y: string): KeyObject | null {
  const text = (coordinate: string) => Buffer.from(fromHex(coordinate)).toString("base64url");
  try {
    return createPublicKey({ key: { kty: "EC", crv: "P-256", x: text(x), y: text(y) }, format: "jwk" });
  } catch {
    // Not a point of the curve. Our contract refuses such keys, but another contract may not.
    return null;
  }
}
