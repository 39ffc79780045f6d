import fc from "fast-check";
import { encodeAbiParameters, encodePacked, keccak256, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import type { BatchHeader, SignedReading } from "../../src/api/telemetry.ts";
import {
  BatchFileError,
  batchDigest,
  dataHashOf,
  nextHead,
  readBatchFile,
  writeBatchFile,
} from "../../src/proofs/batch.ts";
import { batchHeader, hex, signedReading } from "./support.ts";

const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(Math.min(bits, 53)) - 1n }).map(Number);
const batch = fc
  .tuple(
    batchHeader,
    fc.uniqueArray(signedReading, { selector: ({ device, seq }) => `${device} ${seq}`, minLength: 1 }),
  )
  .map(([header, readings]) => ({ header: { ...header, count: readings.length }, readings }));

describe("the digest of a batch", () => {
  it("equals the contract's: keccak-256 of the figures as abi.encode lays them out", () => {
    const types = parseAbiParameters("bytes32, uint64, bytes32, uint64, uint64, uint32, bytes32");
    fc.assert(
      fc.property(
        fc.record({
          stream: hex(32),
          number: uint(64),
          root: hex(32),
          from: uint(64),
          to: uint(64),
          count: uint(32),
          dataHash: hex(32),
        }),
        hex(32),
        (figures, previous) => {
          const { stream, number, root, from, to, count, dataHash } = figures;
          const values = [stream, BigInt(number), root, BigInt(from), BigInt(to), count, dataHash] as const;
          const digest = keccak256(encodeAbiParameters(types, values));
          expect(batchDigest(figures)).toBe(digest);
          expect(nextHead(previous, digest)).toBe(keccak256(encodePacked(["bytes32", "bytes32"], [previous, digest])));
        },
      ),
    );
  });
});

describe("a batch file", () => {
  it("is read back as it was written, whatever the order of the readings", () => {
    fc.assert(
      fc.property(batch, ({ header, readings }) => {
        const file = writeBatchFile(header, readings);
        expect(writeBatchFile(header, readings.toReversed())).toEqual(file);
        const back = readBatchFile(file);
        expect(back.header).toEqual(header);
        expect(new Set(back.readings.map((reading) => JSON.stringify(reading)))).toEqual(
          new Set(
            readings.map(({ device, seq, time, metric, value, exponent, prev, signature, co_signature: co }) =>
              JSON.stringify({
                device,
                seq,
                time,
                metric,
                value,
                exponent,
                prev,
                signature,
                ...(co && { co_signature: { by: co.by, signature: co.signature } }),
              }),
            ),
          ),
        );
        expect(writeBatchFile(back.header, back.readings)).toEqual(file);
      }),
    );
  });

  it("without co-signatures has the same bytes as before co-signatures existed", () => {
    const reading = {
      device: "pump-1",
      seq: 7,
      time: 1_760_000_000_250,
      metric: "volume",
      value: "-12",
      exponent: -2,
      prev: `0x${"01".repeat(32)}`,
      signature: `0x${"02".repeat(64)}`,
    };
    const header = {
      format: "aqua-batch-1" as const,
      chain_id: 1,
      contract: `0x${"c0".repeat(20)}`,
      short_id: "tide",
      number: 1,
      previous_head: `0x${"00".repeat(32)}`,
      root: `0x${"03".repeat(32)}`,
      from: 1,
      to: 2,
      count: 1,
    };
    const co_signature = { by: "grid", signature: `0x${"04".repeat(64)}` };
    const line =
      `{"device":"pump-1","seq":7,"time":1760000000250,"metric":"volume","value":"-12","exponent":-2,` +
      `"prev":"0x${"01".repeat(32)}","signature":"0x${"02".repeat(64)}"`;
    const written = (one: SignedReading) => new TextDecoder().decode(writeBatchFile(header, [one])).split("\n")[1];
    expect(written(reading)).toBe(`${line}}`);
    expect(written({ ...reading, co_signature: undefined })).toBe(`${line}}`);
    const twice = `${line},"co_signature":{"by":"grid","signature":"0x${"04".repeat(64)}"}}`;
    expect(written({ ...reading, co_signature })).toBe(twice);
    const [first = ""] = new TextDecoder().decode(writeBatchFile(header, [reading])).split("\n");
    const turned = twice.replace(/"by":"grid",("signature":"0x\w+")}}$/, '$1,"by":"grid"}}');
    expect(turned).not.toBe(twice);
    expect(() => readBatchFile(new TextEncoder().encode(`${first}\n${turned}\n`))).toThrow("Line 2");
  });

  it("without a checkpoint of the log has the same bytes as before the log existed", () => {
    const header = {
      format: "aqua-batch-1" as const,
      chain_id: 1,
      contract: `0x${"c0".repeat(20)}`,
      short_id: "tide",
      number: 1,
      previous_head: `0x${"00".repeat(32)}`,
      root: `0x${"03".repeat(32)}`,
      from: 1,
      to: 2,
      count: 0,
    };
    const line =
      `{"format":"aqua-batch-1","chain_id":1,"contract":"0x${"c0".repeat(20)}","short_id":"tide","number":1,` +
      `"previous_head":"0x${"00".repeat(32)}","root":"0x${"03".repeat(32)}","from":1,"to":2,"count":0`;
    const written = (one: BatchHeader) => new TextDecoder().decode(writeBatchFile(one, []));
    expect(written(header)).toBe(`${line}}\n`);
    expect(written({ ...header, log: undefined })).toBe(`${line}}\n`);
    const log = { root: `${"A".repeat(43)}=`, origin: "aqua.example/log", size: 7 };
    const last = `"log":{"origin":"aqua.example/log","size":7,"root":"${"A".repeat(43)}="}`;
    expect(written({ ...header, log })).toBe(`${line},${last}}\n`);
  });

  it("altered in one byte has another hash, and is refused or has other content", () => {
    fc.assert(
      fc.property(batch, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ header, readings }, pick, change) => {
        const file = writeBatchFile(header, readings);
        const altered = file.map((byte, index) => (index === pick % file.length ? byte ^ change : byte));
        expect(dataHashOf(altered)).not.toBe(dataHashOf(file));
        try {
          const { header: other, readings: others } = readBatchFile(altered);
          expect(writeBatchFile(other, others)).toEqual(altered);
        } catch (error) {
          expect(error).toBeInstanceOf(BatchFileError);
        }
      }),
    );
  });

  it.each([
    ["no end of the last line", (text: string) => text.slice(0, -1), 3],
    ["a space in a reading", (text: string) => text.replace('"seq":1', '"seq": 1'), 2],
    ["the same reading twice", (text: string) => text.replace('"seq":2', '"seq":1'), 3],
    ["readings in another order", (text: string) => text.replace('"seq":1,', '"seq":3,'), 3],
    ["keys in another order", (text: string) => text.replace('"seq":1,"time":5', '"time":5,"seq":1'), 2],
    ["a reading less", (text: string) => text.replace(/[^\n]*\n$/, ""), 1],
    ["an empty line", (text: string) => `${text}\n`, 4],
    ["a byte order mark", (text: string) => `\ufeff${text}`, 1],
    ["carriage returns", (text: string) => text.replaceAll("\n", "\r\n"), 1],
    ["nothing", () => "", 1],
  ])("with %s is refused with its line", (_name, change, line) => {
    const reading = {
      device: "a",
      time: 5,
      metric: "m",
      value: "1",
      exponent: 0,
      prev: `0x${"0".repeat(64)}`,
      signature: `0x${"1".repeat(128)}`,
    };
    const [header] = fc.sample(batchHeader, 1);
    const file = writeBatchFile({ ...(header as NonNullable<typeof header>), count: 2 }, [
      { ...reading, seq: 2 },
      { ...reading, seq: 1 },
    ]);
    const changed = new TextEncoder().encode(change(new TextDecoder("utf-8", { ignoreBOM: true }).decode(file)));
    expect(() => readBatchFile(changed)).toThrow(expect.objectContaining({ name: "BatchFileError", line }));
  });

  it("is not written when its count differs from its readings", () => {
    fc.assert(
      fc.property(batch, ({ header, readings }) => {
        expect(() => writeBatchFile({ ...header, count: readings.length + 1 }, readings)).toThrow(RangeError);
      }),
    );
  });

  it("that is not UTF-8 is refused", () => {
    expect(() => readBatchFile(Uint8Array.of(0xff, 0x0a))).toThrow(BatchFileError);
  });
});
