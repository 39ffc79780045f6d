import { createPlaces, type PlaceLimits, type Release } from "./places.ts";

export interface QueueLimits {
  /** Calls under way at once. */
  running: PlaceLimits;
  /** Calls that wait. */
  waiting: PlaceLimits;
  /** Milliseconds a call waits at most. */
  waitMs: number;
}

/** More calls wait than the queue holds, or a call has waited too long. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

/** Keeps the place of a call until `until` settles too, where its work goes on elsewhere after the call has ended. */
export type Hold = (until: Promise<unknown>) => void;

/**
 * Runs work of a caller (`networksOf(ip)`, or a name alone), or waits for its turn.
 * @throws QueueFull before the work was begun
 */
export type FairQueue = <T>(caller: readonly string[], work: (hold: Hold) => Promise<T>) => Promise<T>;

interface Waiting {
  caller: readonly string[];
  start: (place: Release) => void;
}

/**
 * Bounds concurrent work, first come, first served; a caller with as much running as one may have is passed over, so
 * that no caller delays another. Work that is not awaited any more keeps its place until it ends.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const running = createPlaces(limits.running);
  const waiting = createPlaces(limits.waiting);
  const line: Waiting[] = [];

  function startNext(): void {
    for (const [n, { caller, start }] of line.entries()) {
      const place = running.take(caller);
      if (place === null) continue;
      line.splice(n, 1);
      start(place);
      return;
    }
  }

  function wait(caller: readonly string[]): Promise<Release> {
    const leave = waiting.take(caller);
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
    const place = running.take(caller) ?? (await wait(caller));
    const held: Promise<unknown>[] = [];
    try {
      return await work((until) => held.push(until));
    } finally {
      const end = () => {
        place();
        startNext();
      };
      if (held.length === 0) end();
      else void Promise.allSettled(held).then(end);
    }
  };
}
