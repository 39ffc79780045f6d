import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import type { DeviceKey } from "../api/telemetry.ts";
import { fromHex, type HexText, readingHash, toHex, typedDigest } from "./reading.ts";

/**
 * True if `key` signed this encoding of a reading. Null if that cannot be checked: P-256 needs WebCrypto, which
 * browsers provide only in secure contexts.
 */
export async function isSignature(
  { kind, x, y }: { kind: DeviceKey["kind"] | null; x: string; y: string },
  encoding: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | null> {
  if (kind === "secp256k1") {
    const signer = signerOf(readingHash(encoding), signature);
    return signer !== null && x === `0x${"0".repeat(24)}${signer.slice(2)}`;
  }
  if (kind !== "p256") return false;
  if (globalThis.crypto?.subtle === undefined) return null;
  return isP256Signature({ x: fromHex(x), y: fromHex(y), encoding, signature });
}

/**
 * Half the order of P-256. Of the two signatures (r, s) and (r, n − s), only the one with the lower `s` is accepted.
 */
const p256HalfOrder = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n;

/**
 * The address whose secp256k1 key signed the reading with this `readingHash`. Null if `signature` (r ‖ s ‖ v) is
 * invalid by the contract's rules: `s` in the lower half, `v` 27 or 28.
 */
export function signerOf(hash: Uint8Array, signature: Uint8Array): HexText | null {
  const v = signature[64];
  if (signature.length !== 65 || (v !== 27 && v !== 28)) return null;
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.subarray(0, 64)).addRecoveryBit(v - 27);
    if (parsed.hasHighS()) return null;
    const point = parsed.recoverPublicKey(typedDigest(hash)).toRawBytes(false);
    return toHex(keccak_256(point.subarray(1)).subarray(12));
  } catch {
    // r or s is out of range, or r is not the coordinate of a point.
    return null;
  }
}

/**
 * True if `signature` (r ‖ s) is a signature of the P-256 key (x, y) over the SHA-256 of a reading's encoding, with `s`
 * in the lower half. Uses WebCrypto.
 */
export async function isP256Signature({
  x,
  y,
  encoding,
  signature,
}: {
  x: Uint8Array;
  y: Uint8Array;
  encoding: Uint8Array;
  signature: Uint8Array;
}): Promise<boolean> {
  if (signature.length !== 64 || x.length !== 32 || y.length !== 32) return false;
  if (BigInt(toHex(signature.subarray(32))) > p256HalfOrder) return false;
  const key = await importedKey(x, y);
  if (key === null) return false;
  return crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(encoding));
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** A CryptoKey, with a type that Node's types have too. */
type Imported = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/**
 * Imported keys. They are cached because the same devices sign repeatedly, and importing a key costs as much as a
 * verification. Null if the point is not on the curve.
 */
const importedKeys = new Map<string, Promise<Imported | null>>();
const mostKeys = 1024;

function importedKey(x: Uint8Array, y: Uint8Array): Promise<Imported | null> {
  const point = new Uint8Array(65);
  point[0] = 4;
  point.set(x, 1);
  point.set(y, 33);
  const name = toHex(point);
  const known = importedKeys.get(name);
  if (known) return known;
  const [oldest] = importedKeys.keys();
  if (oldest !== undefined && importedKeys.size >= mostKeys) importedKeys.delete(oldest);
  const key = crypto.subtle.importKey("raw", point, algorithm, false, ["verify"]).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "DataError") return null;
    importedKeys.delete(name);
    throw error;
  });
  importedKeys.set(name, key);
  return key;
}
