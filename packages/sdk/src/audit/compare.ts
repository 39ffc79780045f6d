/** A figure: a number, a text, a truth value, or null where it is unknown. */
export type Figure = number | string | boolean | null;

/** An answer that differs. `expected` or `found` is undefined where there must be, or is, none. */
export interface Finding {
  path: string;
  expected: Figure | undefined;
  found: Figure | undefined;
}

export interface Comparison {
  /** Number of figures that were compared. */
  count: number;
  findings: Finding[];
  /** Paths of answered figures of which nothing was expected, each once, without the places in lists. */
  rest: string[];
}

type Json = Figure | undefined | readonly Json[] | JsonRecord;
interface JsonRecord {
  readonly [name: string]: Json;
}

/** Fields that tell the items of a list apart. */
const identifying = [
  ...["chain_id", "block", "log_index", "hash", "key", "time", "start", "number", "operation", "nonce", "id", "role"],
  ...["short_id", "deposit_id", "wallet", "address", "stream", "part", "symbol", "window_days"],
];

/** Compares an answer with what was expected. Names that are not expected are listed, so that each has its reason. */
export function compare(path: string, expected: unknown, found: unknown): Comparison {
  const comparison: Comparison = { count: 0, findings: [], rest: [] };
  const rest = new Set<string>();

  function walk(at: string, wanted: Json, given: Json): void {
    if (isList(wanted) && isList(given)) walkList(at, wanted, given);
    else if (isRecord(wanted) && isRecord(given)) walkRecord(at, wanted, given);
    else if (wanted === given) comparison.count += 1;
    else report(at, wanted, given);
  }

  function report(at: string, wanted: Json, given: Json): void {
    comparison.count += 1;
    comparison.findings.push({ path: at, expected: figureOf(wanted), found: figureOf(given) });
  }

  function walkList(at: string, wanted: readonly Json[], given: readonly Json[]): void {
    walk(`${at}.length`, wanted.length, given.length);
    if (wanted.length === given.length) {
      for (const [index, item] of given.entries()) walk(`${at}[${index}]`, wanted[index], item);
      return;
    }
    // Only the items that both lists have are compared, so that one that is missing does not make all others differ.
    const missing = wanted.map((item, index) => ({ item, index, identity: identityOf(item) }));
    for (const [index, item] of given.entries()) {
      const identity = identityOf(item);
      const place = missing.findIndex((one) => one.identity === identity);
      const [same] = place < 0 ? [] : missing.splice(place, 1);
      if (same) walk(`${at}[${index}]`, same.item, item);
      else report(`${at}[${index}]`, undefined, item);
    }
    for (const { item, index } of missing) report(`${at}[${index}]`, item, undefined);
  }

  function walkRecord(at: string, wanted: JsonRecord, given: JsonRecord): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (value !== undefined) walk(`${at}.${name}`, value, given[name]);
    }
    for (const [name, value] of Object.entries(given)) {
      if (wanted[name] !== undefined) continue;
      // The arguments of a call or an act are all that there are.
      if (at.endsWith(".args")) report(`${at}.${name}`, undefined, value);
      else for (const leaf of leavesOf(`${at}.${name}`, value)) rest.add(leaf);
    }
  }

  walk(path, expected as Json, found as Json);
  return { ...comparison, rest: [...rest] };
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isRecord = (value: Json): value is JsonRecord => typeof value === "object" && value !== null && !isList(value);

function identityOf(item: Json): string {
  if (!isRecord(item)) return JSON.stringify(item ?? null);
  return JSON.stringify(identifying.map((field) => (isRecord(item[field]) ? null : (item[field] ?? null))));
}

function leavesOf(path: string, value: Json): string[] {
  if (isList(value)) return value.flatMap((item) => leavesOf(`${path}[]`, item));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, item]) => leavesOf(`${path}.${name}`, item));
  return [withoutPlaces(path)];
}

/** A path without the places in lists. */
export function withoutPlaces(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[]");
}

/** A list or a record in place of a figure, in short. */
function figureOf(value: Json): Figure | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (!isRecord(value)) return `a list of ${value.length}`;
  const known = Object.entries(value).filter(([name, part]) => identifying.includes(name) && !isRecord(part));
  return JSON.stringify(known.length > 0 ? Object.fromEntries(known) : value).slice(0, 300);
}
