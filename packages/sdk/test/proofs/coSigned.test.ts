import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ReadingProof, SignedReading } from "../../src/api/telemetry.ts";
import { writeBatchFile } from "../../src/proofs/batch.ts";
import type { ChainReader } from "../../src/proofs/chain.ts";
import { type Step, verdictOf } from "../../src/proofs/steps.ts";
import { proofSteps, verifyProof } from "../../src/proofs/verify.ts";
import { fileSteps, verifyBatchFile } from "../../src/proofs/verifyFile.ts";
import { hex } from "./support.ts";
import { batchOf, chainOf, coSigned, hardware, proofOf, readingsOf, simulator, start } from "./world.ts";

/** Two devices with a grid operator as co-signer, one with a laboratory, and one without. */
const [grid, lab] = [hardware("grid"), simulator("lab")];
const makers = [hardware("dam-level"), hardware("meter-1"), simulator("meter-2"), hardware("meter-3")] as const;
const coSigners = [null, grid, lab, grid];
const readings = makers.flatMap((maker, index) =>
  readingsOf([maker], 1, 4).map((reading) => {
    const coSigner = coSigners[index];
    return coSigner ? coSigned(coSigner, reading) : reading;
  }),
);
const one = batchOf(readings, null, start, start + 400);
const keys = Object.fromEntries([...makers, grid, lab].map(({ name, key }) => [name, [{ from: start - 1_000, key }]]));
for (const { key } of makers) key.valid_from = start - 1_000;
const world = { keys, batches: [one] };
const chain = chainOf(world);
/** The second readings of a device with a P-256 co-signer, and of one with a secp256k1 co-signer. */
const good = proofOf(one, 5, makers[1].key);
const byLab = proofOf(one, 9, makers[2].key);
const after = (names: readonly string[]) =>
  names.flatMap((name) => (name === "signature" ? [name, "co_signature"] : name));

const told = (steps: readonly Step<string>[]) =>
  steps
    .filter(({ state }) => state !== "pass")
    .map(({ step, state, reason, line }) => `${step}: ${state} ${reason}${line ? ` in line ${line}` : ""}`);
const troubles = async (proof: unknown, reader: ChainReader | null = chain) => told(await verifyProof(proof, reader));
const withReading = (change: Partial<SignedReading>): ReadingProof => ({
  ...good,
  reading: { ...good.reading, ...change },
});
const withCo = (change: Partial<NonNullable<SignedReading["co_signature"]>>) =>
  withReading({ co_signature: { by: "grid", signature: "0x", ...good.reading.co_signature, ...change } });
/** The world in which the grid operator has no key from that second on. */
const revokedFrom = (from: number) =>
  chainOf({ ...world, keys: { ...keys, grid: [...(keys.grid ?? []), { from, key: null }] } });
const second = Math.floor(good.reading.time / 1_000);

describe("the proof of a co-signed reading", () => {
  it("has a step for the co-signature, and passes it", async () => {
    for (const proof of [good, byLab]) {
      const steps = await verifyProof(proof, chain);
      expect(steps.map(({ step }) => step)).toEqual(after(proofSteps));
      expect(verdictOf(steps)).toBe("pass");
    }
  });

  it("of a device without a co-signer has no such step", async () => {
    const steps = await verifyProof(proofOf(one, 1, makers[0].key), chain);
    expect(steps.map(({ step }) => step)).toEqual(proofSteps);
    expect(verdictOf(steps)).toBe("pass");
  });

  it("fails at that step only with a tampered co-signature, another reading's, or another signer's", async () => {
    const foreign = coSigned(hardware("stranger"), good.reading).co_signature;
    const others = one.readings.flatMap(({ co_signature: co }) => (co && co !== good.reading.co_signature ? [co] : []));
    const device = { by: "grid", signature: good.reading.signature };
    const { signature } = good.reading.co_signature ?? { signature: "" };
    const tampered = signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0");
    for (const co of [{ by: "grid", signature: tampered }, device, { ...foreign, by: "grid" }, ...others]) {
      expect(await troubles(withCo(co))).toEqual(["co_signature: fail co_signature"]);
    }
  });

  it("fails at that step when the co-signer's key is missing or revoked on chain", async () => {
    const stranger = coSigned(hardware("stranger"), good.reading).co_signature;
    expect(await troubles(withCo({ ...stranger }))).toEqual(["co_signature: fail no_co_key"]);
    expect(await troubles(good, revokedFrom(second))).toEqual(["co_signature: fail no_co_key"]);
    expect(await troubles(good, revokedFrom(second + 1))).toEqual([]);
  });

  it("fails at that step when a device is its own co-signer", async () => {
    const { signature } = good.reading;
    expect(await troubles(withCo({ by: "meter-1", signature }))).toEqual(["co_signature: fail own_co_signer"]);
  });

  it("of a tampered reading fails at both signatures", async () => {
    expect(await troubles(withReading({ value: "9" }))).toEqual([
      ...["signature: fail signature", "co_signature: fail co_signature", "leaf: fail leaf"],
    ]);
  });

  it("is unknown without a chain, and without WebCrypto for P-256", async () => {
    expect(await troubles(good, null)).toContain("co_signature: unknown no_chain");
    vi.stubGlobal("crypto", undefined);
    expect(await troubles(good)).toContain("co_signature: unknown no_webcrypto");
    vi.unstubAllGlobals();
  });

  it("passes with no other co-signature", async () => {
    const change = fc.oneof(
      fc.oneof(hex(64), hex(65)).map((signature) => withCo({ signature })),
      fc.constantFrom("lab", "dam-level", "meter-1", "meter-3", "nobody").map((by) => withCo({ by })),
      fc.tuple(fc.nat(129), fc.constantFrom(..."0123456789abcdef")).map(([place, digit]) => {
        const { signature = "" } = good.reading.co_signature ?? {};
        return withCo({ signature: `${signature.slice(0, place)}${digit}${signature.slice(place + 1)}` });
      }),
    );
    await fc.assert(
      fc.asyncProperty(change, async (proof) => {
        fc.pre(JSON.stringify(proof) !== JSON.stringify(good));
        expect(verdictOf(await verifyProof(proof, chain))).not.toBe("pass");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a batch file with co-signed readings", () => {
  const later = { later: [] };
  const notIt = "anchored: fail not_anchored";
  const changed = (line: number, co_signature: SignedReading["co_signature"]) =>
    writeBatchFile(
      one.header,
      one.readings.map((reading, index) =>
        index === line - 2 ? ({ ...reading, co_signature } as SignedReading) : reading,
      ),
    );
  const fileTroubles = async (file: Uint8Array, reader: ChainReader | null = chain) =>
    told(await verifyBatchFile(file, { chain: reader, published: later }));

  it("has a step for the co-signatures, and passes it", async () => {
    const steps = await verifyBatchFile(one.file, { chain, published: later });
    expect(steps.map(({ step }) => step)).toEqual(after(fileSteps));
    expect(told(steps)).toEqual([]);
  });

  it("names the line whose co-signature is wrong or whose co-signer has no key", async () => {
    const other = one.readings[6]?.co_signature;
    expect(await fileTroubles(changed(7, other))).toEqual(["co_signature: fail co_signature in line 7", notIt]);
    expect(await fileTroubles(one.file, revokedFrom(second))).toEqual(["co_signature: fail no_co_key in line 7"]);
    const own = { by: "meter-1", signature: one.readings[5]?.signature ?? "" };
    expect(await fileTroubles(changed(7, own))).toEqual(["co_signature: fail own_co_signer in line 7", notIt]);
  });

  it("has another hash without one of them, although the root is the same", async () => {
    expect(await fileTroubles(changed(7, undefined))).toEqual([notIt]);
  });

  it("reports the co-signatures as unknown without a chain", async () => {
    expect(await fileTroubles(one.file, null)).toContain("co_signature: unknown no_chain");
  });
});
