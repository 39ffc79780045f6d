import { createPlaces, type PlaceLimits, type Release } from "./places.ts";

export interface QueueLimits {
  /** Calls that run at the same time. */
  running: PlaceLimits;
  /** Calls that wait. */
  waiting: PlaceLimits;
  /** The longest time that a call waits, in milliseconds. */
  waitMs: number;
}

/** The queue has no room for another waiting call, or a call has waited too long. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

/**
 * Extends the place of a call until `until` settles too. For work that continues elsewhere after the call has ended.
 */
export type Hold = (until: Promise<unknown>) => void;

/**
 * Runs the work of a caller (`networksOf(ip)`, or only a name), or waits for its turn.
 * @throws QueueFull before the work has started
 */
export type FairQueue = <T>(caller: readonly string[], work: (hold: Hold) => Promise<T>) => Promise<T>;

interface Waiting {
  caller: readonly string[];
  start: (place: Release) => void;
}

/**
 * Limits concurrent work, first come, first served. A caller that already runs as much as allowed is skipped, so that
 * no caller delays another. Work that nobody awaits any more retains its place until it ends.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const runningPlaces = createPlaces(limits.running);
  const waitingPlaces = createPlaces(limits.waiting);
  const line: Waiting[] = [];

  function startNext(): void {
    for (const [n, { caller, start }] of line.entries()) {
      const place = runningPlaces.take(caller);
      if (place === null) continue;
      line.splice(n, 1);
      start(place);
      return;
    }
  }

  function wait(caller: readonly string[]): Promise<Release> {
    const leave = waitingPlaces.take(caller);
    if (leave === null) return Promise.reject(new QueueFull("too many calls wait"));
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        caller,
        start(place) {
          clearTimeout(timer);
          leave();
          resolve(place);
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(one), 1);
        leave();
        reject(new QueueFull("the call waited too long"));
      }, limits.waitMs);
      line.push(one);
    });
  }

  return async (caller, work) => {
    const place = runningPlaces.take(caller) ?? (await wait(caller));
    const unfinished: Promise<unknown>[] = [];
    try {
      return await work((until) => unfinished.push(until));
    } finally {
      const end = () => {
        place();
        startNext();
      };
      if (unfinished.length === 0) end();
      else void Promise.allSettled(unfinished).then(end);
    }
  };
}
