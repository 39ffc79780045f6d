import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incomeProof } from "../../src/api/incomeProof.ts";
import * as schemas from "../../src/api/telemetry.ts";
import { isBatchHeader, isReadingProof, isSignedReading } from "../../src/proofs/form.ts";
import { isIncomeProof } from "../../src/proofs/incomeForm.ts";
import * as good from "./support.ts";

describe.each([
  ["a signed reading", schemas.signedReading, isSignedReading, good.signedReading],
  ["the header of a batch", schemas.batchHeader, isBatchHeader, good.batchHeader],
  ["a proof", schemas.readingProof, isReadingProof, good.readingProof],
  ["the proof of an income", incomeProof, isIncomeProof, good.incomeProof],
] as const)("%s", (_name, schema, is, right) => {
  it("is accepted by the schema and by the verifier's own check", () => {
    fc.assert(
      fc.property(right as fc.Arbitrary<object>, (value) => {
        expect(schema.safeParse(value).success).toBe(true);
        expect(is(value)).toBe(true);
      }),
    );
  });

  it("with one error is rejected by both or by neither", () => {
    let refused = 0;
    fc.assert(
      fc.property(good.corrupted(right as fc.Arbitrary<object>), (value) => {
        const taken = schema.safeParse(value).success;
        if (!taken) refused++;
        expect(is(value)).toBe(taken);
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it("is refused when it is no object", () => {
    for (const value of [null, undefined, 1, "x", [], [{}], new Date(), () => null]) {
      expect([schema.safeParse(value).success, is(value)]).toEqual([false, false]);
    }
  });
});
