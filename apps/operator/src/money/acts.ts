import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { deployableOf, freeInterest, withdrawableInterest } from "@aqua/sdk/maths/receipts";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { noReading } from "@aqua/sdk/proofs/reading";
import { type Abi, type Hex, zeroAddress } from "viem";
import { CommandError, UsageError } from "../api.ts";
import { table } from "../caseTable.ts";
import type { ActOptions, ChainValues } from "../chainSession.ts";
import { readNextIncome, whyNothing } from "../income.ts";
import { jsonText, type Terminal } from "../terminal.ts";
import { type Act, type Bound, carryOut } from "./carryOut.ts";
import {
  figuresOf,
  lossUnderReview,
  type MoneyProduct,
  moment,
  openProduct,
  readState,
  type State,
  type StateAt,
  type TermState,
  type VaultState,
} from "./product.ts";

export type Options = ActOptions & ChainValues;
export type WithAmount = Options & { amount: string };
interface ReportOptions extends Options {
  gain?: string | undefined;
  loss?: string | undefined;
  nothing?: true | undefined;
  asOf?: string | undefined;
  evidence?: string | undefined;
}

/** A product with its state at the newest block. */
interface Desk extends StateAt {
  product: MoneyProduct;
  terminal: Terminal;
}

export async function deskOf(shortId: string, options: Options, terminal: Terminal): Promise<Desk> {
  const product = await openProduct(shortId, options, terminal);
  return { product, terminal, ...(await readState(product)) };
}

/** `aqua money coverage` */
export async function coverage(
  shortId: string,
  options: ChainValues & { json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const { product, state, time } = await deskOf(shortId, options, terminal);
  const { chainId } = product.session;
  const figures = figuresOf(product, state);
  if (options.json) {
    const head = { product: shortId, chain_id: chainId, asset: product.asset.symbol, time: Number(time) * 1_000 };
    return terminal.out(jsonText({ ...head, ...figures }));
  }
  const rows = Object.entries(figures).map(([name, value]) => [name.replaceAll("_", " "), value]);
  terminal.out(`${shortId} on chain ${chainId}, ${moment(time)}\n${table(["FIGURE", product.asset.symbol], rows)}`);
}

/** `aqua money report` */
export async function report(shortId: string, options: ReportOptions, terminal: Terminal): Promise<void> {
  const named = [options.gain, options.loss, options.nothing].filter((one) => one !== undefined);
  if (named.length > 1) throw new UsageError("--gain, --loss and --nothing exclude each other");
  const desk = await deskOf(shortId, options, terminal);
  const { state } = desk;
  const act = state.kind === "vault" ? await vaultReport(desk, state, options) : termLoss(desk, state, options);
  await carryOut({ ...desk, act, options });
}

interface Result {
  delta: bigint;
  asOf: bigint;
  evidence: Hex;
}

async function vaultReport(desk: Desk, state: VaultState, options: ReportOptions): Promise<Act> {
  const { product, time } = desk;
  const { session, shortId, address } = product;
  const { delta, asOf, evidence } = await resultOf(desk, options);
  const vault = { address, abi: demandVaultAbi } as const;
  const most = await session.client.readContract({ ...vault, functionName: "maxGain", args: [asOf] });
  const amount = amountText(product);
  const bound = boundOf(product);
  const earliest = time > state.maxReportAge ? time - state.maxReportAge : 0n;
  const bounds = [
    timeBound("as_of_later_than", state.reportedTo > earliest ? state.reportedTo : earliest),
    timeBound("as_of_at_the_latest", time),
    bound("gain_at_most", most, ` as of ${moment(asOf)}`),
    bound("loss_at_most", state.deployed, ", which is deployed; above 1 % of the assets it is reviewed for a day"),
  ];
  const what = delta === 0n ? "nothing" : delta > 0n ? `a gain of ${amount(delta)}` : `a loss of ${amount(-delta)}`;
  return {
    ...{ name: "report", role: "reporter", keySetting: "REPORTER_PRIVATE_KEY", bounds },
    what: `report ${what} of ${shortId} as of ${moment(asOf)}, evidence ${evidence}`,
    refusal: reportRefusal({ delta, asOf, evidence }, { state, time, most, amount }),
    pays: delta > 0n ? delta : 0n,
    call: { ...vault, abi: demandVaultAbi as Abi, functionName: "report", args: [delta, asOf, evidence] },
  };
}

/** Why the vault would refuse a report. */
function reportRefusal(
  { delta, asOf, evidence }: Result,
  { state, time, most, amount }: { state: VaultState; time: bigint; most: bigint; amount: (units: bigint) => string },
): string | null {
  const review = underReview(state, time);
  if (review !== null) return review;
  if (asOf <= state.reportedTo)
    return `a report as of ${moment(asOf)} comes too late: income is already reported to ${moment(state.reportedTo)}`;
  if (asOf > time) return `a report as of ${moment(asOf)} is in the future: the newest block is of ${moment(time)}`;
  if (time - asOf > state.maxReportAge)
    return `a report as of ${moment(asOf)} is older than a report may be, ${state.maxReportAge} s`;
  if (evidence === noReading && state.evidenceUntil !== 0) return "a product with devices needs --evidence";
  if (delta > most)
    return `a gain of ${amount(delta)} exceeds the bound of ${amount(most)}; --gain reports a part of it`;
  if (-delta > state.deployed)
    return `a loss of ${amount(-delta)} exceeds what is deployed, ${amount(state.deployed)}; only that can be lost`;
  return null;
}

/** The result to report: of the options, else what the server computes from the anchored readings. */
async function resultOf({ product, time, terminal }: Desk, options: ReportOptions): Promise<Result> {
  const { gain, loss, nothing } = options;
  const { decimals } = product.asset;
  if (gain === undefined && loss === undefined && !nothing) {
    if (options.asOf !== undefined || options.evidence !== undefined)
      throw new UsageError("--as-of and --evidence belong to --gain, --loss or --nothing");
    const next = await readNextIncome(product.shortId, terminal.environment);
    if (next.verdict !== "ready" || next.to === null || next.expected === null || next.anchor === null) {
      const reason = next.verdict === "ready" ? "The server's answer is incomplete." : whyNothing[next.verdict];
      throw new CommandError(`${product.shortId} has nothing to report. ${reason}`);
    }
    const asOf = BigInt(Math.floor(next.to / 1_000));
    return { delta: parseUnits(next.expected, decimals), asOf, evidence: `0x${next.anchor.head.replace(/^0x/, "")}` };
  }
  const evidence = options.evidence ?? noReading;
  if (!/^0x[0-9a-f]{64}$/i.test(evidence)) throw new CommandError("--evidence must be 0x and 64 hex digits");
  const delta = nothing
    ? 0n
    : gain === undefined
      ? -amountOf("loss", loss, decimals)
      : amountOf("gain", gain, decimals);
  return { delta, asOf: asOfOf(options.asOf) ?? time, evidence: evidence as Hex };
}

function termLoss({ product, time }: Desk, state: TermState, options: ReportOptions): Act {
  const { shortId, address, asset } = product;
  if (options.loss === undefined)
    throw new CommandError(`${shortId} is a time deposit: it has no report of income, only --loss`);
  if (options.asOf !== undefined) throw new UsageError("the loss of a time deposit has no --as-of");
  const evidence = options.evidence ?? "";
  if (!/^0x[0-9a-f]{64}$/i.test(evidence)) throw new CommandError("--evidence must be 0x and 64 hex digits");
  const loss = amountOf("loss", options.loss, asset.decimals);
  const amount = amountText(product);
  const bound = boundOf(product);
  return {
    ...{ name: "report", role: "reporter", keySetting: "REPORTER_PRIVATE_KEY", pays: 0n },
    what: `book a loss of ${amount(loss)} of ${shortId}, evidence ${evidence}`,
    bounds: [
      bound("loss_at_most", state.deployed, ", which is deployed"),
      bound("without_review", freeInterest(state), ", the free interest"),
    ],
    refusal:
      underReview(state, time) ??
      (loss > state.deployed
        ? `a loss of ${amount(loss)} exceeds what is deployed, ${amount(state.deployed)}; only that can be lost`
        : null),
    call: { address, abi: termDepositAbi as Abi, functionName: "bookLoss", args: [loss, evidence] },
  };
}

/** `aqua money deploy` */
export async function deploy(shortId: string, options: WithAmount, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  const amount = amountText(product);
  const assets = amountOf("amount", options.amount, product.asset.decimals);
  const most = state.kind === "vault" ? state.deployable : deployableOf(state);
  const refusal =
    noCustodian(product, state) ??
    underReview(state, time) ??
    over(assets, most, { amount, what: "what may be deployed" });
  const act: Act = {
    ...{ name: "deploy", role: "treasurer", keySetting: "TREASURER_PRIVATE_KEY", refusal, pays: 0n },
    what: `deploy ${amount(assets)} of ${shortId} to the custodian ${state.custodian}`,
    bounds: [boundOf(product)("at_most", most, ": the cash without the buffer, and without what is owed")],
    call: { ...contractOf(product), functionName: "deploy", args: [assets] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money repay` */
export async function repay(shortId: string, options: WithAmount, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state } = desk;
  const amount = amountText(product);
  const assets = amountOf("amount", options.amount, product.asset.decimals);
  const isVault = state.kind === "vault";
  const act: Act = {
    ...{ name: "repay", role: "custodian", keySetting: "CUSTODIAN_PRIVATE_KEY", pays: assets },
    what: `repay ${amount(assets)} to ${shortId}`,
    bounds: [
      boundOf(product)("at_most", state.deployed, `, which is deployed${isVault ? "" : "; more is free interest"}`),
    ],
    refusal: isVault ? over(assets, state.deployed, { amount, what: "what is deployed" }) : null,
    call: { ...contractOf(product), functionName: "repay", args: [assets] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money fund` */
export async function fund(shortId: string, options: WithAmount, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state } = desk;
  if (state.kind === "vault")
    throw new CommandError(`${shortId} is a demand deposit: its income is reported, only a time deposit is funded`);
  const amount = amountText(product);
  const assets = amountOf("amount", options.amount, product.asset.decimals);
  const act: Act = {
    ...{ name: "fund", role: "treasurer", keySetting: "TREASURER_PRIVATE_KEY", refusal: null, pays: assets },
    what: `fund ${shortId} with ${amount(assets)} of interest`,
    bounds: [boundOf(product)("free_interest", freeInterest(state), " before it")],
    call: { ...contractOf(product), functionName: "fundInterest", args: [assets] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money process` */
export async function processQueue(shortId: string, options: Options, terminal: Terminal): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  if (state.kind === "term" || product.queue === null)
    throw new CommandError(`${shortId} is a time deposit: it has no queue`);
  const amount = amountText(product);
  const nothing =
    state.payable === 0n
      ? "there is nothing to process: no request is payable yet"
      : state.cash === 0n
        ? "there is nothing to process: the product has no cash for the payable requests; `aqua money repay` brings some"
        : null;
  const act: Act = {
    ...{ name: "process", role: "keeper", keySetting: "KEEPER_PRIVATE_KEY", pays: 0n },
    what: `process the queue of ${shortId}`,
    bounds: [
      boundOf(product)("at_most", state.cash, `, the cash; all shares in the queue are worth ${amount(state.owed)}`),
    ],
    refusal: underReview(state, time) ?? nothing,
    call: { address: product.queue, abi: redemptionQueueAbi as Abi, functionName: "process", args: [] },
  };
  await carryOut({ ...desk, act, options });
}

/** `aqua money sweep` */
export async function sweep(
  shortId: string,
  options: Options & { amount?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const desk = await deskOf(shortId, options, terminal);
  const { product, state, time } = desk;
  const amount = amountText(product);
  if (state.kind === "vault") {
    if (options.amount !== undefined) throw new UsageError("a demand deposit is swept as a whole, without --amount");
    const refusal =
      state.treasury === zeroAddress
        ? `${shortId} has no treasury to which fees could go`
        : state.surplus === 0n
          ? "there is nothing to sweep: no fees and no donations"
          : null;
    const act: Act = {
      ...{ name: "sweep", role: "keeper", keySetting: "KEEPER_PRIVATE_KEY", refusal, pays: 0n },
      what: `sweep ${amount(state.surplus)} of ${shortId} to the treasury ${state.treasury}`,
      bounds: [boundOf(product)("all", state.surplus, ": fees and donations")],
      call: { ...contractOf(product), functionName: "skim", args: [] },
    };
    return carryOut({ ...desk, act, options });
  }
  const most = withdrawableInterest(state);
  const assets = options.amount === undefined ? most : amountOf("amount", options.amount, product.asset.decimals);
  const nothing = most === 0n ? "there is nothing to sweep: no interest is free and in cash" : null;
  const act: Act = {
    ...{ name: "sweep", role: "treasurer", keySetting: "TREASURER_PRIVATE_KEY", pays: 0n },
    what: `sweep ${amount(assets)} of free interest of ${shortId} to the custodian ${state.custodian}`,
    bounds: [boundOf(product)("at_most", most, ": free interest in cash, beyond the buffer")],
    refusal: underReview(state, time) ?? nothing ?? over(assets, most, { amount, what: "the free interest" }),
    call: { ...contractOf(product), functionName: "withdrawInterest", args: [assets] },
  };
  await carryOut({ ...desk, act, options });
}

export const contractOf = ({ kind, address }: MoneyProduct) => ({
  address,
  abi: (kind === "vault" ? demandVaultAbi : termDepositAbi) as Abi,
});

export const amountText =
  ({ asset: { decimals, symbol } }: MoneyProduct) =>
  (units: bigint) =>
    `${formatUnits(units, decimals)} ${symbol}`;

/** Makes a bound of an amount; `note` continues its text. */
export const boundOf =
  (product: MoneyProduct) =>
  (name: string, units: bigint, note: string): Bound => ({
    name,
    value: formatUnits(units, product.asset.decimals),
    text: `${amountText(product)(units)}${note}`,
  });

const timeBound = (name: string, time: bigint): Bound => ({ name, value: moment(time), text: moment(time) });

export function over(
  assets: bigint,
  most: bigint,
  { amount, what }: { amount: (units: bigint) => string; what: string },
): string | null {
  return assets > most ? `${amount(assets)} exceed ${what}, ${amount(most)}` : null;
}

/** Why an act waits for the loss under review; null where none is. */
function underReview(state: State, time: bigint): string | null {
  const review = lossUnderReview(state, time);
  if (review === null) return null;
  const until = moment(review.until);
  if (review.until > time) return `a loss is under review until ${until}; the act waits for its end`;
  return `the review of a loss ended at ${until}, and the act waits until \`aqua money settle-loss\` books it`;
}

const noCustodian = ({ shortId }: MoneyProduct, { custodian }: State) =>
  custodian === zeroAddress ? `${shortId} has no custodian to which money could go` : null;

/** @throws CommandError unless the text is an amount above 0 with at most the asset's decimals */
export function amountOf(name: string, text: string | undefined, decimals: number): bigint {
  try {
    const units = parseUnits(text ?? "", decimals);
    if (units > 0n) return units;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new CommandError(`--${name} must be an amount above 0 with at most ${decimals} decimals, such as 1250.5`);
}

function asOfOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{9,11}$/.test(text)) return BigInt(text);
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(text);
  const time = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandError("--as-of must be a moment in UTC, such as 2026-03-01 or 2026-03-01T08:30Z, or Unix seconds");
  return BigInt(time / 1_000);
}
