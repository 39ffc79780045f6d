import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, recoverMessageAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { keySignature } from "../src/keySignature.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const key = fc.bigInt(1n, ORDER - 1n).map((number): Hex => `0x${number.toString(16).padStart(64, "0")}`);
const word = (number: bigint) => number.toString(16).padStart(64, "0");

/** The forms in which wallets give one signature. */
function formsOf(signature: Hex): Record<string, Hex> {
  const [r, s, v] = [
    signature.slice(2, 66),
    BigInt(`0x${signature.slice(66, 130)}`),
    Number(`0x${signature.slice(130)}`),
  ];
  const parity = v - 27;
  return {
    "as it is": signature,
    "v of 0 or 1": `0x${r}${word(s)}0${parity}`,
    compact: `0x${r}${word(s | (BigInt(parity) << 255n))}`,
    "the higher s": `0x${r}${word(ORDER - s)}${(28 - parity).toString(16)}`,
    "the higher s with v of 0 or 1": `0x${r}${word(ORDER - s)}0${1 - parity}`,
    "capital letters": `0x${signature.slice(2).toUpperCase()}`,
  };
}

describe("keySignature", () => {
  it("gives every form of a key's signature the one that the contracts take", async () => {
    await fc.assert(
      fc.asyncProperty(key, fc.string(), async (secret, message) => {
        const account = privateKeyToAccount(secret);
        const signature = await account.signMessage({ message });
        expect(await recoverMessageAddress({ message, signature })).toBe(account.address);
        for (const [form, given] of Object.entries(formsOf(signature)))
          expect(keySignature(given), form).toBe(signature);
      }),
      { numRuns: 50 },
    );
  });

  it("is null for what no key signs", () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).filter(({ length }) => length !== 64 && length !== 65);
    fc.assert(fc.property(bytes, (some) => keySignature(bytesToHex(some)) === null));
    const valid = hexToBytes(`0x${word(1n)}${word(1n)}1b`);
    expect(keySignature(bytesToHex(valid))).not.toBeNull();
    for (const v of [2, 26, 29, 255]) expect(keySignature(bytesToHex(valid.with(64, v)))).toBeNull();
    for (const [r, s] of [
      [0n, 1n],
      [1n, 0n],
      [ORDER, 1n],
      [1n, ORDER],
    ] as const) {
      expect(keySignature(`0x${word(r)}${word(s)}1b`)).toBeNull();
    }
  });
});
