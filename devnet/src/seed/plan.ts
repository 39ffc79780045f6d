import { DAY, HOUR } from "@aqua/sdk/durations";
import { DEMO_DEPOSITOR } from "../accounts.ts";
import type { PlannedBatch } from "../fleet/batches.ts";
import { closingTime, FleetHistory, measuredUntil } from "../fleet/history.ts";
import { type KeyEvent, keyEvents } from "../fleet/keyPlan.ts";
import { announcedFee, devnetProducts, dollars, findProduct, shortIds, timeProducts } from "../products.ts";
import { Random } from "../random.ts";
import { demoIntents } from "./demoIntents.ts";
import { type EvidenceTerm, evidenceTerms } from "./evidence.ts";
import { flood, intentsOf, lateRequest, mistake, rushIntents } from "./intents.ts";
import { VaultModel } from "./model.ts";
import { type RecordAction, recordEvents, resolveRecord } from "./records.ts";
import { type Event, Schedule } from "./schedule.ts";
import { type DemandAction, resolveDemand } from "./story.ts";
import { termIntentsOf } from "./termIntents.ts";
import { TermModel } from "./termModel.ts";
import { resolveTerm, type TermAction } from "./termStory.ts";
import type { PlanOptions, WorldState } from "./worldState.ts";

/** One action on the chain, with exact amounts in smallest units. */
export type Action =
  | { kind: "onboard"; depositor: number; funds: bigint }
  | { kind: "anchor"; shortId: string; batch: PlannedBatch }
  | KeyEvent
  | RecordAction
  | DemandAction
  | TermAction;

/**
 * A block to be mined at exactly `time` (Unix seconds). It never holds two actions on one product, so their order does
 * not matter.
 */
export interface PlannedBlock {
  time: number;
  actions: Action[];
}

export interface Plan {
  blocks: PlannedBlock[];
  /** Expected state of each product after the last block. */
  vaults: ReadonlyMap<string, VaultModel>;
  termDeposits: ReadonlyMap<string, TermModel>;
  /** Readings of the devices, and their batches in the order in which they are anchored. */
  history: FleetHistory;
  batches: readonly PlannedBatch[];
  /** Evidence terms of each product. */
  evidence: ReadonlyMap<string, EvidenceTerm>;
}

/** The operators' checks run at nine in the morning (UTC), one after another. */
const DESK_OPENS = 9 * HOUR;
/**
 * Seconds between the day's report and a loss, so that the report after it still covers a day's reading and a day's
 * time.
 */
const AFTER_REPORT = 2_700;
/**
 * Time before the end of the seeded time at which the owner announces a fee: shorter than the delay, so that the fee is
 * pending then.
 */
const ANNOUNCED_BEFORE = 5 * HOUR;

/** Plans a world: the same options give the same blocks, to the last unit. */
export function planWorld(options: PlanOptions): Plan {
  const { start, end, depositors } = options;
  const days = Math.floor((end - start) / DAY);
  const events: Event[] = [...operatorEvents(start, end), ...recordEvents(start, end)];
  const intents = [...rushIntents(end - start)].filter(({ kind }) => kind !== "rush" || depositors > 1);
  for (let depositor = 0; depositor < depositors; depositor++) {
    for (const intent of intentsOf(depositor, days, depositors)) intents.push(intent);
    for (const intent of termIntentsOf(depositor, days)) events.push({ ...intent, time: start + intent.time });
  }
  for (const intent of demoIntents(end - start)) events.push({ ...intent, time: start + Math.floor(intent.time) });
  for (const intent of intents) events.push({ ...intent, time: start + intent.time });

  const approved = new Set<string>();
  const spent = new Map<number, bigint>();
  const history = new FleetHistory(start, end);
  const batches: PlannedBatch[] = [];
  const last = new Map<string, PlannedBatch>();
  const story: WorldState = {
    ...options,
    agenda: new Schedule(events, start, end),
    vaults: new Map(devnetProducts.map(({ shortId, buffer }) => [shortId, new VaultModel(start, buffer)])),
    termDeposits: new Map(timeProducts.map((product) => [product.shortId, new TermModel(product)])),
    onboarded: new Set(),
    silent: new Set(),
    history,
    lastBatch: (shortId) => last.get(shortId)?.number ?? 0,
    batchUpTo(shortId, to) {
      const { number, to: before } = last.get(shortId) ?? { number: 0, to: start - 1 };
      if (!history.measured(shortId, before, to)) return null;
      const batch = { shortId, number: number + 1, from: before + 1, to };
      last.set(shortId, batch);
      batches.push(batch);
      return batch;
    },
    firstPayment(depositor, shortId) {
      const known = approved.size;
      return approved.add(`${depositor} ${shortId}`).size > known;
    },
    spend: (depositor, assets) => void spent.set(depositor, (spent.get(depositor) ?? 0n) + assets),
  };
  const evidence = evidenceTerms(options);
  for (const [shortId, { until }] of evidence) {
    const product = story.vaults.get(shortId) ?? story.termDeposits.get(shortId);
    if (product !== undefined) product.evidenceUntil = until;
  }
  const blocks: PlannedBlock[] = [];
  for (let group = story.agenda.next(); group !== null; group = story.agenda.next()) {
    const { time } = group;
    const actions = group.events.map((event) => resolve(event, story, time)).filter((action) => action !== null);
    if (actions.length > 0) blocks.push({ time, actions });
  }
  fund(blocks, spent);
  return { blocks, vaults: story.vaults, termDeposits: story.termDeposits, history, batches, evidence };
}

/** Turns an event into an action at `time` and applies it to the models; null when it is not possible then. */
function resolve(event: Event, story: WorldState, time: number): Action | null {
  if (event.kind === "onboard") {
    story.onboarded.add(event.depositor);
    return { kind: "onboard", depositor: event.depositor, funds: 0n };
  }
  if (event.kind === "registerKey" || event.kind === "revokeKey") return event;
  if (
    event.kind === "freeze" ||
    event.kind === "proposeRecovery" ||
    event.kind === "executeRecovery" ||
    event.kind === "recoverHoldings"
  )
    return resolveRecord(event, story);
  if ("depositor" in event && story.silent.has(event.depositor)) return null;
  if (event.kind === "anchor") {
    const batch = story.batchUpTo(event.shortId, event.time);
    return batch === null ? null : { kind: "anchor", shortId: event.shortId, batch };
  }
  const product = story.termDeposits.get(event.shortId);
  return product === undefined ? resolveDemand(event, story, time) : resolveTerm({ event, product, story, time });
}

/**
 * Scheduled events: keys and batches of the devices, reports, the operators' checks, fees that are collected, evidence
 * that is renewed, a fee that is announced, the flood, the mistaken loss, the closing of a product.
 */
function* operatorEvents(start: number, end: number): Generator<Event> {
  const part = (perThousand: number) => start + Math.floor(((end - start) * perThousand) / 1_000);
  const firstDay = Math.ceil(start / DAY);
  yield* keyEvents({ start, end });
  for (const shortId of shortIds) yield { kind: "anchor", time: measuredUntil(end), shortId };
  for (const [shortId, { renewedAt, renewedUntil }] of evidenceTerms({ start, end })) {
    yield { kind: "renewEvidence", time: renewedAt, shortId, until: renewedUntil };
  }
  for (const { shortId, reportEveryDays, reportMinute } of devnetProducts) {
    const first = Math.ceil((start - reportMinute * 60) / DAY) + 1;
    let mistaken = shortId !== mistake.shortId;
    let requestedLate = shortId !== lateRequest.shortId;
    for (let day = first; day * DAY < end; day += reportEveryDays) {
      // Operators report within a quarter of an hour, not on the second.
      const time = day * DAY + reportMinute * 60 + new Random(`${shortId} report ${day}`).between(0, 900);
      if (!requestedLate && time >= part(lateRequest.after)) {
        requestedLate = true;
        const { rank, perThousand } = lateRequest;
        yield { kind: "rush", time: time - lateRequest.before, shortId, rank, perThousand, exact: true };
        yield { kind: "report", time, shortId, asOf: time - 2 * lateRequest.before };
      } else yield { kind: "report", time, shortId };
      if (!mistaken && time >= part(mistake.after)) {
        mistaken = true;
        yield { kind: "mistake", time: time + AFTER_REPORT, shortId };
      }
    }
    for (let day = firstDay; day * DAY < end; day++) yield { kind: "desk", time: deskTime(shortId, day), shortId };
    for (let day = firstDay + 20; day * DAY < end; day += 30) {
      yield { kind: "skim", time: day * DAY + 11 * HOUR + 97 * shortId.length, shortId };
    }
    const closing = closingTime(shortId, { start, end });
    if (closing !== null) yield { kind: "closeProduct", time: closing, shortId };
  }
  yield { kind: "announceFee", time: end - ANNOUNCED_BEFORE, shortId: announcedFee.shortId };
  const minute = findProduct(flood.shortId).reportMinute * 60 + AFTER_REPORT;
  const time = Math.floor((part(flood.after) - minute) / DAY) * DAY + minute;
  yield { kind: "flood", time, shortId: flood.shortId };
  for (const { shortId } of timeProducts) {
    yield { kind: "fund", time: start + 300, shortId };
    for (let day = firstDay; day * DAY < end; day++) {
      yield { kind: "termDesk", time: deskTime(shortId, day), shortId };
      if (day % 7 === 1) yield { kind: "fund", time: day * DAY + 8 * HOUR, shortId };
      if (day % 7 === 3) yield { kind: "anchor", time: day * DAY + 6 * HOUR + 61 * shortId.length, shortId };
    }
  }
}

function deskTime(shortId: string, day: number): number {
  return day * DAY + DESK_OPENS + new Random(`${shortId} desk ${day}`).between(0, 2_400);
}

/**
 * Sets the funds that each depositor gets when onboarding: the sum of all later deposits, and for all but the demo
 * wallet a reserve.
 */
function fund(blocks: readonly PlannedBlock[], spent: ReadonlyMap<number, bigint>): void {
  for (const { actions } of blocks) {
    for (const action of actions) {
      if (action.kind !== "onboard") continue;
      const { depositor } = action;
      const spare = depositor === DEMO_DEPOSITOR ? 0 : new Random(`spare ${depositor}`).between(40, 6_000);
      action.funds = (spent.get(depositor) ?? 0n) + dollars(spare);
    }
  }
}
