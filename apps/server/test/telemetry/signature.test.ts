import { noReading } from "@aqua/sdk/proofs/reading";
import { expect, it } from "vitest";
import { type FormedReading, readForm } from "../../src/telemetry/form.ts";
import { isSignedBy } from "../../src/telemetry/signature.ts";
import { newDevice } from "./devices.ts";

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const s = (signature: string) => BigInt(`0x${signature.slice(66, 130)}`);
const withS = (signature: string, value: bigint, end = signature.slice(130)) =>
  `${signature.slice(0, 66)}${value.toString(16).padStart(64, "0")}${end}` as const;

const cases = [
  { kind: "p256", order: P256_ORDER },
  { kind: "secp256k1", order: K1_ORDER },
] as const;

it.each(cases)(
  "a signature of $kind is valid only for its reading and its key, and in one form",
  async ({ kind, order }) => {
    const one = newDevice({ name: "d", kind });
    const key = { ...one.key, kind } as const;
    const foreign = { ...newDevice({ name: "other", kind }).key, kind } as const;
    const formed = readForm(await one.next()) as FormedReading;
    const next = readForm(await one.next()) as FormedReading;
    const { signature } = formed;
    const signed = (change: string, by = key) => isSignedBy(by, { ...formed, signature: change as `0x${string}` });
    expect(await signed(signature)).toBe(true);
    expect(await signed(signature, foreign)).toBe(false);
    expect(await signed(next.signature)).toBe(false);
    const v = signature.slice(130);
    expect(await signed(withS(signature, order - s(signature), v && (v === "1b" ? "1c" : "1b")))).toBe(false);
    expect(await signed(withS(signature, 0n))).toBe(false);
    expect(await signed(`0x${"00".repeat(v ? 65 : 64)}`)).toBe(false);
    expect(await signed(`0x${"ff".repeat(v ? 65 : 64)}`)).toBe(false);
    expect(await signed(v ? signature.slice(0, 130) : `${signature}1b`)).toBe(false);
  },
);

it("coordinates that are not a point of the curve are no valid key", async () => {
  const formed = readForm(await newDevice({ name: "d" }).next()) as FormedReading;
  expect(await isSignedBy({ kind: "p256", x: noReading, y: noReading }, formed)).toBe(false);
});
