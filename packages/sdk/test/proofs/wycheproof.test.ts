import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/proofs/reading.ts";
import { isP256Signature } from "../../src/proofs/signatures.ts";
import { lowered, type WycheproofCase, wycheproofCases } from "./wycheproof.ts";

const holds = ({ x, y, message }: WycheproofCase, signature: string) =>
  isP256Signature({ x: fromHex(x), y: fromHex(y), encoding: fromHex(message), signature: fromHex(signature) });

describe("P-256 by Project Wycheproof", () => {
  it("has all its cases, those that hold and those that do not", () => {
    expect(wycheproofCases.length).toBe(219);
    expect(wycheproofCases.filter(({ onCurve }) => onCurve).length).toBe(146);
  });

  it.each(wycheproofCases)("$name", async (one) => {
    expect(await holds(one, one.signature)).toBe(one.onCurve && one.lowS);
    // What the curve takes and a reading must not have holds in its one allowed form.
    if (one.onCurve && !one.lowS) expect(await holds(one, lowered(one))).toBe(true);
  });
});
