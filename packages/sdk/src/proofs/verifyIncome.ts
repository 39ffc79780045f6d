import { keccak_256 } from "@noble/hashes/sha3";
import { utf8ToBytes } from "@noble/hashes/utils";
import type { IncomeProof, PoolAccounts } from "../api/incomeProof.ts";
import type { ReadingProof } from "../api/telemetry.ts";
import { afterReport, firstMark } from "../maths/report.ts";
import { fineFigure } from "../telemetry/figure.ts";
import { incomeMetrics, incomeOf, termsOf } from "../telemetry/income.ts";
import { batchDigest, nextHead } from "./batch.ts";
import { type ChainReader, isAnchored } from "./chain.ts";
import { earnedBy, type HoldingEvent, type IncomeEvent, poolOf, type ReportEvent } from "./income.ts";
import { isIncomeProof } from "./incomeForm.ts";
import { encodeReading, leafOf, nameHex, noReading, readingHash, readingOf, toHex } from "./reading.ts";
import { anchoredStep, type Reason, type Step, verdictOf } from "./steps.ts";
import { verifyProof } from "./verify.ts";

/** The checks of an income proof, in order from the meters to the wallet, and last those that need the chain alone. */
export const incomeSteps = [
  "form",
  "documents",
  "readings",
  "keys",
  "anchored",
  "counted",
  "reports",
  "units",
  "value",
  "events",
  "balances",
] as const;
export type IncomeStepName = (typeof incomeSteps)[number];

/** The reasons that only an income proof has. */
export type IncomeReason =
  /** The month's bounds are not those of the month, or an event is outside it or out of order. */
  | "month"
  /** The formula is not the one in the document with this hash, or the document is missing. */
  | "document"
  /** The report names another batch than the evidence. */
  | "evidence"
  /** A reading is missing, of another metric, or outside the report's window or batches. */
  | "window"
  /** The registers do not count this, or the formula does not give these amounts. */
  | "counted"
  /** The accounts do not follow from those before. */
  | "accounts"
  /** The units do not follow from the movements. */
  | "units"
  /** The values or what was earned do not follow from units and price. */
  | "value"
  /** The chain has no such event there, or one with other values. */
  | "event"
  /** The contracts held other balances. */
  | "balance"
  /** The chain lists another product, or the product has other settings. */
  | "product";

/** The first thing in the file at which a step does not pass. */
export interface IncomePlace {
  product: string;
  block?: number;
  device?: string;
  seq?: number;
  batch?: number;
}

export interface IncomeStep {
  step: IncomeStepName;
  state: Step<string>["state"];
  reason?: Reason | IncomeReason;
  at?: IncomePlace;
}

type Product = IncomeProof["products"][number];
type Judgement = Omit<IncomeStep, "step">;

interface Place {
  block: number;
  logIndex: number;
}
export interface EventOnChain {
  hash: string;
  /** Unix seconds. */
  time: number;
  /** The vault's accounts right after the event. */
  accounts: PoolAccounts;
  what:
    | {
        kind: "report";
        delta: bigint;
        asOf: number;
        /** The `asOf` of the report before. */
        from: number;
        evidenceRoot: string;
        /** The document that the registry names at the end of the block. */
        document: string;
        before: PoolAccounts;
      }
    | { kind: "loss_taken_back" | "loss_restored" }
    /** Lines of a statement by `linesOf`. `processed` has the amounts of the whole batch, and no wallet. */
    | {
        kind: "lines";
        lines: readonly { kind: string; wallet: string | null; shares: bigint | null; assets: bigint | null }[];
      };
}

interface OfProduct {
  shortId: string;
  contract: string;
  queue: string | null;
}

/** Reads events and past states of the chain. Each call throws if the node does not answer or keeps no history. */
export interface IncomeChain extends ChainReader {
  /** The product that the registry lists under the short id. Null if it lists another contract or none. */
  productOf(product: OfProduct): Promise<{
    symbol: string;
    decimals: number;
    queue: string | null;
    vestingTime: number;
  } | null>;
  /** Null if there is no such event of the vault or its queue. */
  eventAt(product: OfProduct, place: Place): Promise<EventOnChain | null>;
  /** The newest block not after `time` (Unix seconds) and below `below`. Null if the chain began later. */
  blockAt(time: number, below: number | null): Promise<{ block: number; time: number } | null>;
  /** The accounts at the end of a block, and what the wallet holds. Null if the vault did not exist. */
  stateAt(
    product: OfProduct,
    wallet: string,
    block: number,
  ): Promise<{ accounts: PoolAccounts; units: bigint; claimable: bigint } | null>;
}

const pass: Judgement = { state: "pass" };
const fail = (reason: Reason | IncomeReason, at: IncomePlace): Judgement => ({ state: "fail", reason, at });
const unknown = (reason: Reason, at?: IncomePlace): Judgement => ({ state: "unknown", reason, ...(at && { at }) });

/**
 * Checks every link inside an income proof, and with `chain` also that events, keys, batches and balances are those of
 * the chain. Runs all steps in order, even if earlier ones failed. Without `chain`, the steps that need it are unknown.
 */
export async function verifyIncomeProof(proof: unknown, chain: IncomeChain | null): Promise<IncomeStep[]> {
  const malformed = malformedBy(proof);
  if (malformed !== null || !isIncomeProof(proof)) {
    return incomeSteps.map((step, index) =>
      index === 0 ? { step, state: "fail", ...(malformed ?? { reason: "shape" }) } : { step, ...unknown("form") },
    );
  }
  const reader = chain && remembering(chain);
  const judge = (check: (product: Product) => Judgement) => worst(proof.products.map(safely(check)));
  const judgements: Record<IncomeStepName, Judgement> = {
    form: pass,
    documents: judge(judgeDocuments),
    ...(await judgeReadings(proof, reader)),
    anchored: worst(await inTurn(proof.products, (product) => judgeBatches(product, proof.chain_id, reader))),
    counted: judge(judgeCounts),
    reports: judge(judgeReports),
    units: judge(judgeUnits),
    value: judge((product) => judgeValues(product, proof)),
    events: worst(await inTurn(proof.products, (product) => onChain(reader, judgeEvents, { product, proof }))),
    balances: worst(await inTurn(proof.products, (product) => onChain(reader, judgeBalances, { product, proof }))),
  };
  return incomeSteps.map((step) => ({ step, ...judgements[step] }));
}

/** The worst of some judgements, the first of its kind. */
function worst(judgements: readonly Judgement[]): Judgement {
  const verdict = verdictOf(judgements);
  return judgements.find(({ state }) => state === verdict) ?? pass;
}

/** A forged number can make a formula divide by zero. */
function safely(check: (product: Product) => Judgement): (product: Product) => Judgement {
  return (product) => {
    try {
      return check(product);
    } catch (error) {
      if (error instanceof RangeError) return fail("range", { product: product.short_id });
      throw error;
    }
  };
}

async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The same call has the same answer, so that a batch is asked for once and not for each of its readings. */
function remembering(chain: IncomeChain): IncomeChain {
  const answers = new Map<string, Promise<string>>();
  return {
    ...chain,
    call(to, data) {
      const key = `${to} ${data}`;
      const answer = answers.get(key) ?? chain.call(to, data);
      answers.set(key, answer);
      return answer;
    },
  };
}

/** The reason why a file's form is wrong, or null. */
function malformedBy(proof: unknown): Omit<Judgement, "state"> | null {
  if (!isIncomeProof(proof)) return { reason: "shape" };
  const { month, from, to, block } = proof;
  const [year = 0, number = 0] = month.split("-").map(Number);
  const [start, end] = [Date.UTC(year, number - 1, 1) / 1_000, Date.UTC(year, number, 1) / 1_000];
  if (from !== start || (block === null ? to !== end : to < start || to >= end)) return { reason: "month" };
  for (const { short_id, steps } of proof.products) {
    let before: IncomeEvent | null = null;
    for (const step of steps) {
      const { block: at, log_index, time } = step;
      const inOrder: boolean =
        before === null ||
        (before.time <= time && (before.block < at || (before.block === at && before.log_index < log_index)));
      if (!inOrder || time < from || time > to) return { reason: "month", at: { product: short_id, block: at } };
      before = step;
    }
  }
  return null;
}

const reportsIn = ({ steps }: Product) => steps.filter((step): step is ReportEvent => step.kind === "report");
const placeIn = ({ short_id }: Product, { block }: Pick<IncomeEvent, "block">) => ({ product: short_id, block });

/** Each formula is the one in the document whose text has the hash that the report's evidence names. */
function judgeDocuments(product: Product): Judgement {
  const incomes = new Map<string, unknown>();
  for (const { hash, text } of product.documents) {
    if (toHex(keccak_256(utf8ToBytes(text))) !== hash) return fail("document", { product: product.short_id });
    incomes.set(hash, parsed(text));
  }
  for (const step of reportsIn(product)) {
    if (step.evidence === null) continue;
    const { document, metric } = step.evidence;
    const named = incomes.get(document) as { short_id?: unknown; income?: Record<string, unknown> } | undefined;
    const same =
      named?.short_id === product.short_id &&
      Object.entries(metric).every(([name, value]) => named.income?.[name] === value);
    if (!same) return fail("document", placeIn(product, step));
  }
  return pass;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type FileReading = Product["readings"][number];
type FileBatch = Product["batches"][number];

const figuresOf = (product: Product, { number, root, from, to, count, data_hash }: FileBatch) => ({
  ...{ stream: nameHex(product.short_id), number, root, from, to, count },
  dataHash: data_hash,
});

/** A reading as the proof that `verifyProof` takes. What an income proof does not state is filled in neutrally. */
function proofOf(product: Product, chainId: number, { reading, key, batch: number, proof }: FileReading) {
  const batch = product.batches.find((one) => one.number === number);
  if (batch === undefined || product.telemetry === null) return null;
  return {
    format: "aqua-reading-proof-1",
    reading,
    key: { ...key, valid_until: null },
    leaf: toHex(leafOf(readingHash(encodeReading(readingOf(reading))))),
    batch: {
      ...batch,
      chain_id: chainId,
      contract: product.telemetry,
      short_id: product.short_id,
      stream: nameHex(product.short_id),
      block: 0,
      block_time: batch.to * 1_000,
      hash: noReading,
    },
    proof,
  } satisfies ReadingProof;
}

/** Judges the readings by themselves, and apart from that the keys that only the chain knows. */
async function judgeReadings(
  { products, chain_id }: IncomeProof,
  chain: IncomeChain | null,
): Promise<Record<"readings" | "keys", Judgement>> {
  const found: Record<"readings" | "keys", Judgement[]> = { readings: [], keys: [] };
  for (const product of products) {
    for (const one of product.readings) {
      const { device, seq } = one.reading;
      const at = { product: product.short_id, device, seq };
      let proof: ReadingProof | null = null;
      try {
        proof = proofOf(product, chain_id, one);
      } catch {
        // A figure does not fit into the encoding; the reading fails below.
      }
      if (proof === null) {
        found.readings.push(fail("range", at));
        continue;
      }
      for (const { step, state, reason } of await verifyProof(proof, chain)) {
        // `anchored` is judged by batch.
        if (state === "pass" || step === "anchored") continue;
        const asksChain = step === "key" || (step === "co_signature" && state === "unknown");
        found[asksChain ? "keys" : "readings"].push({ state, at, ...(reason && { reason }) });
      }
    }
  }
  return { readings: worst(found.readings), keys: worst(found.keys) };
}

/** Each batch's figures give its head, and the contract contains the batch. */
async function judgeBatches(product: Product, chainId: number, chain: IncomeChain | null): Promise<Judgement> {
  const judgements = await inTurn(product.batches, async (batch): Promise<Judgement> => {
    const at = { product: product.short_id, batch: batch.number };
    try {
      const figures = figuresOf(product, batch);
      if (nextHead(batch.previous_head, batchDigest(figures)) !== batch.head) return fail("head", at);
      const { telemetry } = product;
      if (telemetry === null) return fail("no_contract", at);
      const answer = await isAnchored(chain, telemetry, {
        ...figures,
        previousHead: batch.previous_head,
        later: batch.later,
      });
      const { state, reason } = anchoredStep({ contract: telemetry, chain_id: chainId }, chain, answer);
      return { state, ...(reason && { reason, at }) };
    } catch (error) {
      if (error instanceof RangeError) return fail("range", at);
      throw error;
    }
  });
  return worst(judgements);
}

type Evidence = NonNullable<ReportEvent["evidence"]>;

/** Registers give what was counted, and the formula the gain. Each report begins where the one before ended. */
function judgeCounts(product: Product): Judgement {
  const readings = new Map(product.readings.map((one) => [`${one.reading.device} ${one.reading.seq}`, one]));
  let before: Evidence | null = null;
  for (const step of reportsIn(product)) {
    const reason = step.evidence && wrongCount(product, { step, evidence: step.evidence, before, readings });
    if (reason) return fail(reason, placeIn(product, step));
    before = step.evidence;
  }
  return pass;
}

function wrongCount(
  product: Product,
  {
    step,
    evidence,
    before,
    readings,
  }: {
    step: ReportEvent;
    evidence: Evidence;
    before: Evidence | null;
    readings: ReadonlyMap<string, FileReading>;
  },
): IncomeReason | null {
  const { batch: number, metric, devices, at_end } = evidence;
  const batch = product.batches.find((one) => one.number === number);
  if (batch?.head !== step.evidence_root) return "evidence";
  let total = 0n;
  for (const { device, first, last, counted } of devices) {
    const start = readings.get(`${device} ${first}`);
    const end = readings.get(`${device} ${last}`);
    if (!start || !end || !isInWindow({ step, evidence, start, end })) return "window";
    const ended = before?.devices.find((one) => one.device === device);
    if (ended && ended.last !== first) return "window";
    const difference = fineFigure(BigInt(end.reading.value) - BigInt(start.reading.value), end.reading.exponent);
    if (difference < 0n || difference !== BigInt(counted)) return "counted";
    total += difference;
  }
  if (new Set(devices.map(({ device }) => device)).size !== devices.length) return "counted";
  const { proceeds, gain } = incomeOf(termsOf(metric, product.decimals), total, poolOf(at_end, step.as_of).totalAssets);
  const same = [total, proceeds, gain].map(String);
  return same.join() === [evidence.counted, evidence.proceeds, evidence.gain].join() ? null : "counted";
}

function isInWindow({
  step: { as_of },
  evidence: { batch, metric },
  start,
  end,
}: {
  step: ReportEvent;
  evidence: Evidence;
  start: FileReading;
  end: FileReading;
}): boolean {
  const { register } = incomeMetrics[metric.id];
  return (
    [start, end].every((one) => one.reading.metric === register && one.batch <= batch) &&
    start.reading.exponent === end.reading.exponent &&
    start.reading.seq <= end.reading.seq &&
    start.reading.time <= end.reading.time &&
    end.reading.time <= as_of * 1_000
  );
}

const sameAccounts = (a: PoolAccounts, b: PoolAccounts) =>
  (["supply", "settled", "streaming", "start", "end"] as const).every((name) => a[name] === b[name]);
const sameStream = (a: PoolAccounts, b: PoolAccounts) =>
  (["streaming", "start", "end"] as const).every((name) => a[name] === b[name]);

/** Each report changes the accounts as the contract does, and nothing else changes what is streamed. */
function judgeReports(product: Product): Judgement {
  const { opening, steps, closing, short_id } = product;
  let accounts = opening?.accounts ?? null;
  let covered: number | null = null;
  for (const step of steps) {
    const isReport = step.kind === "report";
    const next = isReport ? step.before : step.accounts;
    const isLoss = step.kind === "loss_taken_back" || step.kind === "loss_restored";
    if (accounts !== null && !isLoss && !sameStream(accounts, next)) return fail("accounts", placeIn(product, step));
    if (isReport) {
      const follows = (covered === null || covered === step.from) && step.from <= step.as_of && step.as_of <= step.time;
      if (!follows || !sameAccounts(accountsAfter(step, product), step.accounts)) {
        return fail("accounts", placeIn(product, step));
      }
      covered = step.as_of;
    }
    accounts = step.accounts;
  }
  const holds = accounts === null || sameStream(accounts, closing.accounts);
  return holds ? pass : fail("accounts", { product: short_id });
}

function accountsAfter(
  { before, delta, fee, time, from, as_of }: ReportEvent,
  { vesting_time }: Product,
): PoolAccounts {
  const [gain, kept] = [BigInt(delta), BigInt(fee)];
  if (kept < 0n || (kept > 0n && kept > gain)) throw new RangeError("The fee is not part of the gain");
  const { supply, settled, streaming, start, end } = before;
  const stream = {
    settled: BigInt(settled),
    streaming: BigInt(streaming),
    start: BigInt(start),
    end: BigInt(end),
  };
  // The fee is taken off first. What was lost had been deployed, or the contract would have reported less.
  const { books } = afterReport({
    books: { stream, supply: BigInt(supply), deployed: gain < 0n ? -gain : 0n, mark: firstMark, fee: 0n },
    delta: gain - kept,
    at: BigInt(time),
    covered: BigInt(as_of - from),
    vestingTime: BigInt(vesting_time),
  });
  return {
    supply,
    settled: String(books.stream.settled),
    streaming: String(books.stream.streaming),
    start: Number(books.stream.start),
    end: Number(books.stream.end),
  };
}

const heldIn = (held: { units: string; claimable: string } | null) => ({
  units: BigInt(held?.units ?? 0),
  claimable: BigInt(held?.claimable ?? 0),
});

function follow({ opening, steps, closing }: Product, { from, to }: { from: number; to: number }) {
  return earnedBy<IncomeEvent & HoldingEvent>({
    opening: opening && { accounts: opening.accounts, time: from, ...heldIn(opening) },
    events: steps,
    closing: { accounts: closing.accounts, time: to },
  });
}

/** Each movement changes the units and the set-aside money by its own amounts, and nothing else does. */
function judgeUnits(product: Product): Judgement {
  const { steps, closing } = follow(product, { from: 0, to: 0 });
  // A request moves no money, so it must not state any.
  const wrong = steps.find(
    ({ event, held }) => !isHeld(event, held) || (event.kind === "request" && event.assets !== "0"),
  );
  if (wrong) return fail("units", placeIn(product, wrong.event));
  return isHeld(product.closing, closing) ? pass : fail("units", { product: product.short_id });
}

const isHeld = (stated: { units: string; claimable: string }, held: { units: bigint; claimable: bigint }) =>
  held.units >= 0n &&
  held.claimable >= 0n &&
  stated.units === String(held.units) &&
  stated.claimable === String(held.claimable);

/** Each value is units × price, and what was earned adds up to the income. */
function judgeValues(product: Product, span: { from: number; to: number }): Judgement {
  const { opening } = product;
  const { steps, closing, income } = follow(product, span);
  const wrong = steps.find(
    ({ event, value, earned }) => event.value !== String(value) || event.earned !== String(earned),
  );
  if (wrong) return fail("value", placeIn(product, wrong.event));
  const start = earnedBy({
    opening: opening && { accounts: opening.accounts, time: span.from, ...heldIn(opening) },
    events: [],
    closing: { accounts: (opening ?? product.closing).accounts, time: span.from },
  });
  const opens = opening === null || opening.value === String(start.closing.value);
  const closes = product.closing.value === String(closing.value) && product.income === String(income);
  return opens && closes ? pass : fail("value", { product: product.short_id });
}

interface Questioned {
  product: Product;
  proof: IncomeProof;
}

/** Judges by the chain, or says why it cannot. */
async function onChain(
  chain: IncomeChain | null,
  judge: (chain: IncomeChain, about: Questioned) => Promise<Judgement>,
  about: Questioned,
): Promise<Judgement> {
  const at = { product: about.product.short_id };
  if (chain === null) return unknown("no_chain");
  if (chain.chainId !== undefined && chain.chainId !== about.proof.chain_id) return fail("foreign_contract", at);
  try {
    return await judge(chain, about);
  } catch {
    return unknown("chain_away", at);
  }
}

const ofProduct = ({ short_id, contract, queue }: Product) => ({ shortId: short_id, contract, queue });
const sameText = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase();

/** The product is the one that the registry lists, and each event is at its place in the chain. */
async function judgeEvents(chain: IncomeChain, { product, proof }: Questioned): Promise<Judgement> {
  const listed = await chain.productOf(ofProduct(product));
  const known =
    listed !== null &&
    listed.symbol === product.symbol &&
    listed.decimals === product.decimals &&
    listed.vestingTime === product.vesting_time &&
    sameText(listed.queue, product.queue);
  if (!known) return fail("product", { product: product.short_id });
  for (const step of product.steps) {
    const found = await chain.eventAt(ofProduct(product), { block: step.block, logIndex: step.log_index });
    const same =
      found !== null &&
      found.time === step.time &&
      sameText(found.hash, step.hash) &&
      sameAccounts(found.accounts, step.accounts) &&
      isSameEvent(found.what, step, proof.wallet);
    if (!same) return fail("event", placeIn(product, step));
  }
  return pass;
}

function isSameEvent(what: EventOnChain["what"], step: IncomeEvent, wallet: string): boolean {
  if (what.kind === "lines") {
    if (!("shares" in step)) return false;
    return what.lines.some((line) => line.kind === step.kind && isSameLine(line, step, wallet));
  }
  if (what.kind !== step.kind) return false;
  if (what.kind !== "report" || step.kind !== "report") return true;
  const { delta, asOf, from, evidenceRoot, document, before } = what;
  return (
    String(delta) === step.delta &&
    asOf === step.as_of &&
    from === step.from &&
    sameText(evidenceRoot, step.evidence_root) &&
    (step.evidence === null || sameText(document, step.evidence.document)) &&
    sameAccounts(before, step.before)
  );
}

function isSameLine(
  line: Extract<EventOnChain["what"], { kind: "lines" }>["lines"][number],
  { kind, shares, assets }: Extract<IncomeEvent, { shares: string }>,
  wallet: string,
): boolean {
  // The queue processes several wallets together. The wallet's own part then follows from its balances.
  if (kind === "processed") return BigInt(shares) <= (line.shares ?? 0n) && BigInt(assets) <= (line.assets ?? 0n);
  const money = kind === "deposit" || kind === "withdraw" || kind === "claim";
  return (
    sameText(line.wallet, wallet) &&
    (line.shares === null || line.shares === BigInt(shares)) &&
    (!money || line.assets === BigInt(assets))
  );
}

/** The contracts held these balances at both ends of the month, and at the end of each report's window. */
async function judgeBalances(chain: IncomeChain, { product, proof }: Questioned): Promise<Judgement> {
  const { wallet, from, to, block } = proof;
  const at = { product: product.short_id };
  const stateAt = async (time: number, below: number | null) => {
    const found = await chain.blockAt(time, below);
    return { found, state: found && (await chain.stateAt(ofProduct(product), wallet, found.block)) };
  };
  const start = await stateAt(from - 1, null);
  const end = await stateAt(block === null ? to - 1 : to, block === null ? null : block + 1);
  if (block !== null && (end.found?.block !== block || end.found.time !== to)) return fail("balance", at);
  for (const [state, stated] of [[start.state, product.opening] as const, [end.state, product.closing] as const]) {
    const same =
      state === null || stated === null
        ? state === stated
        : sameAccounts(state.accounts, stated.accounts) && isHeld(stated, state);
    if (!same) return fail("balance", at);
  }
  for (const step of reportsIn(product)) {
    if (step.evidence === null) continue;
    const { state } = await stateAt(step.as_of, step.block);
    if (state === null || !sameAccounts(state.accounts, step.evidence.at_end)) {
      return fail("balance", placeIn(product, step));
    }
  }
  return pass;
}
