import { readFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import {
  asset,
  ConfigFault,
  chainId,
  checkPlayMoney,
  type DemandProduct,
  demandDeposit,
  LONGEST_EVIDENCE,
  productOf,
  salt,
  type TimeProduct,
  timeDeposit,
} from "@aqua/contracts/deploy/config";
import { documentFault } from "@aqua/contracts/deploy/documentFault";
import { evidenceTypes, MAX_EVIDENCE_BYTES, type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import { readDocument } from "@aqua/sdk/api/documentFile";
import { deviceBody } from "@aqua/sdk/api/telemetry";
import { DAY } from "@aqua/sdk/durations";
import { languageCodes } from "@aqua/sdk/languages";
import { closest, distance } from "fastest-levenshtein";
import { type Hex, keccak256 } from "viem";
import { z } from "zod";
import { CommandError } from "../api.ts";
import { type LocatedYaml, parseLocatedYaml } from "./locatedYaml.ts";

const MAX_SHOWN_FAULTS = 20;
const [english, ...translated] = languageCodes;

/** Amounts, percentages and factors, which are texts in the schemas. In YAML they may be written as numbers. */
const decimals = new Set([
  ...["cap", "min_deposit", "max_gain_percent_per_year", "buffer_percent", "fee_percent"],
  ...["rate_percent", "break_rate_percent", "penalty_percent"],
  ...["price", "share", "financed", "amount", "min", "max", "max_step"],
]);

const common = {
  chain_id: chainId,
  salt,
  asset,
  document: z.union(
    [z.string(), z.record(z.string(), z.unknown())],
    "must be the product's texts, or the path of a document",
  ),
  devices: z.array(z.unknown()).default([]),
};
const receivers = { custodian: true, buffer_percent: true, treasury: true, fee_percent: true } as const;
const demandFile = demandDeposit.required(receivers).extend(common);
const timeFile = timeDeposit.extend(common);
const productFile = z.discriminatedUnion("type", [demandFile, timeFile], {
  error: (issue) => (issue.code === "invalid_union" ? "must be demand_deposit or time_deposit" : undefined),
});
/** What the check of the texts needs, so that their faults are named beside those of the other fields. */
const texts = z.object({ short_id: z.string(), document: common.document });
type Texts = z.output<typeof texts>;
const documentFields = Object.keys(productDocument.shape);

export type FileDevice = z.output<typeof deviceBody>;

/** A product's file, checked. */
export interface ProductFile {
  path: string;
  chainId: number;
  salt: string;
  product: DemandProduct | TimeProduct;
  /** The bytes of the product's document; the registry keeps their keccak-256. */
  documentBytes: Uint8Array;
  document: ProductDocument;
  /** Hash of the document that a renewal of the evidence names: the one that expires first. Null without devices. */
  evidence: Hex | null;
  /** Files of the evidence that the product's file names, by their hash. */
  evidenceFiles: readonly { path: string; hash: Hex }[];
  devices: readonly FileDevice[];
  lineOf: LocatedYaml["lineOf"];
}

/** A fault, and the path of its field. */
interface Fault {
  path: readonly PropertyKey[];
  words: string;
}

/** Collects the faults of a file, so that all are named at once. */
class Faults {
  readonly found: Fault[] = [];
  /** Only the first fault of a field is named. */
  add(path: readonly PropertyKey[], words: string): void {
    if (!this.found.some((one) => one.path.join(".") === path.join("."))) this.found.push({ path, words });
  }
}

/** Message about faults of a file, with the line of each. */
export function faultsText(path: string, faults: readonly Fault[], lineOf: LocatedYaml["lineOf"]): string {
  const lines = faults
    .map((fault) => ({ ...fault, line: lineOf(fault.path) }))
    .sort((one, other) => one.line - other.line)
    .map((fault) => `line ${fault.line}${fault.path.length === 0 ? "" : `, ${fault.path.join(".")}`}: ${fault.words}`);
  const [first = ""] = lines;
  if (lines.length === 1) return `${path}, ${first}`;
  const more = lines.length > MAX_SHOWN_FAULTS ? [`and ${lines.length - MAX_SHOWN_FAULTS} more`] : [];
  return [`${path} has ${lines.length} faults:`, ...lines.slice(0, MAX_SHOWN_FAULTS), ...more].join("\n  ");
}

/**
 * Reads and checks a product's file, its document and the files of its evidence.
 * @param now the time at which the evidence must be valid. Null: it is not checked
 * @throws CommandError that names file, line and field of each fault
 */
export async function readProductFile(path: string, now: Date | null): Promise<ProductFile> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code}; \`aqua product init ${path}\` writes an example`);
  });
  const { value, lineOf } = parseLocatedYaml(path, text, decimals);
  const faults = new Faults();
  const refuse = () => new CommandError(faultsText(path, faults.found, lineOf));

  const checked = productFile.safeParse(value);
  if (!checked.success) {
    addIssues(faults, { issues: checked.error.issues, value, fields: fieldsOf(value) });
    const readable = texts.safeParse(value);
    if (readable.success) await documentOf(readable.data, dirname(path), faults);
    throw refuse();
  }
  const data = checked.data;
  const page = await documentOf(data, dirname(path), faults);
  const devices = devicesOf(data, faults);
  if (page === null) throw refuse();
  if (now !== null) checkEvidence({ faults, until: data.evidence_until, evidence: page.document.evidence, now });
  const product = productIn(data, keccak256(page.bytes), faults);
  if (product === null || faults.found.length > 0) throw refuse();
  const { bytes, document, evidenceFiles } = page;
  return {
    path,
    chainId: data.chain_id,
    salt: data.salt,
    product,
    documentBytes: bytes,
    document,
    evidence: data.evidence_until === null ? null : (firstToLapse(document.evidence)?.hash as Hex),
    evidenceFiles,
    devices,
    lineOf,
  };
}

function fieldsOf(value: unknown): string[] {
  const type = (value as { type?: unknown } | null)?.type;
  return Object.keys(type === "time_deposit" ? timeFile.shape : demandFile.shape);
}

/** The value at a path; undefined where there is none. */
const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part], value);

function addIssues(
  faults: Faults,
  {
    issues,
    value,
    fields,
    within = [],
  }: {
    issues: readonly z.core.$ZodIssue[];
    value: unknown;
    fields: readonly string[];
    within?: readonly PropertyKey[];
  },
): void {
  for (const issue of issues) {
    const path = [...within, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        faults.add([...path, key], unknownText(key, fields));
      }
    } else {
      const missing = at(value, path) === undefined;
      faults.add(path, missing ? `is missing; ${expectedText(issue)}` : issue.message);
    }
  }
}

/** "Invalid input: expected string, received undefined" → "it must be a string"; our own messages as they are. */
function expectedText({ message }: { message: string }): string {
  const [, type] = /^Invalid input: expected (\w+)/.exec(message) ?? [];
  return type === undefined ? `it ${message}` : `it must be ${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

/** Message about an unknown field, with the one that differs by a slip. */
function unknownText(key: string, fields: readonly string[]): string {
  const near = closest(key, fields);
  return `is no field here${distance(key, near) <= Math.ceil(key.length / 3) ? `; did you mean ${near}?` : ""}`;
}

type Data = z.output<typeof productFile>;

function productIn(data: Data, documentHash: Hex, faults: Faults): DemandProduct | TimeProduct | null {
  try {
    checkPlayMoney(data.asset, data.chain_id, ["asset"]);
    return productOf(data, data.asset, documentHash);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    faults.add(error.path, error.words);
    return null;
  }
}

interface Page {
  bytes: Uint8Array;
  document: ProductDocument;
  evidenceFiles: { path: string; hash: Hex }[];
}

/** The product's document: of the path that the file names, or made from the file. Null where it has faults. */
async function documentOf(data: Texts, folder: string, faults: Faults): Promise<Page | null> {
  if (typeof data.document === "string") {
    const name = data.document;
    const bytes = await readFile(resolve(folder, name)).catch((error: NodeJS.ErrnoException) => {
      faults.add(["document"], `${name} cannot be read: ${error.code}`);
      return null;
    });
    if (bytes === null) return null;
    const fault = documentFault(bytes.toString("utf8"), data.short_id);
    if (fault !== null) faults.add(["document"], `${name}${fault}`);
    const { document } = readDocument(bytes.toString("utf8"));
    if (document === null) return null;
    checkLanguages(document.translations, ["document"], faults);
    return { bytes, document, evidenceFiles: [] };
  }
  checkLanguages(data.document.translations, ["document", "translations"], faults);
  const { evidence, evidenceFiles } = await evidenceOf(data.document.evidence, folder, faults);
  const written = { short_id: data.short_id, ...data.document, ...(evidence === undefined ? {} : { evidence }) };
  // The server shows a document only if the registry has the hash of these very bytes.
  const text = `${JSON.stringify(written, null, 2)}\n`;
  const { document, faults: wrong, unknown } = readDocument(text);
  for (const key of Object.keys(written).filter((one) => !documentFields.includes(one))) {
    faults.add(["document", key], unknownText(key, documentFields));
  }
  for (const { path, message } of [...wrong, ...unknown.filter((one) => one.path.includes("."))]) {
    const parts = path.split(".");
    const missing = at(written, parts) === undefined;
    faults.add(["document", ...parts], missing ? `is missing; ${expectedText({ message })}` : message);
  }
  if (document === null) return null;
  return { bytes: new TextEncoder().encode(text), document, evidenceFiles };
}

/** A page must have all five languages, because a reader of one that is missing would find English. */
function checkLanguages(translations: unknown, path: readonly PropertyKey[], faults: Faults): void {
  const found = typeof translations === "object" && translations !== null ? Object.keys(translations) : [];
  const missing = translated.filter((code) => !found.includes(code));
  if (missing.length > 0)
    faults.add(path, `has no texts in ${missing.join(", ")}; besides ${english} it needs ${translated.join(", ")}`);
  for (const code of found.filter((one) => !translated.some((each) => each === one)))
    faults.add(
      path.length > 1 ? [...path, code] : path,
      `${code} is no language of Aqua's translations, which are ${translated.join(", ")}`,
    );
}

/** The evidence without `file`, and with the hash of each file that is named. */
async function evidenceOf(value: unknown, folder: string, faults: Faults) {
  const evidenceFiles: { path: string; hash: Hex }[] = [];
  if (!Array.isArray(value)) return { evidence: value, evidenceFiles };
  const evidence: unknown[] = [];
  for (const [index, entry] of value.entries()) {
    const { file, ...facts } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
    evidence.push(facts);
    if (file === undefined) continue;
    const path = ["document", "evidence", index];
    const content = await evidenceContent({ file, folder, path: [...path, "file"], faults });
    if (content === null) continue;
    const hash = keccak256(content);
    if (facts.hash !== undefined && String(facts.hash).toLowerCase() !== hash)
      faults.add([...path, "hash"], `is not the hash of ${file}, which is ${hash}`);
    facts.hash = hash;
    evidenceFiles.push({ path: resolve(folder, String(file)), hash });
  }
  return { evidence, evidenceFiles };
}

async function evidenceContent({
  file,
  folder,
  path,
  faults,
}: {
  file: unknown;
  folder: string;
  path: readonly PropertyKey[];
  faults: Faults;
}): Promise<Uint8Array | null> {
  const endings = Object.keys(evidenceTypes);
  if (typeof file !== "string" || !endings.includes(extname(file))) {
    faults.add(path, `must be the path of a file that ends with ${endings.join(", ")}`);
    return null;
  }
  const content = await readFile(resolve(folder, file)).catch((error: NodeJS.ErrnoException) => {
    faults.add(path, `${file} cannot be read: ${error.code}`);
    return null;
  });
  if (content === null || content.length <= MAX_EVIDENCE_BYTES) return content;
  faults.add(path, `${file} is larger than the 10 MB that a server shows`);
  return null;
}

type Evidence = ProductDocument["evidence"];

/** The document whose date ends the validity of all; without dates the first. */
export function firstToLapse(evidence: Evidence): Evidence[number] | undefined {
  const dated = evidence.filter(({ expires }) => expires !== null);
  return dated.sort((one, other) => String(one.expires).localeCompare(String(other.expires)))[0] ?? evidence[0];
}

/** Refuses evidence that has lapsed, and a date on chain that is later than the documents'. */
function checkEvidence({
  faults,
  until,
  evidence,
  now,
}: {
  faults: Faults;
  until: string | null;
  evidence: Evidence;
  now: Date;
}): void {
  const today = now.toISOString().slice(0, 10);
  for (const [index, { title, expires }] of evidence.entries())
    if (expires !== null && expires < today)
      faults.add(["document", "evidence", index, "expires"], `"${title}" has lapsed; name its renewal instead`);
  if (until === null) return;
  const path = ["evidence_until"];
  const time = Date.parse(until);
  if (time <= now.getTime()) faults.add(path, "has passed; name the date until which renewed documents are valid");
  if (time > now.getTime() + LONGEST_EVIDENCE * 1_000)
    faults.add(path, `is more than ${LONGEST_EVIDENCE / DAY} days ahead, which the contract refuses`);
  const first = firstToLapse(evidence);
  if (first === undefined) faults.add(path, "needs a document in document.evidence; without devices write null");
  else if (first.expires !== null && time > Date.parse(first.expires) + DAY * 1_000)
    faults.add(path, `is after ${first.expires}, when "${first.title}" expires`);
}

function devicesOf({ short_id, devices }: Data, faults: Faults): FileDevice[] {
  return devices.flatMap((value, index) => {
    const checked = deviceBody.safeParse(typeof value === "object" ? { short_id, ...value } : value);
    if (checked.success && checked.data.short_id === short_id) return [checked.data];
    const within = ["devices", index];
    if (checked.success) faults.add([...within, "short_id"], `must be ${short_id}, or be left out`);
    else addIssues(faults, { issues: checked.error.issues, value: { devices }, fields: deviceFields, within });
    return [];
  });
}
const deviceFields = Object.keys(deviceBody.shape);
