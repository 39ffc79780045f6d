import { describe, expect, it, vi } from "vitest";
import type { BatchHeader, SignedReading } from "../../src/api/telemetry.ts";
import { batchDigest, writeBatchFile } from "../../src/proofs/batch.ts";
import type { ChainReader } from "../../src/proofs/chain.ts";
import { type HexText, noReading, readingOf, toHex } from "../../src/proofs/reading.ts";
import type { Step } from "../../src/proofs/steps.ts";
import {
  type FileStep,
  fileSteps,
  type LastReading,
  type PublishedBatch,
  verifyAnchoring,
  verifyBatchFile,
  verifyFollowing,
} from "../../src/proofs/verifyFile.ts";
import { batchOf, chainOf, coSigned, hardware, hashOf, readingsOf, signReading, start, world } from "./world.ts";

const { makers, one, two, keys, batches } = world();
const chain = chainOf({ keys, batches });
const later = [batchDigest(two.figures)];

const told = (steps: readonly (Omit<Step<string>, "reason"> & { reason?: string })[]) =>
  steps
    .filter(({ state }) => state !== "pass")
    .map(
      ({ step, state, reason, line }) => `${step}: ${state} ${reason}${line === undefined ? "" : ` in line ${line}`}`,
    );
const chainOfSteps = (steps: readonly FileStep[]) => steps.find(({ step }) => step === "chain");

async function troubles(file: Uint8Array, published: PublishedBatch = { later }, reader: ChainReader | null = chain) {
  const steps = await verifyBatchFile(file, { chain: reader, published });
  expect(steps.map(({ step }) => step)).toEqual(fileSteps);
  return told(steps);
}

/** The first batch's file with a change to one reading, by its line, or to the header. */
function changed(line: number, change: Partial<SignedReading>, header: Partial<BatchHeader> = {}): Uint8Array {
  const readings = one.readings.map((reading, index) => (index === line - 2 ? { ...reading, ...change } : reading));
  return writeBatchFile({ ...one.header, ...header }, readings);
}
const notIt = "anchored: fail not_anchored";

describe("a batch file", () => {
  it("passes every step, both as the stream's last and with later batches", async () => {
    expect(await troubles(one.file)).toEqual([]);
    expect(await troubles(two.file, {})).toEqual([]);
  });

  it("is compared with the published figures of the batch", async () => {
    const { number, previous_head, root, from, to, count } = one.header;
    const published = {
      number,
      previous_head,
      root,
      from,
      to,
      count,
      data_hash: one.figures.dataHash,
      head: one.head,
      later,
    };
    expect(await troubles(one.file, published)).toEqual([]);
    // The server's response has further fields.
    expect(await troubles(one.file, { ...published, block: 7, contract: "0x" } as PublishedBatch)).toEqual([]);
    for (const name of ["previous_head", "root", "data_hash", "head"] as const) {
      expect(await troubles(one.file, { ...published, [name]: noReading.replace("00", "01") })).toEqual([
        "batch: fail published",
      ]);
    }
    expect(await troubles(one.file, { ...published, count: count + 1 })).toEqual(["batch: fail published"]);
  });

  it("with a changed reading names the line: its signature, the next reading's link, the root, the chain", async () => {
    expect(await troubles(changed(8, { value: "1" }))).toEqual([
      ...["signature: fail signature in line 8", "chain: fail prev in line 9", "tree: fail root", notIt],
    ]);
  });

  it("without one of its readings fails at the link, the root and the hash", async () => {
    const less = one.readings.toSpliced(2, 1);
    expect(await troubles(writeBatchFile({ ...one.header, count: less.length }, less))).toEqual([
      ...["chain: fail prev in line 4", "tree: fail root", notIt],
    ]);
  });

  it("with a signature by another key fails at that line", async () => {
    const signature = one.readings[3]?.signature as string;
    expect(await troubles(changed(3, { signature }))).toEqual(["signature: fail signature in line 3", notIt]);
  });

  it("with readings of a device that had no key at that time fails at the first of them", async () => {
    const third = Math.floor((one.readings[7]?.time as number) / 1_000);
    const revoked = { ...keys, "pump-1": [...(keys["pump-1"] ?? []), { from: third, key: null }] };
    const steps = await verifyBatchFile(one.file, { chain: chainOf({ keys: revoked, batches }), published: { later } });
    expect(told(steps)).toEqual(["key: fail no_key in line 9", "signature: unknown no_key"]);
  });

  it("requests each key once for as long as it is valid, and follows a change of keys", async () => {
    const before = hardware("before");
    const fourth = Math.floor((one.readings[8]?.time as number) / 1_000);
    const own = one.readings.slice(5, 10);
    const resigned = own.map((reading) => {
      const maker = reading.seq < 4 ? before : makers[1];
      return signReading(maker, readingOf(reading));
    });
    const batch = batchOf(resigned, null, start, start + 400);
    const rotated = chainOf({
      batches: [batch],
      keys: {
        "pump-1": [
          { from: start, key: before.key },
          { from: fourth, key: makers[1].key },
        ],
      },
    });
    const call = vi.fn(rotated.call);
    expect(await troubles(batch.file, {}, { call })).toEqual([]);
    expect(call).toHaveBeenCalledTimes(3);
  });

  it("with times that do not increase fails at the line", async () => {
    const maker = makers[1];
    const [first] = readingsOf([maker], 1, 1) as [SignedReading];
    const [, second] = readingsOf([maker], 1, 2) as [SignedReading, SignedReading];
    const again = signReading(maker, { ...readingOf(second), time: first.time });
    const batch = batchOf([first, again], null, start, start + 400);
    expect(await troubles(batch.file, {}, chainOf({ keys, batches: [batch] }))).toEqual([
      "chain: fail time_order in line 3",
    ]);
  });

  it("reports how many numbers its devices passed over", async () => {
    const [maker] = makers;
    const [first, second] = readingsOf([maker], 1, 2) as [SignedReading, SignedReading];
    const far = signReading(maker, {
      ...{ ...readingOf(second), seq: 500, time: second.time + 60_000 },
      prev: toHex(hashOf(second)),
    });
    const batch = batchOf([first, second, far], null, start, start + 400);
    const steps = await verifyBatchFile(batch.file, { chain: chainOf({ keys, batches: [batch] }) });
    expect(chainOfSteps(steps)).toEqual({ step: "chain", state: "pass", skipped: 497 });
    expect(chainOfSteps(await verifyBatchFile(one.file, { chain }))).toEqual({ step: "chain", state: "pass" });
  });

  it("of the stream's first batch begins with the first reading of each device", async () => {
    const batch = batchOf(readingsOf([makers[1]], 7, 9), null, start, start + 900);
    expect(await troubles(batch.file, {}, chainOf({ keys, batches: [batch] }))).toEqual(["chain: fail prev in line 2"]);
  });

  it("with a reading later than the batch fails at the time", async () => {
    const batch = batchOf(one.readings, null, start, start + 60 * 5 - 121);
    expect(await troubles(batch.file, {}, chainOf({ keys, batches: [batch] }))).toEqual([
      "time: fail reading_after_batch in line 6",
    ]);
  });

  it("of another root, product or contract than anchored fails at the step that differs", async () => {
    expect(await troubles(changed(0, {}, { root: noReading }))).toEqual(["tree: fail root", notIt]);
    expect(await troubles(changed(0, {}, { short_id: "other" }))).toEqual([notIt]);
    const contract = `0x${"33".repeat(20)}` as const;
    const steps = await verifyBatchFile(changed(0, {}, { contract }), {
      chain: {
        ...chain,
        contract: one.header.contract as HexText,
      },
    });
    expect(told(steps)).toEqual(["anchored: fail foreign_contract"]);
    expect(await troubles(changed(0, {}, { from: start + 1_000 }))).toEqual(["batch: fail range", notIt]);
  });

  it("reports its progress, and awaits the callback before it continues", async () => {
    const [maker] = makers;
    const lab = hardware("lab");
    const many = readingsOf([maker], 1, 130).map((reading) => coSigned(lab, reading));
    const batch = batchOf(many, null, start, start + 60 * 200);
    const both = chainOf({ keys: { ...keys, lab: [{ from: start, key: lab.key }] }, batches: [batch] });
    const told: number[] = [];
    let waited = 0;
    const steps = await verifyBatchFile(batch.file, {
      chain: both,
      published: {},
      onChecked: async ({ checked, of }) => {
        expect([of, waited]).toEqual([260, told.length]);
        told.push(checked);
        await new Promise((resolve) => setTimeout(resolve));
        waited++;
      },
    });
    expect(steps.filter(({ state }) => state !== "pass")).toEqual([]);
    expect(told).toEqual([0, 64, 128, 130, 194, 258]);
    const ended = verifyBatchFile(batch.file, {
      chain: both,
      published: {},
      onChecked: () => Promise.reject(new Error("closed")),
    });
    await expect(ended).rejects.toThrow("closed");
  });

  it("is checked again on chain alone, without its readings' signatures", async () => {
    const signed = vi.fn();
    const stale = await verifyBatchFile(one.file, { chain, published: {}, onChecked: signed });
    expect(told(stale)).toEqual(["anchored: unknown stale"]);
    expect(signed).toHaveBeenCalled();
    const call = vi.fn(chain.call);
    const anew = await verifyAnchoring(one.file, { call }, { later });
    expect(anew.map(({ step, state }) => [step, state])).toEqual([
      ["batch", "pass"],
      ["anchored", "pass"],
    ]);
    expect(call).toHaveBeenCalledTimes(1);
    expect(told(await verifyAnchoring(one.file, chain, { later, root: noReading }))).toEqual(["batch: fail published"]);
    expect(await verifyAnchoring(one.file.subarray(1), chain, { later })).toEqual([]);
  });

  it("without a chain reports keys, signatures and the anchor as unknown", async () => {
    expect(await troubles(one.file, {}, null)).toEqual([
      ...["key: unknown no_chain", "signature: unknown no_chain", "anchored: unknown no_chain"],
    ]);
  });

  it("of a wrong form names the line, and nothing else", async () => {
    const [form, ...others] = await troubles(one.file.subarray(0, -1));
    expect(form).toBe("form: fail shape in line 16");
    expect(new Set(others.map((text) => text.replace(/^\w+/, "")))).toEqual(new Set([": unknown form"]));
    expect((await troubles(changed(5, { value: "9223372036854775808" })))[0]).toBe("form: fail range in line 5");
    expect((await troubles(changed(0, {}, { short_id: "a".repeat(32) })))[0]).toBe("form: fail range in line 1");
  });
});

describe("two batch files", () => {
  it("are consecutive when number, head, time and every device's readings are", () => {
    expect(told(verifyFollowing(one.file, two.file))).toEqual([]);
  });

  it("are not consecutive when they are equal, reversed or of two products", () => {
    expect(told(verifyFollowing(one.file, one.file))).toEqual(["batch: fail number", "chain: fail prev in line 2"]);
    expect(told(verifyFollowing(two.file, one.file))[0]).toBe("batch: fail number");
    const other = writeBatchFile({ ...two.header, short_id: "other" }, two.readings);
    expect(told(verifyFollowing(one.file, other))).toEqual(["batch: fail stream"]);
  });

  it("are not consecutive when the first is not the anchored one", () => {
    const file = changed(2, { signature: one.readings[1]?.signature as string });
    expect(told(verifyFollowing(file, two.file))).toEqual(["batch: fail head"]);
  });

  it("are not consecutive when a reading between them is missing", () => {
    const less = two.readings.filter(({ device, seq }) => device !== "pump-2" || seq !== 6);
    const gap = batchOf(less, one, start + 401, start + 900);
    expect(told(verifyFollowing(one.file, gap.file))).toEqual(["chain: fail prev in line 10"]);
  });

  const [dam, pump] = makers;
  const first = batchOf(readingsOf([dam, pump], 1, 5), null, start, start + 400);
  const without = batchOf(readingsOf([dam], 6, 9), first, start + 401, start + 900);

  it("leave open whether readings of a device that is not in the first of them are missing", () => {
    const third = batchOf(readingsOf([dam, pump], 10, 12), without, start + 901, start + 1_300);
    const steps = verifyFollowing(without.file, third.file);
    expect(told(steps)).toEqual(["chain: unknown unseen in line 5"]);
    expect(steps.at(-1)).toMatchObject({ device: "pump-1" });
  });

  it("let a device begin in the second of them", () => {
    const second = batchOf(
      [...readingsOf([dam], 6, 9), ...readingsOf([pump], 1, 5)],
      batchOf(readingsOf([dam], 1, 5), null, start, start + 400),
      start + 401,
      start + 900,
    );
    const before = batchOf(readingsOf([dam], 1, 5), null, start, start + 400);
    expect(told(verifyFollowing(before.file, second.file))).toEqual([]);
  });

  it("report the numbers that were passed over between them", () => {
    const last = first.readings.at(-1) as SignedReading;
    const far = signReading(pump, {
      ...{ ...readingOf(last), seq: 8, time: last.time + 60_000 },
      prev: toHex(hashOf(last)),
    });
    const second = batchOf([far], first, start + 401, start + 900);
    expect(verifyFollowing(first.file, second.file).at(-1)).toEqual({ step: "chain", state: "pass", skipped: 2 });
  });

  it.each([
    ["readings 6 to 9 of a device were never anchored", 10, 12],
    ["its readings 3 to 5 are anchored again", 3, 5],
  ])("of a run carry each device's last reading across a batch without it: %s", (_, from, to) => {
    const readings = [...readingsOf([dam], 10, 12), ...readingsOf([pump], from, to)];
    const third = batchOf(readings, without, start + 901, start + 1_300);
    const seen = new Map<string, LastReading>();
    expect(told(verifyFollowing(first.file, without.file, seen))).toEqual([]);
    expect(told(verifyFollowing(without.file, third.file, seen))).toEqual(["chain: fail prev in line 5"]);
    const right = batchOf(
      [...readingsOf([dam], 10, 12), ...readingsOf([pump], 6, 8)],
      without,
      start + 901,
      start + 1_300,
    );
    const again = new Map<string, LastReading>();
    verifyFollowing(first.file, without.file, again);
    expect(told(verifyFollowing(without.file, right.file, again))).toEqual([]);
  });

  it("fail at the form when one of them is no batch file", () => {
    expect(told(verifyFollowing(one.file, new Uint8Array()))[0]).toBe("form: fail shape in line 1");
    expect(told(verifyFollowing(new Uint8Array(), two.file))[0]).toBe("form: fail form");
  });
});
