import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fromBase64,
  openCheckpoint,
  openNote,
  parseVerifierKey,
  publicKeyOf,
  signCheckpoint,
  signNote,
  toBase64,
  verifierKey,
} from "../../../src/proofs/log/checkpoint.ts";
import { LogFormatError } from "../../../src/proofs/log/tree.ts";

/** The example of Go's package golang.org/x/mod/sumdb/note. */
const go = {
  seed: fromBase64("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")?.subarray(1) as Uint8Array,
  key: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

describe("a signed note", () => {
  it("has the bytes that Go's sumdb writes with the same key", () => {
    expect(verifierKey("PeterNeumann", publicKeyOf(go.seed))).toBe(go.key);
    expect(signNote(go.text, "PeterNeumann", go.seed)).toBe(`${go.text}\n${go.signature}`);
    expect(openNote(`${go.text}\n${go.signature}`, go.key)).toBe(go.text);
  });

  it("may hold signatures of other keys, but needs the right one of its own", () => {
    const other = signNote(go.text, "witness", new Uint8Array(32)).split("\n\n")[1] as string;
    expect(openNote(`${go.text}\n${other}${go.signature}`, go.key)).toBe(go.text);
    expect(() => openNote(`${go.text}\n${other}`, go.key)).toThrow("did not sign");
    const wrong = go.signature.replace("ZJkuBS", "ZJkuBT");
    expect(() => openNote(`${go.text}\n${wrong}`, go.key)).toThrow("is wrong");
    expect(() => openNote(`${go.text}\n${go.signature}${wrong}`, go.key)).toThrow("is wrong");
  });

  it("is not signed by a name that the format cannot hold, or without a line break at its end", () => {
    for (const name of ["", "a b", "a+b", "a\n"]) expect(() => signNote(go.text, name, go.seed)).toThrow(RangeError);
    expect(() => signNote("text", "name", go.seed)).toThrow(RangeError);
  });
});

describe("the key of a log", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (publicKey) => {
        const key = verifierKey("aqua.example/log", publicKey);
        expect(parseVerifierKey(key)).toEqual({ name: "aqua.example/log", publicKey });
      }),
      { numRuns: 20 },
    );
  });

  it("with a changed character or cut at any place is refused", () => {
    for (let place = 0; place < go.key.length; place++) {
      const changed =
        go.key.slice(0, place) + String.fromCharCode(go.key.charCodeAt(place) + 1) + go.key.slice(place + 1);
      expect(() => parseVerifierKey(changed), changed).toThrow(LogFormatError);
      expect(() => parseVerifierKey(go.key.slice(0, place))).toThrow(LogFormatError);
    }
  });
});

describe("a checkpoint", () => {
  const seed = new Uint8Array(32).fill(7);
  const origin = "aqua.example/log";
  const key = verifierKey(origin, publicKeyOf(seed));
  const checkpoint = { origin, size: 1_234, root: new Uint8Array(32).fill(3) };
  const text = signCheckpoint(checkpoint, seed);

  it("is read back as it was signed", () => {
    expect(text.startsWith(`aqua.example/log\n1234\n${toBase64(checkpoint.root)}\n\n— aqua.example/log `)).toBe(true);
    expect(openCheckpoint(text, key)).toEqual(checkpoint);
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (size, root) => {
        expect(openCheckpoint(signCheckpoint({ origin, size, root }, seed), key)).toEqual({ origin, size, root });
      }),
      { numRuns: 20 },
    );
  });

  it("with any changed byte is refused", () => {
    const bytes = new TextEncoder().encode(text);
    for (const change of [1, 0x20, 0x80]) {
      for (let place = 0; place < bytes.length; place++) {
        const changed = bytes.map((byte, index) => (index === place ? byte ^ change : byte));
        expect(() => openCheckpoint(new TextDecoder().decode(changed), key), `byte ${place}`).toThrow(LogFormatError);
      }
    }
  });

  it("of another key, of another origin or in another form is refused", () => {
    const other = new Uint8Array(32).fill(8);
    expect(() => openCheckpoint(text, verifierKey(origin, publicKeyOf(other)))).toThrow("did not sign");
    expect(() => openCheckpoint(text, verifierKey("other/log", publicKeyOf(seed)))).toThrow("did not sign");
    const root = toBase64(checkpoint.root);
    expect(() => openCheckpoint(signNote(`other/log\n1\n${root}\n`, origin, seed), key)).toThrow("of other/log");
    for (const body of [`01\n${root}`, `9007199254740992\n${root}`, "1\nAAAA", `1\n${root}\nmore`, root]) {
      expect(() => openCheckpoint(signNote(`${origin}\n${body}\n`, origin, seed), key), body).toThrow(
        "not a checkpoint",
      );
    }
  });

  it("of a key of small order is refused, because such a key accepts one signature for every text", () => {
    const identity = new Uint8Array(32);
    identity[0] = 1;
    const weak = verifierKey(origin, identity);
    const [, hash = ""] = weak.split("+");
    const signature = new Uint8Array([...Buffer.from(hash, "hex"), ...identity, ...new Uint8Array(32)]);
    const [body] = text.split("\n\n");
    expect(() => openCheckpoint(`${body}\n\n— ${origin} ${toBase64(signature)}\n`, weak)).toThrow("is wrong");
  });

  it("is not signed with a size or a root out of its range", () => {
    expect(() => signCheckpoint({ ...checkpoint, size: -1 }, seed)).toThrow(RangeError);
    expect(() => signCheckpoint({ ...checkpoint, root: new Uint8Array(31) }, seed)).toThrow(RangeError);
  });
});
