import fc from "fast-check";
import { encodeFunctionData, toFunctionSelector } from "viem";
import { describe, expect, it, vi } from "vitest";
import { telemetryAnchorAbi } from "../../src/abi/TelemetryAnchor.ts";
import type { ReadingProof } from "../../src/api/telemetry.ts";
import { batchDigest, nextHead } from "../../src/proofs/batch.ts";
import { type ChainReader, isAnchored, keyAt, selectors } from "../../src/proofs/chain.ts";
import { encodeReading, fromHex, leafOf, nameHex, noReading, readingOf, toHex } from "../../src/proofs/reading.ts";
import { verdictOf } from "../../src/proofs/steps.ts";
import { buildTree } from "../../src/proofs/tree.ts";
import { proofSteps, verifyProof } from "../../src/proofs/verify.ts";
import { hex, shortId } from "./support.ts";
import { chainOf, contract, hardware, hashOf, proofOf, start, world } from "./world.ts";

const { makers, one, two, keys, batches } = world();
const chain = chainOf({ keys, batches });
/** The second reading of pump-1, a P-256 device, and of pump-2, a simulator; the batch after theirs has been anchored too. */
const good = proofOf(one, 6, makers[1].key, [two]);
const simulated = proofOf(one, 11, makers[2].key, [two]);

/** The steps that did not pass, and why: "signature: fail signature". */
async function troubles(proof: unknown, reader: ChainReader | null = chain): Promise<string[]> {
  const steps = await verifyProof(proof, reader);
  expect(steps.map(({ step }) => step)).toEqual(proofSteps);
  return steps.filter(({ state }) => state !== "pass").map(({ step, state, reason }) => `${step}: ${state} ${reason}`);
}
const withReading = (change: Partial<ReadingProof["reading"]>) => ({
  ...good,
  reading: { ...good.reading, ...change },
});
const withBatch = (change: Partial<ReadingProof["batch"]>) => ({ ...good, batch: { ...good.batch, ...change } });

describe("a proof", () => {
  it("of a P-256 device and of a simulator passes every step", async () => {
    expect(await troubles(good)).toEqual([]);
    expect(await troubles(simulated)).toEqual([]);
    expect(verdictOf(await verifyProof(good, chain))).toBe("pass");
  });

  it("of the stream's last batch needs no later batches", async () => {
    expect(await troubles(proofOf(two, 0, makers[0].key))).toEqual([]);
  });

  it("returns the computed leaf, root and head", async () => {
    const found = (await verifyProof(good, chain)).flatMap(({ found }) => found ?? []);
    expect(found).toEqual([good.leaf, one.header.root, one.head]);
  });

  it("of a tampered reading fails at the signature, and computes another leaf", async () => {
    const expected = ["signature: fail signature", "leaf: fail leaf"];
    expect(await troubles(withReading({ value: "9999999" }))).toEqual(expected);
    expect(await troubles({ ...simulated, reading: { ...simulated.reading, value: "1" } })).toEqual(expected);
  });

  it("with a signature by another key fails at the signature only", async () => {
    expect(await troubles(withReading({ signature: one.readings[0]?.signature as string }))).toEqual([
      "signature: fail signature",
    ]);
  });

  it("with a swapped leaf fails at the leaf, although the path from that leaf leads to the root", async () => {
    const other = proofOf(one, 7, makers[1].key, [two]);
    expect(await troubles({ ...good, leaf: other.leaf, proof: other.proof })).toEqual(["leaf: fail leaf"]);
    expect(await troubles({ ...good, proof: other.proof })).toEqual(["path: fail path"]);
  });

  it("with a foreign root fails at the path, and computes another head", async () => {
    expect(await troubles(withBatch({ root: `0x${"ab".repeat(32)}` }))).toEqual([
      ...["path: fail path", "batch: fail head", "anchored: fail not_anchored"],
    ]);
  });

  it("of a forged but consistent tree fails at the chain", async () => {
    const leaf = leafOf(hashOf(good.reading));
    const { root, proofOf: pathOf } = buildTree([leaf, fromHex(one.header.root)]);
    const figures = { ...one.figures, root: toHex(root), count: 2 };
    const head = nextHead(one.header.previous_head, batchDigest(figures));
    const forged = { ...withBatch({ root: figures.root, count: 2, head }), proof: pathOf(0).map(toHex) };
    expect(await troubles(forged)).toEqual(["anchored: fail not_anchored"]);
  });

  it("of a reading signed after its key was revoked fails at the key", async () => {
    const second = Math.floor(good.reading.time / 1_000);
    const revokedFrom = (from: number) =>
      chainOf({
        batches,
        keys: {
          ...keys,
          "pump-1": [
            { from: good.key.valid_from, key: good.key },
            { from, key: null },
          ],
        },
      });
    expect(await troubles(good, revokedFrom(second))).toEqual(["key: fail no_key"]);
    expect(await troubles(good, revokedFrom(second + 1))).toEqual([]);
  });

  it("fails by the key's own times, whatever the chain returns", async () => {
    const second = Math.floor(good.reading.time / 1_000);
    for (const times of [{ valid_until: second - 1 }, { valid_from: second + 1 }]) {
      expect(await troubles({ ...good, key: { ...good.key, ...times } })).toEqual(["key: fail no_key"]);
    }
  });

  it("with a forger's own key fails at the key", async () => {
    const forger = hardware("forger");
    const signature = toHex(forger.sign(encodeReading(readingOf(good.reading))));
    expect(await troubles({ ...withReading({ signature }), key: forger.key })).toEqual(["key: fail other_key"]);
  });

  it("of a key that was replaced later passes for the time before", async () => {
    const changed = { from: start + 10_000, key: hardware("successor").key };
    const rotated = chainOf({ batches, keys: { ...keys, "pump-1": [...(keys["pump-1"] ?? []), changed] } });
    expect(await troubles(good, rotated)).toEqual([]);
    expect(await troubles({ ...good, key: { ...good.key, valid_until: changed.from - 1 } }, rotated)).toEqual([]);
  });

  it("of a device unknown to the chain fails at the key", async () => {
    expect(await troubles(good, chainOf({ keys: {}, batches }))).toEqual(["key: fail no_key"]);
  });

  it("of a batch that is not anchored fails at the chain", async () => {
    expect(await troubles(good, chainOf({ keys, batches: [] }))).toEqual(["anchored: fail not_anchored"]);
    expect(await troubles(good, chainOf({ keys, batches: [one] }))).toEqual(["anchored: fail not_anchored"]);
  });

  it("from before the last batch is unknown, unless the contract stores the head it leads to", async () => {
    const old = withBatch({ later: [] });
    expect(await troubles(old)).toEqual(["anchored: unknown stale"]);
    expect(await troubles(old, chainOf({ keys, batches, kept: [1] }))).toEqual([]);
    const forged = withBatch({ later: [], data_hash: noReading });
    expect(await troubles(forged, chainOf({ keys, batches, kept: [1] }))).toEqual([
      ...["batch: fail head", "anchored: fail not_anchored"],
    ]);
  });

  it("of another product's stream fails at the batch", async () => {
    expect(await troubles(withBatch({ short_id: "other" }))).toEqual(["batch: fail stream"]);
    expect(await troubles(withBatch({ stream: nameHex("other") }))).toEqual([
      ...["batch: fail stream", "anchored: fail not_anchored"],
    ]);
  });

  it("with another head than that of its figures fails at the batch", async () => {
    expect(await troubles(withBatch({ head: noReading }))).toEqual(["batch: fail head"]);
  });

  it("of another contract or chain than the trusted one fails at the chain", async () => {
    const expected = ["anchored: fail foreign_contract"];
    expect(await troubles(good, { ...chain, contract: contract.toLowerCase(), chainId: 31_337 })).toEqual([]);
    expect(await troubles(withBatch({ contract: `0x${"33".repeat(20)}` }), { ...chain, contract })).toEqual(expected);
    expect(await troubles(good, { ...chain, chainId: 1 })).toEqual(expected);
  });

  it("of a reading later than its batch, or a batch later than its anchor, fails at the time", async () => {
    const early = { from: one.header.from - 1_000, to: Math.floor(good.reading.time / 1_000) - 121 };
    expect(await troubles(withBatch(early))).toContain("time: fail reading_after_batch");
    expect(await troubles(withBatch({ ...early, to: early.to + 1 }))).not.toContain("time: fail reading_after_batch");
    expect(await troubles(withBatch({ block_time: good.batch.block_time - 1 }))).toEqual([
      "time: fail anchored_before_end",
    ]);
  });

  it("without a chain reports the steps that need the chain as unknown", async () => {
    expect(await troubles(good, null)).toEqual(["key: unknown no_chain", "anchored: unknown no_chain"]);
    expect(verdictOf(await verifyProof(good, null))).toBe("unknown");
  });

  it.each([
    ["chain_away", () => Promise.reject(new Error("no network"))],
    ["no_contract", async () => "0x"],
    ["no_contract", async () => `0x${"00".repeat(31)}`],
    ["no_contract", async () => "not hex"],
  ])("is unknown when the chain's response is invalid: %s", async (reason, call) => {
    expect(await troubles(good, { call })).toEqual([`key: unknown ${reason}`, `anchored: unknown ${reason}`]);
  });

  it("of a P-256 device is unknown in a browser without WebCrypto, of a simulator it passes", async () => {
    vi.stubGlobal("crypto", {});
    try {
      expect(await troubles(good)).toEqual(["signature: unknown no_webcrypto"]);
      expect(await troubles(simulated)).toEqual([]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each<[string, unknown]>([
    ["shape", null],
    ["shape", {}],
    ["shape", { ...good, format: "aqua-reading-proof-2" }],
    ["shape", withReading({ seq: 0 })],
    ["shape", { ...good, proof: ["0x00"] }],
    ["range", withReading({ value: "9223372036854775808" })],
    ["range", withBatch({ count: 2 ** 32 })],
    ["range", withBatch({ from: -1 })],
    ["range", withBatch({ short_id: "a".repeat(32) })],
  ])("of a wrong form (%s) fails at the form, and all other steps are unknown", async (reason, proof) => {
    const [form, ...others] = await troubles(proof);
    expect(form).toBe(`form: fail ${reason}`);
    expect(others).toEqual(proofSteps.slice(1).map((step) => `${step}: unknown form`));
  });

  it("never passes with a relevant figure changed", async () => {
    const change: fc.Arbitrary<ReadingProof> = fc.oneof(
      ...(["device", "metric"] as const).map((name) => shortId.map((value) => withReading({ [name]: value }))),
      fc.maxSafeNat().map((seq) => withReading({ seq: seq + 1 })),
      fc.maxSafeNat().map((time) => withReading({ time })),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => withReading({ value: String(value) })),
      fc.integer({ min: -18, max: 18 }).map((exponent) => withReading({ exponent })),
      hex(32).map((prev) => withReading({ prev })),
      fc.oneof(hex(64), hex(65)).map((signature) => withReading({ signature })),
      ...(["x", "y"] as const).map((name) =>
        hex(32).map((value) => ({ ...good, key: { ...good.key, [name]: value } })),
      ),
      fc.nat(start).map((valid_from) => ({ ...good, key: { ...good.key, valid_from } })),
      hex(32).map((leaf) => ({ ...good, leaf })),
      fc.array(hex(32), { maxLength: 5 }).map((proof) => ({ ...good, proof })),
      ...(["stream", "previous_head", "root", "data_hash", "head"] as const).map((name) =>
        hex(32).map((value) => withBatch({ [name]: value })),
      ),
      ...(["number", "from", "to", "count"] as const).map((name) =>
        fc.nat().map((value) => withBatch({ [name]: value })),
      ),
      fc.array(hex(32), { maxLength: 3 }).map((later) => withBatch({ later })),
    );
    await fc.assert(
      fc.asyncProperty(change, async (proof) => {
        fc.pre(JSON.stringify(proof) !== JSON.stringify(good));
        expect(verdictOf(await verifyProof(proof, chain))).not.toBe("pass");
      }),
      { numRuns: 500 },
    );
  });
});

describe("the verifier's contract calls", () => {
  it("have the contract's selectors", () => {
    for (const name of Object.keys(selectors) as (keyof typeof selectors)[]) {
      const item = telemetryAnchorAbi.find((entry) => entry.type === "function" && entry.name === name);
      expect(selectors[name]).toBe(toFunctionSelector(item as never));
    }
  });

  it("are encoded for head and stream as viem encodes them", async () => {
    const asked: string[] = [];
    const abi = telemetryAnchorAbi;
    const listener: ChainReader = {
      async call(_, data) {
        asked.push(data);
        return data.startsWith(selectors.streamOf) ? `0x${"0".repeat(256)}` : noReading;
      },
    };
    const { stream, ...figures } = { ...one.figures, previousHead: noReading, later: [noReading] };
    expect(await isAnchored(listener, contract, { stream, ...figures })).toEqual({ answer: false });
    expect(asked.slice(1)).toEqual([
      encodeFunctionData({ abi, functionName: "headAt", args: [nameHex("sahel-solar"), 2n] }),
      encodeFunctionData({ abi, functionName: "streamOf", args: [nameHex("sahel-solar")] }),
    ]);
  });

  it("are encoded for keys and batches as viem encodes them", async () => {
    const asked: string[] = [];
    const listener: ChainReader = { call: async (_, data) => `0x${"0".repeat(asked.push(data))}` };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          stream: hex(32),
          number: fc.maxSafeNat(),
          previousHead: hex(32),
          root: hex(32),
          from: fc.maxSafeNat(),
        }),
        fc.record({
          to: fc.maxSafeNat(),
          count: fc.nat(),
          dataHash: hex(32),
          later: fc.array(hex(32), { maxLength: 4 }),
        }),
        shortId,
        async (some, more, device) => {
          const { stream, ...figures } = { ...some, ...more };
          const { number, from, to } = figures;
          const batch = { ...figures, number: BigInt(number), from: BigInt(from), to: BigInt(to) };
          asked.length = 0;
          await isAnchored(listener, contract, { stream, ...figures });
          await keyAt({ chain: listener, contract, device, second: from });
          const abi = telemetryAnchorAbi;
          expect(asked).toEqual([
            encodeFunctionData({ abi, functionName: "isAnchored", args: [stream, batch] }),
            encodeFunctionData({ abi, functionName: "keyAt", args: [nameHex(device), BigInt(from)] }),
          ]);
        },
      ),
    );
  });
});
