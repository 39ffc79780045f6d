import type { KeyEvent } from "../fleet/keyPlan.ts";
import type { Intent } from "./intents.ts";
import type { OpenIntent } from "./termIntents.ts";
import type { RolloverChoice } from "./termModel.ts";

/** An event planned for the world at `time` (Unix seconds). */
export type Event =
  | Intent
  | OpenIntent
  | KeyEvent
  /** Anchors the readings of a product up to then. */
  | { kind: "anchor"; time: number; shortId: string }
  /** `asOf`: the time that the report covers, if earlier than its own. */
  | { kind: "report"; time: number; shortId: string; asOf?: number }
  /** Events of a demand deposit caused by operators, keepers and the weather. */
  | {
      kind: "flood" | "mistake" | "takeBack" | "process" | "desk" | "skim" | "announceFee" | "closeProduct";
      time: number;
      shortId: string;
    }
  | { kind: "request"; time: number; depositor: number; shortId: string; perThousand: number }
  | { kind: "claim"; time: number; depositor: number; shortId: string }
  /** Events of either type. */
  | { kind: "renewEvidence"; time: number; shortId: string; until: number }
  /** Events of a time deposit. */
  | { kind: "termDesk" | "fund"; time: number; shortId: string }
  | { kind: "leave"; time: number; depositor: number; shortId: string; id: number; tries: number }
  | { kind: "leavePart"; time: number; depositor: number; shortId: string; id: number; perThousand: bigint }
  | {
      kind: "rollOver";
      time: number;
      depositor: number;
      shortId: string;
      id: number;
      termId: number;
      what: RolloverChoice;
    }
  | {
      kind: "setAutoRoll";
      time: number;
      depositor: number;
      shortId: string;
      id: number;
      termId: number;
      what: RolloverChoice;
    }
  | { kind: "autoRoll"; time: number; shortId: string; id: number }
  /** Events of a wallet's record. */
  | { kind: "freeze"; time: number; depositor: number }
  | { kind: "proposeRecovery"; time: number; depositor: number }
  | { kind: "executeRecovery"; time: number; depositor: number }
  /** Moves the holdings in one product to the wallet that a recovery put in the old one's place. */
  | { kind: "recoverHoldings"; time: number; depositor: number; shortId: string };

/** Seconds within which events share a block. */
const BLOCK_WINDOW = 1_800;

function order(event: Event): string {
  const part = (key: string) => (key in event ? String(event[key as keyof Event]) : "");
  return `${event.kind} ${part("shortId")} ${part("depositor")} ${part("id")} ${part("rank")} ${part("device")}`;
}

function before(a: Event, b: Event): boolean {
  return a.time !== b.time ? a.time < b.time : order(a) < order(b);
}

/** All coming events, in order. Resolving one may add more. */
export class Schedule {
  readonly #events: Event[];
  #last = 0;

  /** @param end later events are dropped */
  constructor(
    events: readonly Event[],
    readonly start: number,
    readonly end: number,
  ) {
    const kept = events.filter(({ time }) => time > start && time <= end);
    // The next event is the last one of the list.
    this.#events = kept.sort((a, b) => (before(a, b) ? 1 : -1));
  }

  add(event: Event): void {
    if (event.time > this.end) return;
    if (event.time <= this.#last) throw new RangeError(`${event.kind} at ${event.time} is out of order.`);
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(event, this.#events[middle] as Event)) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  /**
   * Returns events that may share a block, with its time, which is that of the last of them; null at the end. No two
   * affect the same product or wallet.
   */
  next(): { time: number; events: Event[] } | null {
    const events: Event[] = [];
    const touched = new Set<string>();
    for (let event = this.#events.at(-1); event !== undefined; event = this.#events.at(-1)) {
      const keys = "shortId" in event ? [event.shortId] : [];
      if ("depositor" in event) keys.push(`wallet ${event.depositor}`);
      if ("to" in event) keys.push(`wallet ${event.to}`);
      if ("device" in event) keys.push(`device ${event.device}`);
      const [first] = events;
      if (first !== undefined && event.time - first.time > BLOCK_WINDOW) break;
      if (keys.some((key) => touched.has(key))) break;
      events.push(event);
      this.#events.pop();
      for (const key of keys) touched.add(key);
      // A block has the time of its last event.
      if ("exact" in event) break;
    }
    if (events.length === 0) return null;
    this.#last = Math.max(this.#last + 1, events.at(-1)?.time ?? 0);
    return { time: this.#last, events };
  }
}
