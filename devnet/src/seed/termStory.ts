import { DAY, HOUR } from "@aqua/sdk/durations";
import { interestToFund, type Move, termHorizon, termMove } from "../desk.ts";
import { Random } from "../random.ts";
import type { Event } from "./schedule.ts";
import type { OpenIntent } from "./termIntents.ts";
import { type RolloverChoice, receiptStatus, roll, type TermModel } from "./termModel.ts";
import type { WorldState } from "./worldState.ts";

/** An act upon a time deposit. */
export type TermAction =
  | { kind: "open"; depositor: number; shortId: string; termId: number; principal: bigint; approve: boolean }
  | { kind: "closeReceipt" | "demand"; depositor: number; shortId: string; id: number }
  | { kind: "exitEarly"; depositor: number; shortId: string; id: number; principal: bigint }
  /** The custodian brings what is missing for a demanded payment and pays it in the same transaction. */
  | { kind: "repayAndClose"; shortId: string; id: number; assets: bigint }
  | {
      kind: "rollOver" | "setAutoRoll";
      depositor: number;
      shortId: string;
      id: number;
      termId: number;
      what: RolloverChoice;
    }
  | { kind: "autoRoll"; shortId: string; id: number }
  | { kind: "renewEvidence"; shortId: string; until: number }
  | { kind: "fund"; shortId: string; assets: bigint }
  | (Move & { shortId: string });

/** Seconds after maturity in which an instruction to roll over can be carried out; a constant of the contract. */
const AUTO_ROLL_WINDOW = 3 * DAY;
/** Number of times that an exit without cash is tried again, each a day later. */
const MAX_TRIES = 12;

/** Turns an event of a time deposit into an action at `time` and applies it to the models; null when it is not possible. */
export function resolveTerm({
  event,
  product,
  story,
  time,
}: {
  event: Extract<Event, { shortId: string }>;
  product: TermModel;
  story: WorldState;
  time: number;
}): TermAction | null {
  const { shortId } = event;
  switch (event.kind) {
    case "fund": {
      const assets = interestToFund(product.product, product.freeInterest);
      if (assets === 0n) return null;
      product.fund(assets);
      return { kind: "fund", shortId, assets };
    }
    case "renewEvidence":
      product.evidenceUntil = event.until;
      return { kind: "renewEvidence", shortId, until: event.until };
    case "termDesk": {
      const { principal, kept, accounts } = product;
      const overlooked = overlookedReceipt(product);
      if (overlooked !== null && product.demanded.has(overlooked))
        return repayLate({ product, shortId, id: overlooked, time });
      const due = overlooked === null ? product.dueBy(termHorizon(time)) : 0n;
      const move = termMove(product.product, { principal, kept, due, deployed: accounts.deployed }, time);
      if (move === null) return null;
      product[move.kind](move.assets);
      return { ...move, shortId };
    }
    case "open":
      return open({ event, product, story, time });
    case "leave": {
      const { id, depositor, tries } = event;
      const { status, maturity, principal } = product.receipt(id);
      if (status !== receiptStatus.live) return null;
      const matured = BigInt(time) >= maturity;
      if (!product.leave(id, time)) {
        if (tries < MAX_TRIES) story.agenda.add({ ...event, time: time + DAY, tries: tries + 1 });
        if (!matured || product.demanded.has(id)) return null;
        product.demanded.add(id);
        return { kind: "demand", depositor, shortId, id };
      }
      return matured
        ? { kind: "closeReceipt", depositor, shortId, id }
        : { kind: "exitEarly", depositor, shortId, id, principal };
    }
    case "leavePart": {
      const { id, depositor, perThousand } = event;
      const principal = (product.receipt(id).principal * perThousand) / 1_000n;
      return product.leavePart(id, principal, time) ? { kind: "exitEarly", depositor, shortId, id, principal } : null;
    }
    case "rollOver": {
      const { depositor, id, termId, what } = event;
      const newId = product.rollOver(id, { termId, what }, time);
      if (newId === null) return null;
      settleLater({ world: story, product, id: newId, time });
      return { kind: "rollOver", depositor, shortId, id, termId, what };
    }
    case "setAutoRoll": {
      const { depositor, id, termId, what } = event;
      product.setAutoRoll(id, termId, what);
      story.agenda.add({ kind: "autoRoll", time: keeperTime(product, id), shortId, id });
      return { kind: "setAutoRoll", depositor, shortId, id, termId, what };
    }
    case "autoRoll": {
      const { rollTermId: termId, roll: what, holder } = product.receipt(event.id);
      if (story.silent.has(holder)) return null;
      const newId = product.rollOver(event.id, { termId, what }, time);
      if (newId === null) {
        const next = time + DAY;
        const lastTime = Number(product.receipt(event.id).maturity) + AUTO_ROLL_WINDOW;
        const { id } = event;
        if (next <= lastTime) story.agenda.add({ ...event, time: next });
        else story.agenda.add({ kind: "leave", time: next, depositor: holder, shortId, id, tries: 0 });
        return null;
      }
      settleLater({ world: story, product, id: newId, time });
      return { kind: "autoRoll", shortId, id: event.id };
    }
    default:
      throw new Error(`A time deposit has no event ${event.kind}.`);
  }
}

/**
 * The operators overlook that the first receipt of `depositor` in this product matures, and return no money until its
 * payment is demanded.
 */
const late = { shortId: "amman-mains", depositor: 0 };

/** Returns the id of the overlooked receipt while it is live; null otherwise. */
function overlookedReceipt({ product, receipts }: TermModel): number | null {
  if (product.shortId !== late.shortId) return null;
  const first = [...receipts].find(([, { holder }]) => holder === late.depositor);
  return first !== undefined && first[1].status === receiptStatus.live ? first[0] : null;
}

function repayLate({
  product,
  shortId,
  id,
  time,
}: {
  product: TermModel;
  shortId: string;
  id: number;
  time: number;
}): TermAction | null {
  const assets = product.missing(id);
  product.repay(assets);
  if (!product.leave(id, time)) throw new Error(`Receipt ${id} of ${shortId} cannot be paid with ${assets} more.`);
  return { kind: "repayAndClose", shortId, id, assets };
}

/** Keepers check every few minutes. */
function keeperTime(product: TermModel, id: number): number {
  return Number(product.receipt(id).maturity) + 300 + (id % 7) * 60;
}

function open({
  event,
  product,
  story,
  time,
}: {
  event: OpenIntent;
  product: TermModel;
  story: WorldState;
  time: number;
}): TermAction | null {
  const { depositor, shortId, termId, principal, outcome } = event;
  const id = story.onboarded.has(depositor) ? product.open({ holder: depositor, termId, principal }, time) : null;
  if (id === null) return null;
  story.spend(depositor, principal);
  const { agenda } = story;
  const maturity = Number(product.receipt(id).maturity);
  const whose = { depositor, shortId, id };
  switch (outcome.kind) {
    case "close":
      agenda.add({ kind: "leave", time: maturity + Math.floor(outcome.days * DAY), ...whose, tries: 0 });
      break;
    case "leaveEarly":
      agenda.add({ kind: "leave", time: time + outcome.days * DAY + 4_000, ...whose, tries: 0 });
      break;
    case "leavePart":
      agenda.add({
        kind: "leavePart",
        time: time + outcome.days * DAY + 5_000,
        ...whose,
        perThousand: outcome.perThousand,
      });
      agenda.add({ kind: "leave", time: maturity + DAY, ...whose, tries: 0 });
      break;
    case "rollOver": {
      const what = outcome.all ? roll.all : roll.principal;
      agenda.add({
        kind: "rollOver",
        time: maturity + Math.floor(outcome.days * DAY),
        ...whose,
        termId: outcome.termId,
        what,
      });
      break;
    }
    case "autoRoll": {
      const what = outcome.all ? roll.all : roll.principal;
      agenda.add({ kind: "setAutoRoll", time: time + 2_400, ...whose, termId: outcome.termId, what });
    }
  }
  return { kind: "open", depositor, shortId, termId, principal, approve: story.firstPayment(depositor, shortId) };
}

/** The receipt of a rollover is paid out once it has matured. */
function settleLater({
  world: { agenda },
  product,
  id,
  time,
}: {
  world: WorldState;
  product: TermModel;
  id: number;
  time: number;
}): void {
  const { holder, maturity } = product.receipt(id);
  const hours = new Random(`${product.product.shortId} settle ${id} ${time}`).between(5, 300);
  const { shortId } = product.product;
  agenda.add({ kind: "leave", time: Number(maturity) + hours * HOUR, depositor: holder, shortId, id, tries: 0 });
}
