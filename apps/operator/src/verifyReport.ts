import type { Reason, Step } from "@aqua/sdk/proofs/steps";
import type { FollowingStep } from "@aqua/sdk/proofs/verifyFile";
import type { IncomePlace, IncomeReason } from "@aqua/sdk/proofs/verifyIncome";

type ReportReason =
  | Reason
  | IncomeReason
  | NonNullable<FollowingStep["reason"]>
  /** The transaction named by a proof did not anchor the batch, is in another block, or is unknown to the node. */
  | "other_transaction"
  | "other_block"
  | "no_transaction";
/** A step of any of the checks. */
export interface ReportStep
  extends Pick<Step<string>, "step" | "state" | "line">,
    Pick<FollowingStep, "device" | "skipped"> {
  reason?: ReportReason;
  /** In the proof of an income, where it does not pass. */
  at?: IncomePlace;
  /** An addition to the text of a step that passes. */
  detail?: string;
}

/** Text of a step that passes. */
const passed = {
  proof: {
    form: "the proof has the right form, and the reading its canonical encoding",
    key: "the chain says that the device had exactly this key in that second",
    signature: "this key signed exactly this reading",
    co_signature: "the key that its co-signer had on chain in that second signed it too",
    leaf: "the leaf is this reading's",
    path: "the path leads from the leaf to the batch's root",
    batch: "the batch's own figures give its head",
    anchored: "the contract contains exactly this batch",
    time: "measured before its batch was closed",
  },
  batch: {
    form: "every line has the canonical form, and each reading its canonical encoding",
    key: "the chain says which key each device had in the second of each reading",
    signature: "every reading is signed by the key its device had",
    co_signature: "every co-signature is that of the key its co-signer had",
    chain: "in the file, every reading names the previous one of its device and is later",
    tree: "the readings give the batch's root",
    batch: "the batch's figures and this file give its head",
    anchored: "the contract contains this batch, and the hash of exactly this file",
    time: "every reading was measured before the batch was closed",
  },
  income: {
    form: "the file has the right form, and its events are in the month and in order",
    documents: "each formula is the one in the document with the hash that the report's evidence names",
    readings: "each register's reading is signed by its device's key, and its path leads to the root of its batch",
    keys: "the chain says that each device had exactly this key in that second",
    anchored: "the contract contains each of these batches",
    counted: "the registers counted these amounts in the reports' windows, and the formula gives these gains",
    reports: "each report changes the accounts as the contract does, and nothing else changes the stream",
    units: "the wallet's units follow from its movements",
    value: "each value is units × share price, rounded down, and what was earned adds up to the income",
    events: "the chain has each of these events at its place, with these accounts, of the listed product",
    balances: "the contracts held these balances at both ends of the month and of the reports' windows",
  },
  following: {
    form: "both are batch files",
    batch: "the second is the batch after the first",
    chain: "the first reading of each device in the second file names its previous one, or is its first",
  },
} as const;

const reasons: Record<ReportReason, string> = {
  shape: "it does not have the required form",
  range: "a figure is outside its range",
  form: "cannot be checked without the right form",
  other_reading: "it is the proof of another reading than the one asked for",
  no_chain: "only the chain can answer this",
  chain_away: "the node of the chain does not answer",
  no_contract: "on this chain there is no such contract",
  foreign_contract: "it names another contract or chain than yours",
  no_key: "the device had no key in that second: none yet, or it was revoked",
  other_key: "the chain has another key of the device for that second",
  signature: "this is not the signature of the device's key over this reading",
  no_co_key: "the co-signer had no key in that second: none yet, or it was revoked",
  co_signature: "this is not the signature of the named co-signer's key over this reading",
  own_co_signer: "the device is its own co-signer, but one party cannot sign for two",
  no_webcrypto: "this machine cannot verify P-256",
  leaf: "the leaf is not this reading's: it was swapped, or the reading changed",
  path: "the path does not lead to the batch's root: a foreign root, or another reading's path",
  stream: "the batch is of another product than it says",
  head: "the batch's figures do not give its head",
  not_anchored: "the contract contains no such batch",
  stale:
    "batches have been anchored since, and the node does not return them: ask another node, or get the proof again",
  reading_after_batch: "measured after its batch was closed",
  anchored_before_end: "anchored before the batch had ended",
  prev: "does not name the reading before it: one is missing or was changed",
  time_order: "not later than the reading before it",
  root: "the readings do not give the batch's root",
  published: "its figures are not those that were published",
  number: "it is not the batch after the other",
  other_transaction: "the transaction it names did not anchor this batch",
  other_block: "its block or its time is not that of the transaction it names: get the proof again",
  no_transaction: "the node does not know the transaction it names: ask another node, or get the proof again",
  month: "the bounds are not those of the month, or an event is outside it or out of order",
  document: "the formula is not in a document with this hash",
  evidence: "the report names another batch than the evidence",
  window: "a reading is missing, of another metric, or outside the report's window or batches",
  counted: "the registers did not count this, or the formula does not give these amounts",
  accounts: "the accounts do not follow from those before",
  units: "the units do not follow from the movements",
  value: "the amounts do not follow from units and price",
  event: "the chain has no such event there, or one with other values",
  balance: "the contracts held other balances",
  product: "the registry lists another product, or the product has other settings",
  unseen: "the reading before it is in none of the files: check from an earlier batch on",
};

export const verdictTexts: Record<Step<string>["state"], string> = {
  pass: "Everything is right.",
  fail: "NOT RIGHT.",
  unknown: "Nothing was found wrong, but not everything could be checked.",
};

const marks = { pass: "pass", fail: "FAIL", unknown: "?   " };

/** Larger times have no date. */
const LATEST_MS = 8.64e15;
/** @param time Unix milliseconds */
export const isoTime = (time: number) => (Math.abs(time) <= LATEST_MS ? new Date(time).toISOString() : `${time} ms`);

/** Returns one line per step: its state, its name and an explanation. */
export function stepsText(kind: keyof typeof passed, steps: readonly ReportStep[]): string {
  const words: Record<string, string> = passed[kind];
  return steps
    .map(({ step, state, reason, line, device, skipped, detail, at }) => {
      const why = reason === undefined ? (words[step] ?? "") : reasons[reason];
      const where = `${line === undefined ? "" : `line ${line}: `}${device === undefined ? "" : `${device}: `}${placeText(at)}`;
      const jumps = skipped === undefined ? "" : `; numbers that devices skipped: ${skipped}`;
      const more = detail === undefined ? "" : `; ${detail}`;
      return `${marks[state]}  ${step.padEnd(12)}  ${where}${why}${jumps}${more}\n`;
    })
    .join("");
}

function placeText(at: IncomePlace | undefined): string {
  if (at === undefined) return "";
  const { product, block, device, seq, batch } = at;
  const parts = [
    product,
    block !== undefined && `block ${block}`,
    batch !== undefined && `batch ${batch}`,
    device !== undefined && `reading ${seq} of ${device}`,
  ];
  return `${parts.filter(Boolean).join(", ")}: `;
}
