import { createPublicKey, verify } from "node:crypto";
import { p256 } from "@noble/curves/nist";
import { sha256 } from "@noble/hashes/sha2";
import { concatBytes } from "@noble/hashes/utils";
import { describe, expect, it } from "vitest";
import { isP256Signature } from "../../src/proofs/signatures.ts";
import { type Case, cases } from "./p256Cases.ts";

const point = ({ x, y }: Case) => concatBytes(Uint8Array.of(4), x, y);
const names = (some: readonly Case[]) => some.map(({ name }) => name);

function nodeSays({ x, y, message, signature }: Case): boolean {
  try {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
    const jwk = { kty: "EC", crv: "P-256", x: text(x), y: text(y) };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify("sha256", message, { key, dsaEncoding: "ieee-p1363" }, signature);
  } catch {
    return false;
  }
}

function nobleSays(one: Case, lowS: boolean): boolean {
  try {
    return p256.verify(one.signature, sha256(one.message), point(one), { lowS, format: "compact" });
  } catch {
    return false;
  }
}

describe("P-256 at its edges", () => {
  it("is decided correctly in every case", async () => {
    const wrong: Case[] = [];
    for (const one of cases) {
      if (
        (await isP256Signature({ x: one.x, y: one.y, encoding: one.message, signature: one.signature })) !== one.valid
      )
        wrong.push(one);
    }
    expect(names(wrong)).toEqual([]);
  });

  it("is decided equally by Node's crypto and by noble, which validates the cases", () => {
    expect(names(cases.filter((one) => nodeSays(one) !== (one.curve ?? one.valid)))).toEqual([]);
    expect(names(cases.filter((one) => nobleSays(one, false) !== (one.curve ?? one.valid)))).toEqual([]);
    expect(names(cases.filter((one) => nobleSays(one, true) !== one.valid))).toEqual([]);
  });

  it("has valid and invalid cases, each once", () => {
    expect(new Set(names(cases)).size).toBe(cases.length);
    expect(cases.filter(({ valid }) => valid).length).toBeGreaterThan(150);
    expect(cases.filter(({ valid }) => !valid).length).toBeGreaterThan(150);
  });
});
