import { generateKeyPairSync, sign, verify } from "node:crypto";
import { concatBytes, numberToBytesBE } from "@noble/curves/abstract/utils";
import { p256 } from "@noble/curves/nist";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { describe, expect, it } from "vitest";
import { encodeReading, noReading, readingHash, toHex, typedDigest } from "../../src/proofs/reading.ts";
import { isP256Signature, signerOf } from "../../src/proofs/signatures.ts";

const encoding = encodeReading({
  device: "meter-1",
  seq: 7,
  time: 1_760_000_000_123,
  metric: "energy_wh",
  value: -42n,
  exponent: -3,
  prev: noReading,
});
const hash = readingHash(encoding);

describe("a secp256k1 signature", () => {
  const secret = secp256k1.utils.randomPrivateKey();
  const address = toHex(keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12));
  const parts = secp256k1.sign(typedDigest(hash), secret);
  const bytes = (r: bigint, s: bigint, v: number) =>
    concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32), Uint8Array.of(v));
  const { r, s, recovery } = parts;

  it("recovers the address of the key that signed", () => {
    expect(signerOf(hash, bytes(r, s, 27 + recovery))).toBe(address);
  });

  it("recovers another address, or none, for another reading", () => {
    expect(signerOf(keccak_256(hash), bytes(r, s, 27 + recovery))).not.toBe(address);
  });

  it("is refused with a high s, although it is valid on the curve", () => {
    expect(signerOf(hash, bytes(r, secp256k1.CURVE.n - s, 28 - recovery))).toBeNull();
  });

  it.each([
    ["r = 0", bytes(0n, s, 27)],
    ["s = 0", bytes(r, 0n, 27)],
    ["r = n", bytes(secp256k1.CURVE.n, s, 27)],
    ["v = 0", bytes(r, s, 0)],
    ["v = 29", bytes(r, s, 29)],
    ["64 bytes", bytes(r, s, 27).subarray(0, 64)],
    ["66 bytes", concatBytes(bytes(r, s, 27), Uint8Array.of(0))],
    ["no bytes", new Uint8Array()],
  ])("is invalid with %s", (_name, signature) => {
    expect(signerOf(hash, signature)).toBeNull();
  });
});

describe("a P-256 signature", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const key = { x: Buffer.from(x as string, "base64url"), y: Buffer.from(y as string, "base64url") };
  const { n } = p256.CURVE;
  const raw = sign("sha256", encoding, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const parsed = p256.Signature.fromCompact(new Uint8Array(raw)).normalizeS();
  const bytes = (r: bigint, s: bigint) => concatBytes(numberToBytesBE(r, 32), numberToBytesBE(s, 32));
  const good = bytes(parsed.r, parsed.s);

  it("is valid for its reading only", async () => {
    expect(await isP256Signature({ x: key.x, y: key.y, encoding, signature: good })).toBe(true);
    expect(await isP256Signature({ x: key.x, y: key.y, encoding: encoding.toReversed(), signature: good })).toBe(false);
  });

  it("is refused with a high s, although it is valid on the curve", async () => {
    const high = bytes(parsed.r, n - parsed.s);
    expect(verify("sha256", encoding, { key: publicKey, dsaEncoding: "ieee-p1363" }, high)).toBe(true);
    expect(await isP256Signature({ x: key.x, y: key.y, encoding, signature: high })).toBe(false);
  });

  it("is refused for a key that is not on the curve, at every attempt", async () => {
    for (let time = 0; time < 2; time++) {
      expect(await isP256Signature({ x: key.x, y: key.x, encoding, signature: good })).toBe(false);
      expect(await isP256Signature({ x: new Uint8Array(32), y: new Uint8Array(32), encoding, signature: good })).toBe(
        false,
      );
    }
  });

  it("is verified correctly after more keys than the cache holds", async () => {
    const { BASE } = p256.ProjectivePoint;
    for (let sum = BASE, number = 1; number <= 1_100; number++, sum = sum.add(BASE)) {
      const point = sum.toRawBytes(false);
      expect(await isP256Signature({ x: point.slice(1, 33), y: point.slice(33), encoding, signature: good })).toBe(
        false,
      );
    }
    expect(await isP256Signature({ x: key.x, y: key.y, encoding, signature: good })).toBe(true);
  });
});
