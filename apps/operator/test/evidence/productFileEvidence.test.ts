import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "@aqua/sdk/durations";
import { keccak256, stringToBytes } from "viem";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { readProductFile } from "../../src/product/file.ts";
import { runAqua } from "../support/aqua.ts";

const TITLE = "Inspection of the asset";
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
let folder: string;
let file: string;
let fresh: string;
let before: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-evidence-"));
  file = join(folder, "product", "sahel-solar.yaml");
  fresh = join(folder, "new.txt");
  await writeFile(fresh, "renewed");
  expect((await runAqua(["product", "init", file], {})).code).toBe(0);
  before = await readFile(file, "utf8");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const evidence = (act: "add" | "renew", change: Record<string, string> = {}, of = { file, document: fresh }) => {
  const options = { title: TITLE, issued: day(0), expires: day(380), ...change };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return runAqua(["evidence", act, of.file, of.document, ...args], {});
};
const comments = (text: string) => text.match(/#.*$/gm);

it("aqua evidence renew puts the new document in place of the former and keeps comments and other fields", async () => {
  const until = `${day(370)}T00:00:00Z`;
  const { code, out, error } = await evidence("renew", { until });
  expect([error, code]).toEqual(["", 0]);
  const hash = keccak256(stringToBytes("renewed"));
  expect(out).toContain(hash);
  expect(out).toContain(`aqua product plan ${file}`);
  const after = await readFile(file, "utf8");
  expect(comments(after)).toEqual(comments(before));
  const former = parse(before);
  const [paper] = former.document.evidence;
  Object.assign(paper, { issued: day(0), expires: day(380), hash, file: "new.txt" });
  expect(parse(after)).toEqual({ ...former, evidence_until: until });
  const changed = after.split("\n").filter((line) => !before.split("\n").includes(line));
  expect(changed.map((line) => line.trim().split(":")[0])).toEqual(["evidence_until", "expires", "file", "hash"]);
  const { document, evidenceFiles } = await readProductFile(file, new Date());
  expect(document.evidence).toMatchObject([{ title: TITLE, issuer: "Example inspectors", hash }]);
  expect(evidenceFiles).toEqual([{ path: join(folder, "product", "new.txt"), hash }]);
});

it("aqua evidence renew removes the translated issuer if another one issued the document", async () => {
  const { out } = await evidence("renew", { issuer: "Other inspectors" });
  expect(out).toContain("evidence_until is still");
  expect(out).toContain("The issuer's name is in English in zh-CN, zh-TW, ko-KR, fr-FR now.");
  const { document } = parse(await readFile(file, "utf8"));
  expect(document.evidence[0].issuer).toBe("Other inspectors");
  expect(document.translations["zh-CN"].evidence).toEqual([{ title: "资产检查" }]);
});

it("aqua evidence add adds a document and an empty item to each translation", async () => {
  const added = { title: "Permit", issuer: "Ministry", expires: "none" };
  const { code, out } = await evidence("add", added);
  expect(code).toBe(0);
  expect(out).toContain("in English in zh-CN, zh-TW, ko-KR, fr-FR");
  const { document } = await readProductFile(file, new Date());
  expect(document.evidence).toMatchObject([{ title: TITLE }, { ...added, expires: null }]);
  expect(document.translations["fr-FR"]?.evidence).toHaveLength(2);
  expect(comments(await readFile(file, "utf8"))).toEqual(comments(before));
});

it("aqua evidence keeps amounts that a number would round, and quotes texts that look like another type", async () => {
  const amounts = ["123456789012345678901234567890", "1.123456789012345678901", "1.50"];
  for (const amount of amounts) {
    await writeFile(file, before.replace("cap: 1000000", `cap: ${amount}`));
    const { error, code } = await evidence("add", { title: "2027", issuer: "null" });
    expect([error, code]).toEqual(["", 0]);
    const after = await readFile(file, "utf8");
    expect(after).toContain(`cap: ${amount} `);
    expect(parse(after).document.evidence[1]).toMatchObject({
      title: "2027",
      issuer: "null",
      hash: expect.stringMatching(/^0x/),
    });
  }
});

it("aqua evidence names a wrong value and changes no file", async () => {
  const beside = join(folder, "product", "new.txt");
  const image = join(folder, "photo.png");
  await writeFile(image, "image");
  const issuer = "Ministry";
  for (const [answer, words] of [
    [evidence("renew", { title: "Permit" }), `has no document "Permit"; it has "${TITLE}"`],
    [evidence("add", { issuer }), `has a document "${TITLE}" already`],
    [evidence("renew", { expires: "soon" }), "--expires: Invalid ISO date"],
    [evidence("renew", { issued: "2026-02-30" }), "--issued: Invalid ISO date"],
    [evidence("renew", { expires: day(-1) }), "has passed; name a document that is valid"],
    [evidence("renew", { issued: day(2) }), "is in the future"],
    [evidence("renew", { issuer: "x".repeat(161) }), "--issuer: "],
    [evidence("renew", { until: "tomorrow" }), "--until must be a time such as"],
    [evidence("renew", { until: "2020-01-01T00:00:00Z" }), "--until 2020-01-01T00:00:00Z has passed"],
    ...(["add", "renew"] as const).map((act) => {
      const options = {
        until: `${day(402)}T00:00:00Z`,
        expires: day(450),
        ...(act === "add" && { title: "New", issuer }),
      };
      const words = `--until ${options.until} is more than 400 days ahead; the contract refuses that`;
      return [evidence(act, options), words] as const;
    }),
    [evidence("renew", {}, { file, document: image }), "must be a file that ends with .txt, .md, .pdf"],
    [evidence("renew", {}, { file, document: `${fresh}.txt` }), "cannot be read: ENOENT"],
    [evidence("renew", {}, { file: `${file}.yaml`, document: fresh }), "cannot be read: ENOENT"],
  ] as const) {
    const { code, error } = await answer;
    expect([code, error]).toEqual([1, expect.stringContaining(words)]);
  }
  expect(await readFile(file, "utf8")).toBe(before);
  await expect(access(beside)).rejects.toThrow("ENOENT");
});

it("aqua evidence overwrites no document, and leaves none behind if the file cannot be written", async () => {
  const beside = join(folder, "product", "new.txt");
  await writeFile(beside, "another");
  expect((await evidence("renew")).error).toContain("exists with another content; give the new document another name");
  expect(await readFile(beside, "utf8")).toBe("another");
  await rm(beside);
  await writeFile(`${file}.new`, "a draft of another run");
  expect((await evidence("renew")).error).toContain(`${file} cannot be written: EEXIST`);
  expect(await readFile(file, "utf8")).toBe(before);
  expect(await readdir(join(folder, "product"))).not.toContain("new.txt");
});

it("aqua evidence names a file whose texts are in a finished document, and a line that is not YAML", async () => {
  await writeFile(file, "document: sahel-solar.json\n");
  expect((await evidence("renew")).error).toContain("names the finished document sahel-solar.json");
  await writeFile(file, "type: demand_deposit\ncap: [1\n");
  expect((await evidence("renew")).error).toMatch(/sahel-solar\.yaml, line [23]: /);
});
