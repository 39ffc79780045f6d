import type { Finding } from "@aqua/sdk/audit/compare";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { actCommitment, type LogEntry, type OperatorAct, operatorAct, readEntry } from "@aqua/sdk/proofs/log/entry";
import { LogFormatError } from "@aqua/sdk/proofs/log/tree";
import { type Hex, recoverTypedDataAddress } from "viem";
import { compareWithAct } from "./content.ts";

/** The server accepts an act within 5 minutes of its time, and then has to commit it. */
const MAX_ACT_DELAY_MS = 15 * MINUTE_MS;

/** An entry with its place in the log. */
export interface PlacedEntry {
  index: number;
  entry: LogEntry;
}

export interface CheckedEntries {
  entries: PlacedEntry[];
  /** Addresses of the operators whose signatures count at the end of the log. */
  operators: readonly string[];
  /** Numbers of entries that no operator signed though operators were in force, each the first of its subject. */
  unsigned: number[];
}

/**
 * Checks the form of each entry, that versions have no gap, and that each act is signed by an operator who was in force
 * and says what the entry contains. `site` is the origin of the log.
 */
export async function checkEntries(
  bytes: readonly Uint8Array[],
  site: string,
  report: (finding: Finding) => void,
): Promise<CheckedEntries> {
  const entries: PlacedEntry[] = [];
  const subjects = new Map<string, LogEntry>();
  const ids = new Set<string>();
  const used = new Set<string>();
  const unsigned: number[] = [];
  let operators: readonly string[] = [];
  for (const [index, one] of bytes.entries()) {
    const at = (path: string, expected: string | number, found: string | number | null) =>
      report({ path: `log.entries[${index}]${path}`, expected, found });
    const entry = parsed(one);
    if (typeof entry === "string") {
      at("", "an entry", entry);
      continue;
    }
    entries.push({ index, entry });
    const subject = `${entry.kind} ${entry.subject}`;
    const before = subjects.get(subject);
    const version = (before?.version ?? 0) + 1;
    if (entry.version !== version) at(".version", version, entry.version);
    if (ids.has(entry.id)) at(".id", "an id that no entry before has", entry.id);
    ids.add(entry.id);
    subjects.set(subject, entry);
    const { act } = entry;
    if (act !== null) {
      await checkAct(act, { site, operators, entry }, at);
      const use = `${act.commitment} ${subject}`;
      if (used.has(use)) at(".act.commitment", "an act that no entry before has", act.commitment);
      used.add(use);
      for (const finding of compareWithAct({ entry, act, before: before?.content ?? null })) {
        report({ ...finding, path: `log.entries[${index}].${finding.path}` });
      }
    } else if (operators.length > 0 && isOperators(entry)) {
      if (entry.version === 1 && !mustBeSigned.has(entry.kind)) unsigned.push(index);
      else at(".act", "the signature of an operator", null);
    }
    if (entry.kind === "operators") operators = (entry.content as { keys: string[] }).keys;
  }
  return { entries, operators, unsigned };
}

function parsed(bytes: Uint8Array): LogEntry | string {
  try {
    return readEntry(bytes);
  } catch (error) {
    if (error instanceof LogFormatError) return error.message;
    throw error;
  }
}

/** Kinds that only an operator's act makes. */
const mustBeSigned: ReadonlySet<string> = new Set(["act", "restore"]);
/** Whether an operator changes such a thing. The server lists what it had before the log by itself. */
const isOperators = ({ kind }: LogEntry) =>
  mustBeSigned.has(kind) || ["device", "device_interval", "declared_loss", "operator"].includes(kind);

async function checkAct(
  act: OperatorAct,
  { site, operators, entry }: { site: string; operators: readonly string[]; entry: LogEntry },
  at: (path: string, expected: string, found: string | number | null) => void,
): Promise<void> {
  const { body, nonce, commitment, operator } = act;
  if (body !== null) {
    const own = nonce === null ? null : actCommitment(nonce, body);
    if (own !== commitment) at(".act.commitment", own ?? "a nonce with the body", commitment);
  }
  const signer = await signerOf({ ...act, reason: entry.reason }, site);
  if (signer !== operator) at(".act.signature", `by ${operator}`, signer === null ? "no signature" : `by ${signer}`);
  if (!operators.includes(operator)) at(".act.operator", `one of ${operators.join(", ") || "no operators"}`, operator);
  if (Math.abs(entry.time - act.time) > MAX_ACT_DELAY_MS) at(".act.time", "about the time of the entry", act.time);
}

/** The address in lower case that signed an act. Null if the signature is of no key. */
async function signerOf(act: OperatorAct & Pick<LogEntry, "reason">, site: string): Promise<string | null> {
  try {
    const message = operatorAct({ ...act, site });
    return (await recoverTypedDataAddress({ ...message, signature: act.signature as Hex })).toLowerCase();
  } catch {
    return null;
  }
}
