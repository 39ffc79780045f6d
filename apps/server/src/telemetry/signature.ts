import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { DeviceKey } from "@aqua/sdk/api/telemetry";
import { fromHex } from "@aqua/sdk/proofs/reading";
import { signerOf } from "@aqua/sdk/proofs/signatures";
import type { Candidate, CheckedDevice } from "./checks.ts";
import type { FormedReading } from "./form.ts";
import { type KeyHistory, keyAt } from "./keys.ts";

/** Half of the order of P-256, as hex digits: what is larger is the second form of a signature, and refused. */
const HALF_ORDER = "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8";

/** Whether a reading carries the signature of its device, and that of its co-signer exactly where the device has one. */
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

/** Whether the reading carries the signature of that key. P-256 is checked beside the main thread. */
export async function isSignedBy(
  { kind, x, y }: Pick<DeviceKey, "kind" | "x" | "y">,
  { encoding, hash, signature }: Pick<FormedReading, "encoding" | "hash" | "signature">,
): Promise<boolean> {
  if (kind === "secp256k1") {
    return signature.length === 132 && signerOf(fromHex(hash), fromHex(signature)) === `0x${x.slice(26)}`;
  }
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

/** Making a key costs as much as checking a signature with it. Only keys the chain names come here, so few are kept. */
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
    // No point of the curve. The contract refuses those; a key of another contract may be anything.
    return null;
  }
}
