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
  | { kind: "closeReceipt" | "exitEarly"; depositor: number; shortId: string; id: number }
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
      const due = product.dueBy(termHorizon(time));
      const move = termMove(product.product, { principal, kept, due, deployed: accounts.deployed }, time);
      if (move === null) return null;
      product[move.kind](move.assets);
      return { ...move, shortId };
    }
    case "open":
      return open({ event, product, story, time });
    case "leave": {
      const { id, depositor, tries } = event;
      const { status, maturity } = product.receipt(id);
      if (status !== receiptStatus.live) return null;
      if (!product.leave(id, time)) {
        if (tries < MAX_TRIES) story.agenda.add({ ...event, time: time + DAY, tries: tries + 1 });
        return null;
      }
      return { kind: BigInt(time) < maturity ? "exitEarly" : "closeReceipt", depositor, shortId, id };
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
      const { termId, what } = { termId: product.receipt(event.id).rollTermId, what: product.receipt(event.id).roll };
      const newId = product.rollOver(event.id, { termId, what }, time);
      if (newId === null) return null;
      settleLater({ world: story, product, id: newId, time });
      return { kind: "autoRoll", shortId, id: event.id };
    }
    default:
      throw new Error(`A time deposit has no event ${event.kind}.`);
  }
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

/** The receipt of a roll-over is paid out once it has matured. */
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
