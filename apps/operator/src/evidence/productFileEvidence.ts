import { constants } from "node:fs";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LONGEST_EVIDENCE } from "@aqua/contracts/deploy/config";
import { evidenceTypes, MAX_EVIDENCE_BYTES, productDocument } from "@aqua/sdk/api/document";
import { DAY } from "@aqua/sdk/durations";
import { keccak256 } from "viem";
import { type Document, isMap, isScalar, isSeq, Scalar, visit, YAMLMap, type YAMLSeq } from "yaml";
import { CommandError } from "../api.ts";
import type { Terminal } from "../terminal.ts";
import { parseYaml } from "../yamlDocument.ts";

interface RenewOptions {
  file: string;
  document: string;
  title: string;
  issuer?: string | undefined;
  issued: string;
  expires: string;
  until?: string | undefined;
}
type AddOptions = RenewOptions & { issuer: string };

/** What an entry of `document.evidence` says. */
type Facts = { title: string; issuer: string; issued: string; expires: string | null; hash: string };

const entryShape = productDocument.shape.evidence.element;
const EVIDENCE = ["document", "evidence"];

/** `aqua evidence add`: adds a document to a product's file. @throws CommandError that names the wrong value */
export async function addEvidence(options: AddOptions, terminal: Terminal): Promise<void> {
  const source = await readSource(options);
  const { yaml, entries, translated } = await openFile(options.file);
  if (entries.items.some((entry) => titleOf(entry) === options.title))
    throw new CommandError(
      `${options.file} has a document "${options.title}" already; \`aqua evidence renew\` renews it`,
    );
  const facts = checkedFacts(options, { issuer: options.issuer, hash: source.hash });
  const entry = new YAMLMap();
  putFacts(entry, { ...facts, file: source.name });
  entries.add(entry);
  // Each list has as many items as the English one.
  for (const { items } of translated.values()) items.add(yaml.createNode({}, { flow: true }));
  const languages = [...translated.keys()];
  await store({ options, yaml, source }, terminal);
  if (languages.length > 0)
    terminal.out(`Title and issuer are in English in ${languages.join(", ")}; add translations to the empty items.\n`);
}

/** `aqua evidence renew`: puts a new document in place of one. @throws CommandError that names the wrong value */
export async function renewEvidence(options: RenewOptions, terminal: Terminal): Promise<void> {
  const source = await readSource(options);
  const { yaml, entries, translated } = await openFile(options.file);
  const index = entries.items.findIndex((entry) => titleOf(entry) === options.title);
  const entry = entries.items[index];
  if (!isMap(entry)) {
    const titles = entries.items.map((one) => `"${titleOf(one)}"`).join(", ");
    throw new CommandError(`${options.file} has no document "${options.title}"; it has ${titles || "none"}`);
  }
  const former = String(entry.get("issuer"));
  const facts = checkedFacts(options, { issuer: options.issuer ?? former, hash: source.hash });
  if (String(entry.get("hash")) === facts.hash)
    throw new CommandError(`${options.document} is the document that ${options.file} has already`);
  putFacts(entry, { ...facts, file: source.name });
  const outdated = [...translated].filter(([, { items }]) => {
    const texts = items.items[index];
    return facts.issuer !== former && isMap(texts) && texts.delete("issuer");
  });
  await store({ options, yaml, source }, terminal);
  if (outdated.length > 0)
    terminal.out(`The issuer's name is in English in ${outdated.map(([code]) => code).join(", ")} now.\n`);
}

interface Source {
  content: Uint8Array;
  hash: string;
  /** Name beside the product's file. */
  name: string;
}

async function readSource({ document }: RenewOptions): Promise<Source> {
  const endings = Object.keys(evidenceTypes);
  if (!endings.includes(extname(document)))
    throw new CommandError(`${document} must be a file that ends with ${endings.join(", ")}`);
  const content = await readFile(document).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${document} cannot be read: ${error.code}`);
  });
  if (content.length > MAX_EVIDENCE_BYTES)
    throw new CommandError(`${document} is larger than the 10 MB that a server shows`);
  return { content, hash: keccak256(content), name: basename(document) };
}

interface Opened {
  yaml: Document;
  entries: YAMLSeq;
  /** Lists of translated evidence by language. */
  translated: ReadonlyMap<string, { items: YAMLSeq }>;
}

async function openFile(path: string): Promise<Opened> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code}`);
  });
  // Reads each value as the text that is written, because amounts would be rounded as numbers.
  const { document: yaml } = parseYaml(path, text, { schema: "failsafe" });
  keepFlowPadding(yaml, text);
  const document = yaml.get("document");
  if (typeof document === "string")
    throw new CommandError(`${path} names the finished document ${document}; edit the evidence there`);
  const entries = yaml.getIn(EVIDENCE);
  if (!isMap(document) || !isSeq(entries))
    throw new CommandError(`${path} has no list document.evidence; \`aqua product plan ${path}\` names its faults`);
  const translations = document.get("translations");
  const translated = new Map<string, { items: YAMLSeq }>();
  for (const { key, value } of isMap(translations) ? translations.items : []) {
    const items = isMap(value) ? value.get("evidence") : undefined;
    if (isSeq(items)) translated.set(String(key), { items });
  }
  return { yaml, entries, translated };
}

/** The library writes either `[ a ]` or `[a]` in a whole document. Each collection stays as it was. */
function keepFlowPadding(yaml: Document, text: string): void {
  visit(yaml, {
    Collection(_, node) {
      if (node.flow !== true || !node.range) return;
      const flowCollectionPadding = text[node.range[0] + 1] === " " ? " " : "";
      const write = node.toString.bind(node);
      node.toString = (context, ...callbacks) => write(context && { ...context, flowCollectionPadding }, ...callbacks);
    },
  });
}

/** Days are plain. Texts are quoted, because a plain one may read as a number, a date or null. */
function putFacts(entry: YAMLMap, facts: Facts & { file: string }): void {
  for (const [field, value] of Object.entries(facts)) {
    const former = entry.get(field, true);
    if (isScalar(former) && former.value === (value ?? "null")) continue;
    // The former one may have a comment.
    const scalar = isScalar(former) ? former : new Scalar(value);
    scalar.value = value ?? "null";
    scalar.type = field === "issued" || field === "expires" ? "PLAIN" : "QUOTE_DOUBLE";
    if (scalar !== former) entry.set(field, scalar);
  }
}

const titleOf = (entry: unknown) => (isMap(entry) ? String(entry.get("title")) : "");

/** Names of the schema's fields as options. */
function checkedFacts(
  { title, issued, expires }: RenewOptions,
  { issuer, hash }: { issuer: string; hash: string },
): Facts {
  const checked = entryShape.safeParse({ title, issuer, issued, expires: expires === "none" ? null : expires, hash });
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) => `--${path.join(".")}: ${message}`);
    throw new CommandError(faults.join("\n  "));
  }
  const facts = checked.data;
  const today = new Date().toISOString().slice(0, 10);
  if (facts.issued > today) throw new CommandError(`--issued ${issued} is in the future`);
  if (facts.expires !== null && facts.expires < today)
    throw new CommandError(`--expires ${expires} has passed; name a document that is valid`);
  return facts;
}

function setUntil(yaml: Document, until: string): void {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(until) || Number.isNaN(Date.parse(until)))
    throw new CommandError("--until must be a time such as 2027-03-01T00:00:00Z");
  if (Date.parse(until) <= Date.now()) throw new CommandError(`--until ${until} has passed`);
  if (Date.parse(until) > Date.now() + LONGEST_EVIDENCE * 1_000)
    throw new CommandError(
      `--until ${until} is more than ${LONGEST_EVIDENCE / DAY} days ahead; the contract refuses that`,
    );
  yaml.set("evidence_until", until);
}

/** The fields that these commands do not change. */
function others(path: string, text: string): unknown {
  // Reads each value as the text that is written, because amounts would be rounded as numbers.
  const { document: yaml } = parseYaml(path, text, { schema: "failsafe" });
  yaml.delete("evidence_until");
  yaml.deleteIn(EVIDENCE);
  const translations = yaml.getIn(["document", "translations"]);
  for (const { value } of isMap(translations) ? translations.items : []) if (isMap(value)) value.delete("evidence");
  return yaml.toJS();
}

/** Copies the document beside the product's file and replaces the file. Both stay as they were after an error. */
async function store(
  { options, yaml, source }: { options: RenewOptions; yaml: Document; source: Source },
  terminal: Terminal,
): Promise<void> {
  const { file, document, until } = options;
  if (until !== undefined) setUntil(yaml, until);
  const text = yaml.toString({ lineWidth: 0 });
  if (!isDeepStrictEqual(others(file, await readFile(file, "utf8")), others(file, text)))
    throw new CommandError(`${file} cannot be written without a change of another field; edit its evidence by hand`);
  const target = join(dirname(file), source.name);
  const isCopied = resolve(target) !== resolve(document) && (await copyBeside(document, target, source));
  const draft = `${file}.new`;
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") await rm(draft, { force: true });
    if (isCopied) await rm(target, { force: true });
    throw new CommandError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code} ${draft}`);
  }
  terminal.out(
    `Written: ${file}, ${target}\nHash     ${source.hash}\n${until === undefined ? `evidence_until is still ${yaml.get("evidence_until")}; --until changes it.\n` : ""}Next: \`aqua product plan ${file}\` checks the file and shows the acts; \`aqua product document ${file}\` writes the page.\n`,
  );
}

/** Returns true if it copied the file, and false if the same content is there already. */
async function copyBeside(from: string, target: string, { content }: Source): Promise<boolean> {
  try {
    await copyFile(from, target, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new CommandError(`${target} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    if (Buffer.compare(await readFile(target), content) === 0) return false;
    throw new CommandError(`${target} exists with another content; give the new document another name`);
  }
}
