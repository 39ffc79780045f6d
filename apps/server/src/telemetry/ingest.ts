import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import type { Refused } from "./checks.ts";
import { createGroups, type GroupParts, type Item, itemOf, type Settled } from "./group.ts";

/** More is waiting than the server can take; a delivery that is sent again a little later loses nothing. */
export class Busy extends Error {
  override name = "Busy";
}

export interface IngestSettings {
  /** Readings that may wait, and what they may weigh together (bytes, roughly). */
  queueReadings: number;
  queueBytes: number;
  /** Readings that are stored with one commit. */
  groupReadings: number;
}
const defaults: IngestSettings = { queueReadings: 20_000, queueBytes: 64 * 1024 * 1024, groupReadings: 1_000 };

/** Called for everything that is committed; must neither throw nor wait. */
export interface IngestWatcher {
  committed(settled: Settled, ms: number): void;
}

export interface IngestParts extends GroupParts {
  watchers?: readonly IngestWatcher[];
  settings?: Partial<IngestSettings>;
}

export interface Sender {
  via: "http" | "mqtt";
  /** The one whose own line they came by, whose readings alone it may bring. */
  device?: string;
  /** Waits until there is room, behind those who came before, and is turned away only when the server stops. */
  waits?: boolean;
}

export interface Ingest {
  /**
   * Checks and stores readings, those of a device in the order in which they came. Resolves after the commit: what it says
   * is accepted stays. When it rejects, nothing is known of the readings, and sending them again does no harm.
   * @throws Busy
   */
  take(readings: readonly unknown[], from: Sender): Promise<TelemetryAnswer>;
  /** Readings that wait or are being stored. */
  depth(): number;
  /** Takes no more and waits for those that were taken. */
  stop(): Promise<void>;
}

/** Of the queue, what those who can wait may fill: a flood of theirs leaves room for who cannot. */
const SHARE_OF_WAITING = 0.9;
/** Words and numbers around a reading that is kept in memory. */
const BASE_BYTES = 1_000;

interface Take {
  items: Item[];
  weight: number;
  /** Its signatures have been looked at, or could not be; the commit looks again. */
  ready: Promise<unknown>;
  resolve(answer: TelemetryAnswer): void;
  reject(error: unknown): void;
}

/** Puts what comes at the same time together in one commit; what comes meanwhile waits for the next. */
export function createIngest({ watchers = [], settings, ...parts }: IngestParts): Ingest {
  const { queueReadings, queueBytes, groupReadings } = { ...defaults, ...settings };
  const groups = createGroups(parts);
  const queue: Take[] = [];
  let readingsHeld = 0;
  let bytesHeld = 0;
  /** Those who wait for room, in the order in which they came. */
  const waiting = new Set<{ enter(): void; turnAway(error: unknown): void }>();
  let working: Promise<void> | null = null;
  let stopping = false;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      let many = 0;
      let count = 0;
      for (const { items } of queue) {
        if (many > 0 && count + items.length > groupReadings) break;
        many += 1;
        count += items.length;
      }
      // All at once: to move a long queue up for each of them costs more than they do.
      const takes = queue.splice(0, many);
      await Promise.all(takes.map(({ ready }) => ready));
      await store(takes);
    }
    // At once, so that a new delivery starts anew.
    working = null;
  }

  async function store(takes: readonly Take[]): Promise<void> {
    const started = performance.now();
    try {
      const settled = await groups.commit(takes.flatMap(({ items }) => items));
      const ms = performance.now() - started;
      for (const watcher of watchers) watcher.committed(settled, ms);
      let from = 0;
      for (const { items, resolve } of takes) {
        resolve(answerOf(settled.outcomes.slice(from, from + items.length)));
        from += items.length;
      }
    } catch (error) {
      for (const { reject } of takes) reject(error);
    } finally {
      for (const { items, weight } of takes) {
        readingsHeld -= items.length;
        bytesHeld -= weight;
      }
      admit();
    }
  }

  /** @throws Busy at once */
  function enter(readings: readonly unknown[], { via, device, waits }: Sender): Promise<TelemetryAnswer> {
    const share = waits ? SHARE_OF_WAITING : 1;
    if (readingsHeld + readings.length > share * queueReadings) throw new Busy("too many readings wait");
    const received = Date.now();
    const from = { via, received, delivery: Symbol("delivery") };
    const items = readings.map((sent) => itemOf(sent, from, device ?? null));
    const weight = items.reduce((sum, { payload }) => sum + BASE_BYTES + (payload?.length ?? 0), 0);
    if (bytesHeld + weight > share * queueBytes) throw new Busy("too many readings wait");
    readingsHeld += items.length;
    bytesHeld += weight;
    const ready = groups.checkSignatures(items).catch(() => {});
    const answer = new Promise<TelemetryAnswer>((resolve, reject) => {
      queue.push({ items, weight, ready, resolve, reject });
    });
    working ??= work();
    return answer;
  }

  /** As many as there is room for. */
  function admit(): void {
    for (const one of waiting) {
      try {
        one.enter();
      } catch (error) {
        if (error instanceof Busy) return;
        one.turnAway(error);
      }
      waiting.delete(one);
    }
  }

  return {
    async take(readings, sender) {
      if (stopping) throw new Busy("the server is stopping");
      try {
        // Behind those who wait already: out of its order a reading would be refused.
        if (sender.waits && waiting.size > 0) throw new Busy("others wait");
        return enter(readings, sender);
      } catch (error) {
        if (!(error instanceof Busy && sender.waits)) throw error;
        return new Promise((resolve, turnAway) => {
          waiting.add({ enter: () => enter(readings, sender).then(resolve, turnAway), turnAway });
        });
      }
    },
    depth: () => readingsHeld,
    async stop() {
      stopping = true;
      for (const { turnAway } of waiting) turnAway(new Busy("the server is stopping"));
      waiting.clear();
      await working;
    },
  };
}

function answerOf(outcomes: Settled["outcomes"]): TelemetryAnswer {
  const count = (as: string) => outcomes.filter((outcome) => outcome.as === as).length;
  return {
    accepted: count("accepted"),
    duplicates: count("duplicate"),
    rejected: outcomes.flatMap((outcome, index) => (outcome.as === "refused" ? [rejected(outcome, index)] : [])),
    server_time: Date.now(),
  };
}

function rejected({ reason, message, head }: Refused, index: number): TelemetryAnswer["rejected"][number] {
  return { index, reason, message, ...(head === undefined ? {} : { head }) };
}
