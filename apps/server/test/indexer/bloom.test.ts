import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { accountFor, mayHoldLogs, weightOf } from "../../src/indexer/bloom.ts";

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => bytesToHex(value));
const log = fc.record({ address: bytes(20), topics: fc.array(bytes(32), { maxLength: 4 }) });
type Log = { address: Hex; topics: Hex[] };

/** The bloom filter of a block with these logs, by the yellow paper, 4.3.1, with numbers instead of bytes. */
function bloomOf(logs: readonly Log[]): Hex {
  let bloom = 0n;
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(value);
    for (const at of [2, 6, 10]) bloom |= 1n << BigInt(Number.parseInt(hash.slice(at, at + 4), 16) % 2_048);
  }
  return `0x${bloom.toString(16).padStart(512, "0")}`;
}

describe("a header's bloom", () => {
  it("names every address of its logs, and these logs explain all its bits", () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), (logs) => {
        const bloom = bloomOf(logs);
        expect(logs.every(({ address }) => mayHoldLogs(bloom, [address]))).toBe(true);
        expect(accountFor(bloom, logs)).toBe(true);
      }),
    );
  });

  it("is explained by a superset of its logs, and not by the other logs if one log alone sets a bit", () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), log, (logs, missing) => {
        const bloom = bloomOf([...logs, missing]);
        expect(accountFor(bloomOf(logs), [...logs, missing])).toBe(true);
        expect(accountFor(bloom, logs)).toBe(bloom === bloomOf(logs));
      }),
    );
  });

  it("proves nothing if it is all zeros or all ones, as on chains that do not fill it in", () => {
    const address = `0x${"12".repeat(20)}` as const;
    for (const byte of ["00", "ff"]) {
      const bloom = `0x${byte.repeat(256)}` as const;
      expect([weightOf(bloom), mayHoldLogs(bloom, [address])]).toEqual(["nothing", false]);
    }
  });

  it("proves little if more than half of its bits are set", () => {
    const half = hexToBytes(`0x${"0f".repeat(256)}`);
    expect(weightOf(bytesToHex(half))).toBe("much");
    half[0] = 0x1f;
    expect(weightOf(bytesToHex(half))).toBe("little");
  });
});
