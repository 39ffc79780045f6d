import { fromHex, type HexText } from "@aqua/sdk/proofs/reading";
import { expect, it } from "vitest";
import { lowered, type WycheproofCase, wycheproofCases } from "../../../../packages/sdk/test/proofs/wycheproof.ts";
import { isSignedBy } from "../../src/telemetry/signature.ts";

const holds = ({ x, y, message }: WycheproofCase, signature: string) =>
  isSignedBy(
    { kind: "p256", x, y },
    { encoding: fromHex(message), hash: `0x${"00".repeat(32)}`, signature: signature as HexText },
  );

it.each(wycheproofCases)(
  "a device's signature is accepted or rejected as in Project Wycheproof: $name",
  async (one) => {
    expect(await holds(one, one.signature)).toBe(one.onCurve && one.lowS);
    if (one.onCurve && !one.lowS) expect(await holds(one, lowered(one))).toBe(true);
  },
);
