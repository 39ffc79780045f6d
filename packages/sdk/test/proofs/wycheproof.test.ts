import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/proofs/reading.ts";
import { isP256Signature } from "../../src/proofs/signatures.ts";
import { lowered, type WycheproofCase, wycheproofCases } from "./wycheproof.ts";

const holds = ({ x, y, message }: WycheproofCase, signature: string) =>
  isP256Signature({ x: fromHex(x), y: fromHex(y), encoding: fromHex(message), signature: fromHex(signature) });

describe("P-256 by Project Wycheproof", () => {
  it("includes all its cases, valid and invalid ones", () => {
    expect(wycheproofCases.length).toBe(219);
    expect(wycheproofCases.filter(({ onCurve }) => onCurve).length).toBe(146);
  });

  it.each(wycheproofCases)("$name", async (one) => {
    expect(await holds(one, one.signature)).toBe(one.onCurve && one.lowS);
    // A signature that is valid on the curve but has a high s is valid with the low s.
    if (one.onCurve && !one.lowS) expect(await holds(one, lowered(one))).toBe(true);
  });
});
