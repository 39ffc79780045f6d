import type { TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import type { Refused } from "./checks.ts";
import { createGroups, type GroupParts, type Item, itemOf, type Settled } from "./group.ts";

/** The queue is full. A delivery that is sent again a little later loses nothing. */
export class Busy extends Error {
  override name = "Busy";
}

export interface IngestSettings {
  /** Maximum number of waiting readings, and their approximate total size in bytes. */
  queueReadings: number;
  queueBytes: number;
  /** Number of readings that one commit stores. */
  groupReadings: number;
}
const defaults: IngestSettings = { queueReadings: 20_000, queueBytes: 64 * 1024 * 1024, groupReadings: 1_000 };

/** Called after every commit. It must neither throw nor wait. */
export interface IngestWatcher {
  committed(settled: Settled, ms: number): void;
}

export interface IngestParts extends GroupParts {
  watchers?: readonly IngestWatcher[];
  settings?: Partial<IngestSettings>;
}

export interface Sender {
  via: "http" | "mqtt";
  /** The device whose own connection delivers the readings. The delivery may contain only its readings. */
  device?: string;
  /** Waits in line until there is room. Such a sender is rejected only when the server stops. */
  waits?: boolean;
}

export interface Ingest {
  /**
   * Checks and stores readings. The readings of a device are processed in order of arrival. Resolves after the
   * commit, so an accepted reading is durable. If it rejects, the state of the readings is unknown, and it is safe to
   * send them again.
   * @throws Busy
   */
  take(readings: readonly unknown[], from: Sender): Promise<TelemetryAnswer>;
  /** Number of readings that wait or are being stored. */
  depth(): number;
  /** Accepts no more readings and waits for those that were accepted. */
  stop(): Promise<void>;
}

/** Share of the queue that senders who can wait may fill. The rest leaves room for senders who cannot wait. */
const SHARE_OF_WAITING = 0.9;
/** Approximate size of the fields around a reading in memory. */
const BASE_BYTES = 1_000;

interface Take {
  items: Item[];
  weight: number;
  /** Resolves when its signatures have been checked or could not be checked. The commit checks again. */
  ready: Promise<unknown>;
  resolve(answer: TelemetryAnswer): void;
  reject(error: unknown): void;
}

/** Groups simultaneous deliveries into one commit. Deliveries that arrive meanwhile wait for the next commit. */
export function createIngest({ watchers = [], settings, ...parts }: IngestParts): Ingest {
  const { queueReadings, queueBytes, groupReadings } = { ...defaults, ...settings };
  const groups = createGroups(parts);
  const queue: Take[] = [];
  let readingsHeld = 0;
  let bytesHeld = 0;
  /** Senders who wait for room, in order of arrival. */
  const waitingSenders = new Set<{ enter(): void; turnAway(error: unknown): void }>();
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
      // Removes all at once, because shifting a long queue once for each delivery costs more than the deliveries.
      const takes = queue.splice(0, many);
      await Promise.all(takes.map(({ ready }) => ready));
      await store(takes);
    }
    // Is reset at once, so that a new delivery starts a new run.
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

  /** Admits as many senders as there is room for. */
  function admit(): void {
    for (const one of waitingSenders) {
      try {
        one.enter();
      } catch (error) {
        if (error instanceof Busy) return;
        one.turnAway(error);
      }
      waitingSenders.delete(one);
    }
  }

  return {
    async take(readings, sender) {
      if (stopping) throw new Busy("the server is stopping");
      try {
        // Joins the end of the line. A reading that arrives out of order would be rejected.
        if (sender.waits && waitingSenders.size > 0) throw new Busy("others wait");
        return enter(readings, sender);
      } catch (error) {
        if (!(error instanceof Busy && sender.waits)) throw error;
        return new Promise((resolve, turnAway) => {
          waitingSenders.add({ enter: () => enter(readings, sender).then(resolve, turnAway), turnAway });
        });
      }
    },
    depth: () => readingsHeld,
    async stop() {
      stopping = true;
      for (const { turnAway } of waitingSenders) turnAway(new Busy("the server is stopping"));
      waitingSenders.clear();
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
