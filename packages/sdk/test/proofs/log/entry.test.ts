import fc from "fast-check";
import { concat, hashTypedData, keccak256, recoverTypedDataAddress, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  actCommitment,
  type LogEntry,
  logKinds,
  operatorAct,
  readEntry,
  writeEntry,
} from "../../../src/proofs/log/entry.ts";
import { LogFormatError } from "../../../src/proofs/log/tree.ts";
import { hex } from "../support.ts";

const act = fc.record({
  call: fc.constantFrom("POST operator/devices", "POST operator/devices/pump-1/interval"),
  body: fc.option(fc.string({ unit: "binary" })),
  nonce: fc.option(hex(32)),
  commitment: hex(32),
  time: fc.maxSafeNat(),
  operator: hex(20),
  signature: hex(65),
});
const entry: fc.Arbitrary<LogEntry> = fc.record({
  id: fc.uuid(),
  time: fc.maxSafeNat(),
  kind: fc.constantFrom(...logKinds.filter((kind) => kind !== "operators" && kind !== "restore")),
  subject: fc.string({ minLength: 1 }).map((text) => `s${text}`),
  version: fc.integer({ min: 1, max: 2 ** 40 }),
  content: fc.option(fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), fc.jsonValue() as fc.Arbitrary<unknown>)),
  act: fc.option(act),
});
const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

describe("an entry", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(entry, (value) => {
        const bytes = writeEntry(value);
        expect(writeEntry(readEntry(bytes))).toEqual(bytes);
        expect(JSON.stringify(readEntry(bytes))).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
      }),
    );
  });

  const plain: LogEntry = {
    id: "01234567-89ab-7def-8123-456789abcdef",
    time: 1_760_000_000_000,
    kind: "device",
    subject: "pump-1",
    version: 1,
    content: { chain_id: 1, metric: "volume" },
    act: {
      call: "POST operator/devices",
      body: "{}",
      nonce: `0x${"01".repeat(32)}`,
      commitment: `0x${"02".repeat(32)}`,
      time: 1_760_000_000_001,
      operator: `0x${"03".repeat(20)}`,
      signature: `0x${"04".repeat(65)}`,
    },
  };

  it("has its fields in the order of the format, whatever the order of the object", () => {
    const json =
      '{"id":"01234567-89ab-7def-8123-456789abcdef","time":1760000000000,"kind":"device","subject":"pump-1",' +
      '"version":1,"content":{"chain_id":1,"metric":"volume"},"act":{"call":"POST operator/devices","body":"{}",' +
      `"nonce":"0x${"01".repeat(32)}","commitment":"0x${"02".repeat(32)}","time":1760000000001,` +
      `"operator":"0x${"03".repeat(20)}","signature":"0x${"04".repeat(65)}"}}`;
    const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const turned = { ...reversed(plain), act: reversed(plain.act as object) } as unknown as LogEntry;
    expect(new TextDecoder().decode(writeEntry(turned))).toBe(json);
    expect(readEntry(bytesOf(json))).toEqual(plain);
    const why = { ...plain, reason: "The pump broke", by: "ada" };
    expect(new TextDecoder().decode(writeEntry(why))).toBe(
      `${json.slice(0, -1)},"by":"ada","reason":"The pump broke"}`,
    );
    expect(() => readEntry(bytesOf(turned))).toThrow("canonical");
    expect(() => readEntry(bytesOf(`${json} `))).toThrow("canonical");
    expect(() => readEntry(bytesOf(json.replace('"version":1', '"version":1,"version":1')))).toThrow("canonical");
  });

  it.each([
    ["no JSON", "{"],
    ["a list", []],
    ["a further field", { ...plain, more: 1 }],
    ["an empty reason", { ...plain, reason: "" }],
    ["a reason that is no text", { ...plain, reason: 1 }],
    ["another kind", { ...plain, kind: "devices" }],
    ["version 0", { ...plain, version: 0 }],
    ["an empty subject", { ...plain, subject: "" }],
    ["an id that is no UUID", { ...plain, id: "1" }],
    ["no content", { ...plain, content: undefined }],
    ["a list as content", { ...plain, content: [] }],
    ["operators without keys", { ...plain, kind: "operators", content: null }],
    ["operators in upper case", { ...plain, kind: "operators", content: { keys: [`0x${"AB".repeat(20)}`] } }],
    ["a restore without a root", { ...plain, kind: "restore", content: { size: 1, reason: "" } }],
    ["an operator in upper case", { ...plain, act: { ...plain.act, operator: `0x${"AB".repeat(20)}` } }],
    ["an act of a call that only reads", { ...plain, act: { ...plain.act, call: "GET operator/devices" } }],
    ["an act with a further field", { ...plain, act: { ...plain.act, more: 1 } }],
    ["a short signature", { ...plain, act: { ...plain.act, signature: "0x00" } }],
  ])("with %s is refused", (_name, value) => expect(() => readEntry(bytesOf(value))).toThrow(LogFormatError));

  it("that is not UTF-8 is refused", () => expect(() => readEntry(Uint8Array.of(0xff))).toThrow(LogFormatError));
});

describe("an operator's act", () => {
  it("commits to nonce and body: the keccak-256 of both", () => {
    fc.assert(
      fc.property(hex(32), fc.string({ unit: "grapheme" }), (nonce, body) => {
        const expected = keccak256(concat([nonce, stringToHex(body)]));
        expect(actCommitment(nonce, body)).toBe(expected);
        expect(actCommitment(nonce, new TextEncoder().encode(body))).toBe(expected);
      }),
    );
  });

  it("is signed by EIP-712, and another site, call, commitment or time recovers another address", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signed = {
      site: "aqua.example/log",
      call: "POST operator/devices",
      commitment: actCommitment(`0x${"00".repeat(32)}`, "{}"),
      time: 1_760_000_000_000,
    };
    const signature = await account.signTypedData(operatorAct(signed));
    expect(await recoverTypedDataAddress({ ...operatorAct(signed), signature })).toBe(account.address);
    const none = `0x${"00".repeat(32)}`;
    for (const change of [{ site: "b" }, { call: "c" }, { commitment: none }, { time: 1 }, { reason: "why" }]) {
      const other = operatorAct({ ...signed, ...change });
      expect(await recoverTypedDataAddress({ ...other, signature })).not.toBe(account.address);
    }
    const reasoned = { ...signed, reason: "The disk broke" };
    const own = await account.signTypedData(operatorAct(reasoned));
    expect(await recoverTypedDataAddress({ ...operatorAct(reasoned), signature: own })).toBe(account.address);
    for (const reason of [undefined, "The disk brok"]) {
      const other = operatorAct({ ...signed, reason });
      expect(await recoverTypedDataAddress({ ...other, signature: own })).not.toBe(account.address);
    }
  });

  it("without a reason has the hash that operators signed before there were reasons", () => {
    const message = { site: "aqua.example/log", call: "POST operator/devices", commitment: `0x${"02".repeat(32)}` };
    expect(hashTypedData(operatorAct({ ...message, time: 1_760_000_000_000 }))).toBe(
      "0x37b28c9ffb9ab34b4f9c0d1a742c1e9563a77e8e72c002c3a069f5cfb92dde82",
    );
  });
});
