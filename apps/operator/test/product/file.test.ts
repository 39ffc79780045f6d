import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "@aqua/sdk/api/documentFile";
import { languageCodes } from "@aqua/sdk/languages";
import { keccak256, toBytes } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExampleType, evidenceText, exampleEvidence, exampleText } from "../../src/product/example.ts";
import { readProductFile } from "../../src/product/file.ts";

const now = new Date("2026-11-29T12:00:00Z");
let folder: string;

const example = (type: ExampleType) => ({ type, shortId: "sahel-solar", chainId: 31337, now });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-product-file-"));
  await writeFile(join(folder, exampleEvidence("sahel-solar")), evidenceText(example("demand")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function reading(text: string, at = now) {
  const path = join(folder, "product.yaml");
  await writeFile(path, text);
  return readProductFile(path, at);
}

/** The message about an example in which `change` was made. */
async function refusal(change: (text: string) => string, type: ExampleType = "demand"): Promise<string> {
  const text = exampleText(example(type));
  const changed = change(text);
  expect(changed).not.toBe(text);
  const error = await reading(changed).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return (error?.message ?? "accepted").replaceAll(`${folder}/`, "");
}

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split("\n").length;

describe("A product's file", () => {
  it.each(["demand", "term"] as const)("is accepted as the example of a %s deposit", async (type) => {
    const file = await reading(exampleText(example(type)));
    expect(file.product).toMatchObject({ shortId: "sahel-solar", cap: 1_000_000_000_000n, minDeposit: 10_000_000n });
    expect(file.product.documentHash).toBe(keccak256(file.documentBytes));
    expect(file.evidence).toBe(keccak256(toBytes(evidenceText(example(type)))));
    expect(file.evidenceFiles).toEqual([{ path: join(folder, "sahel-solar-inspection.txt"), hash: file.evidence }]);
    const { document } = readDocument(Buffer.from(file.documentBytes).toString("utf8"));
    expect(["en-US", ...Object.keys(document?.translations ?? {})]).toEqual(languageCodes);
  });

  it("has the same document whatever its comments and its other fields are", async () => {
    const text = exampleText(example("demand"));
    const file = await reading(text);
    const other = await reading(text.replaceAll(/ # .*$/gm, "").replace("cap: 1000000", "cap: 2000000"));
    expect(other.product.documentHash).toBe(file.product.documentHash);
  });

  it("has the amounts that are written, beyond what a number of JavaScript holds", async () => {
    const text = exampleText(example("demand")).replace("cap: 1000000", "cap: 12345678901234567.654321");
    expect((await reading(text)).product.cap).toBe(12_345_678_901_234_567_654_321n);
  });

  it("takes a finished document by its path", async () => {
    const path = new URL("../../../../devnet/products/sahel-solar.json", import.meta.url);
    const [head = "", tail = ""] = exampleText(example("demand")).split(/^document:$[\s\S]*?^devices:/m);
    await writeFile(join(folder, "sahel-solar.json"), await readFile(path));
    const text = `${head}document: sahel-solar.json\ndevices:${tail}`.replace(
      /^evidence_until: .*$/m,
      "evidence_until: null",
    );
    const file = await reading(text, new Date("2026-02-01T00:00:00Z"));
    expect(file.product.documentHash).toBe(keccak256(await readFile(path)));
  });

  const changes: [what: string, change: (text: string) => string, place: string, words: string, type?: ExampleType][] =
    [
      [
        "an unknown field",
        (text) => text.replace("min_deposit", "min_deposits"),
        "min_deposits: ",
        "is no field here; did you mean min_deposit?",
      ],
      [
        "a type that does not exist",
        (text) => text.replace("demand_deposit", "savings"),
        "type: ",
        "must be demand_deposit or time_deposit",
      ],
      [
        "an amount that is none",
        (text) => text.replace("cap: 1000000", "cap: much"),
        "cap: ",
        "must be whole tokens as a decimal text",
      ],
      [
        "an amount with more decimals than the token",
        (text) => text.replace("cap: 1000000", "cap: 0.0000001"),
        "cap: ",
        "the asset has 6 decimals",
      ],
      [
        "a fee above the most",
        (text) => text.replace("fee_percent: 10", "fee_percent: 31"),
        "fee_percent: ",
        "must be at most 30",
      ],
      [
        "an address that is none",
        (text) => text.replace(/^custodian: .*$/m, "custodian: bank"),
        "custodian: ",
        "must be an address",
      ],
      [
        "play money on a public chain",
        (text) => text.replace("chain_id: 31337", "chain_id: 1"),
        "asset: ",
        "play money exists on the local chain 31337 alone",
      ],
      [
        "a term with an early-withdrawal rate above its rate",
        (text) => text.replace("break_rate_percent: 1 ", "break_rate_percent: 5 "),
        "terms.0.break_rate_percent: ",
        "must be below rate_percent",
        "term",
      ],
      [
        "a missing language",
        (text) => text.replace(/^ {4}ko-KR:[\s\S]*?^ {4}fr-FR/m, "    fr-FR"),
        "document.translations: ",
        "has no texts in ko-KR; besides en-US it needs zh-CN, zh-TW, ko-KR, fr-FR",
      ],
      [
        "a language too many",
        (text) => text.replace("  translations:\n", "  translations:\n    de-DE: { name: Beispiel }\n"),
        "document.translations.de-DE: ",
        "de-DE is no language of Aqua's translations",
      ],
      [
        "a translation with another number of risks",
        (text) => text.replace("risks: [{ title: 资产", "risks: [{ title: 风险 }, { title: 资产"),
        "document.translations.zh-CN.risks: ",
        "Has 2 items, the English list 1",
      ],
      [
        "a text of the page that is missing",
        (text) => text.replace(/^ {2}summary: An.*\n/m, ""),
        "document.summary: ",
        "is missing; it must be a string",
      ],
      [
        "an unknown field of the page",
        (text) => text.replace("  asset_class: Example\n", "  asset_clas: Example\n"),
        "document.asset_clas: ",
        "is no field here; did you mean asset_class?",
      ],
      [
        "evidence that has lapsed",
        (text) => text.replace("expires: 2027-11-29", "expires: 2026-11-28"),
        "document.evidence.0.expires: ",
        '"Inspection of the asset" has lapsed; name its renewal instead',
      ],
      [
        "a file of another hash than is named",
        (text) => text.replace(/^( +)file: /m, `$1hash: "0x${"ab".repeat(32)}"\n$1file: `),
        "document.evidence.0.hash: ",
        "is not the hash of sahel-solar-inspection.txt, which is 0x",
      ],
      [
        "a file that is not there",
        (text) => text.replace("file: sahel", "file: gone"),
        "document.evidence.0.file: ",
        "cannot be read: ENOENT",
      ],
      [
        "a file that no server shows",
        (text) => text.replace("inspection.txt", "inspection.docx"),
        "document.evidence.0.file: ",
        "must be the path of a file that ends with .txt, .md, .pdf",
      ],
      [
        "evidence that is valid for longer than its documents",
        (text) => text.replace(/^evidence_until: .*$/m, "evidence_until: 2027-12-05T00:00:00Z"),
        "evidence_until: ",
        'is after 2027-11-29, when "Inspection of the asset" expires',
      ],
      [
        "evidence for longer than the contract takes",
        (text) => text.replaceAll("2027-11-29", "2028-02-01"),
        "evidence_until: ",
        "is more than 400 days ahead, which the contract refuses",
      ],
      [
        "evidence whose date has passed",
        (text) => text.replace(/^evidence_until: .*$/m, "evidence_until: 2026-11-29T00:00:00Z"),
        "evidence_until: ",
        "has passed",
      ],
      [
        "a device without its metric",
        (text) => text.replace("devices: []", "devices:\n  - { name: pump-1 }"),
        "devices.0.metric: ",
        "is missing; it",
      ],
      [
        "a wrong document",
        (text) => text.replace(/^document:$[\s\S]*?^devices:/m, "document: none.json\ndevices:"),
        "document: ",
        "none.json cannot be read: ENOENT",
      ],
    ];
  it.each(changes)("names line and field of %s", async (_what, change, place, words, type = "demand") => {
    const message = await refusal(change, type);
    const found = message.split("\n").find((line) => line.includes(place));
    expect([found, message]).toEqual([expect.stringContaining(words), message]);
    const field =
      place
        .slice(0, -2)
        .split(".")
        .filter((part) => !/^\d+$/.test(part))
        .at(-1) ?? "";
    const changed = change(exampleText(example(type)));
    const [, line] = /line (\d+), /.exec(found ?? "") ?? [];
    // A missing field has the line of the field that should have it.
    const named = changed.split("\n")[Number(line) - 1] ?? "";
    expect(words.startsWith("is missing") || named.includes(field)).toBe(true);
  });

  it("names the line of a text that is no YAML, and of a field that is there twice", async () => {
    const text = exampleText(example("demand"));
    expect(await refusal((it) => it.replace("cap: 1000000", "cap: [1"))).toMatch(/^product\.yaml, line \d+: /);
    const twice = text.replace("min_deposit: 10", "min_deposit: 10\nmin_deposit: 20");
    expect(await refusal(() => twice)).toBe(
      `product.yaml, line ${lineOf(twice, "min_deposit: 20")}: Map keys must be unique`,
    );
  });

  it("names all its faults at once", async () => {
    const message = await refusal((text) =>
      text.replace("cap: 1000000", "cap: much").replace("fee_percent: 10", "fee_percent: 31").replace("ko-KR", "ko-XX"),
    );
    const line = String.raw`\n {2}line \d+, `;
    expect(message).toMatch(
      new RegExp(
        [
          "^product\\.yaml has 4 faults:",
          "cap: must be whole tokens.*",
          "fee_percent: must be at most 30",
          "document\\.translations: has no texts in ko-KR;.*",
          "document\\.translations\\.ko-XX: ko-XX is no language.*$",
        ].join(line),
      ),
    );
  });

  it("that does not exist names the command that writes one", async () => {
    await expect(readProductFile(join(folder, "none.yaml"), now)).rejects.toThrow(
      /ENOENT; `aqua product init .*none.yaml`/,
    );
  });
});
