import { createECDH, createHash, createPrivateKey, sign } from "node:crypto";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import {
  encodeReading,
  fromHex,
  type HexText,
  type Reading,
  readingHash,
  toHex,
  typedDigest,
} from "@aqua/sdk/proofs/reading";
import { privateKeyToAccount } from "viem/accounts";
import { type FleetDevice, type KeyHolder, keyHolderOf } from "./devices.ts";

/** A key: its public part as the chain stores it, and its signing function. */
export interface DeviceSigner {
  kind: "p256" | "secp256k1";
  /** P-256: the public key; secp256k1: the address, padded, and 0. */
  x: HexText;
  y: HexText;
  sign(encoding: Uint8Array, hash: Uint8Array): Promise<Uint8Array>;
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const signers = new Map<string, DeviceSigner>();

/**
 * Returns key `number` of a device or co-signer of the local world. It is derived from the name, so anyone can sign
 * with it: such keys exist for chain 31337 alone.
 */
export function signerFor({ name, key }: KeyHolder, number: number): DeviceSigner {
  const seed = `aqua devnet device ${name} key ${number}`;
  const signer = signers.get(seed) ?? (key === "p256" ? p256Signer(seed) : secp256k1Signer(seed));
  signers.set(seed, signer);
  return signer;
}

/** Returns 32 bytes of a hash, which are a valid key of either curve except once in four thousand million. */
function secretOf(seed: string): Buffer {
  return createHash("sha256").update(seed).digest();
}

function p256Signer(seed: string): DeviceSigner {
  const secret = secretOf(seed);
  const exchange = createECDH("prime256v1");
  exchange.setPrivateKey(secret);
  const point = exchange.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const base64 = (bytes: Buffer) => bytes.toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", d: base64(secret), x: base64(x), y: base64(y) };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return {
    kind: "p256",
    x: toHex(x),
    y: toHex(y),
    async sign(encoding) {
      const signature = sign("sha256", encoding, { key, dsaEncoding: "ieee-p1363" });
      const s = BigInt(toHex(signature.subarray(32)));
      if (s > P256_ORDER / 2n) signature.write((P256_ORDER - s).toString(16).padStart(64, "0"), 32, "hex");
      return signature;
    },
  };
}

function secp256k1Signer(seed: string): DeviceSigner {
  const account = privateKeyToAccount(toHex(secretOf(seed)));
  return {
    kind: "secp256k1",
    x: `0x${account.address.slice(2).toLowerCase().padStart(64, "0")}`,
    y: `0x${"0".repeat(64)}`,
    sign: async (_encoding, hash) => fromHex(await account.sign({ hash: toHex(typedDigest(hash)) })),
  };
}

/**
 * Returns the reading as it is sent, signed with the device's key of that number and by its co-signer, and its hash,
 * which the next reading names as `prev`.
 */
export async function signReading(
  device: FleetDevice,
  number: number,
  reading: Reading,
): Promise<{ signed: SignedReading; hash: Uint8Array }> {
  const encoding = encodeReading(reading);
  const hash = readingHash(encoding);
  const by = async (signer: DeviceSigner) => toHex(await signer.sign(encoding, hash));
  const signed = { ...reading, value: String(reading.value), signature: await by(signerFor(device, number)) };
  const { co_signer: co } = device;
  if (!co) return { signed, hash };
  // A co-signer has one key during the whole world.
  return { signed: { ...signed, co_signature: { by: co, signature: await by(signerFor(keyHolderOf(co), 0)) } }, hash };
}
