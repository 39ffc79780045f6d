import fc from "fast-check";
import {
  encodeAbiParameters,
  hashStruct,
  hashTypedData,
  keccak256,
  parseAbiParameters,
  stringToHex,
  toBytes,
} from "viem";
import { describe, expect, it } from "vitest";
import {
  encodeReading,
  leafOf,
  nameHex,
  nameWord,
  type Reading,
  readingHash,
  toHex,
  typedDigest,
} from "../../src/proofs/reading.ts";
import { reading } from "./support.ts";

const type = "Reading(bytes32 device,uint64 seq,uint64 time,bytes32 metric,int64 value,int8 exponent,bytes32 prev)";
const words = parseAbiParameters("bytes32, bytes32, uint64, uint64, bytes32, int64, int8, bytes32");
const typed = {
  domain: { name: "Aqua telemetry", version: "1" },
  primaryType: "Reading" as const,
  types: {
    Reading: type
      .slice("Reading(".length, -1)
      .split(",")
      .map((field) => {
        const [kind = "", name = ""] = field.split(" ");
        return { type: kind, name };
      }),
  },
};
const word = (name: string) => stringToHex(name, { size: 32 });

describe("the encoding of a reading", () => {
  it("equals abi.encode of its type and fields", () => {
    fc.assert(
      fc.property(reading, ({ device, seq, time, metric, value, exponent, prev }) => {
        const values = [word(device), BigInt(seq), BigInt(time), word(metric), value, exponent, prev] as const;
        const encoding = encodeAbiParameters(words, [keccak256(toBytes(type)), ...values]);
        expect(toHex(encodeReading({ device, seq, time, metric, value, exponent, prev }))).toBe(encoding);
      }),
    );
  });

  it("hashes to the EIP-712 struct hash, and to the digest that wallets sign", () => {
    fc.assert(
      fc.property(reading, (one) => {
        const hash = readingHash(encodeReading(one));
        const data = { ...one, device: word(one.device), metric: word(one.metric) };
        expect(toHex(hash)).toBe(hashStruct({ data, primaryType: "Reading", types: typed.types }));
        expect(toHex(typedDigest(hash))).toBe(hashTypedData({ ...typed, message: data } as never));
        expect(toHex(leafOf(hash))).toBe(keccak256(hash));
      }),
    );
  });

  it("differs between readings that differ in any field", () => {
    fc.assert(
      fc.property(
        reading,
        reading,
        fc.constantFrom<keyof Reading>("device", "seq", "time", "metric", "value", "exponent", "prev"),
        (one, other, field) => {
          const mixed = { ...one, [field]: other[field] };
          const same = mixed[field] === one[field];
          expect(toHex(encodeReading(mixed)) === toHex(encodeReading(one))).toBe(same);
        },
      ),
    );
  });

  const good: Reading = {
    device: "a",
    seq: 1,
    time: 0,
    metric: "m",
    value: 0n,
    exponent: 0,
    prev: `0x${"0".repeat(64)}`,
  };
  it.each<[string, Partial<Reading>]>([
    ["no device", { device: "" }],
    ["a device of 32 characters", { device: "a".repeat(32) }],
    ["a device with a capital", { device: "A" }],
    ["a device that ends in a line break", { device: "a\n" }],
    ["a device that begins with -", { device: "-a" }],
    ["a metric with -", { metric: "a-b" }],
    ["number 0", { seq: 0 }],
    ["number 1.5", { seq: 1.5 }],
    ["number 2⁵³", { seq: 2 ** 53 }],
    ["a time before 1970", { time: -1 }],
    ["no time", { time: Number.NaN }],
    ["a value of 2⁶³", { value: 2n ** 63n }],
    ["a value below −2⁶³", { value: -(2n ** 63n) - 1n }],
    ["exponent 19", { exponent: 19 }],
    ["exponent −19", { exponent: -19 }],
    ["exponent 0.5", { exponent: 0.5 }],
    ["prev in capitals", { prev: `0x${"AB".repeat(32)}` }],
    ["prev of 31 bytes", { prev: `0x${"0".repeat(62)}` }],
  ])("refuses %s", (_name, wrong) => {
    expect(() => encodeReading({ ...good, ...wrong })).toThrow(RangeError);
  });

  it("accepts the extreme values", () => {
    for (const edge of [
      { value: 2n ** 63n - 1n, exponent: 18, seq: 2 ** 53 - 1, time: 2 ** 53 - 1 },
      { value: -(2n ** 63n), exponent: -18 },
    ]) {
      expect(encodeReading({ ...good, ...edge })).toHaveLength(256);
    }
  });
});

describe("a name as a word", () => {
  it("consists of the characters and zeros, as in Solidity", () => {
    expect(nameHex("pool-01")).toBe(word("pool-01"));
    expect(nameHex("a".repeat(31))).toBe(word("a".repeat(31)));
  });

  it("is refused when it could not be decoded to the same name", () => {
    for (const name of ["", "a".repeat(32), "é", "a b", "a\0"]) expect(() => nameWord(name)).toThrow(RangeError);
  });
});
