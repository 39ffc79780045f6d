export interface QueueLimits {
  /** Calls under way at once, of all callers and of one. */
  total: number;
  perCaller: number;
  /** Calls that wait, of all callers and of one. */
  waitingTotal: number;
  waitingPerCaller: number;
  /** Milliseconds a call waits at most. */
  waitMs: number;
}

/** More calls wait than the queue holds, or a call has waited too long. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

/** Runs work, or waits for its turn. @throws QueueFull before the work was begun */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  caller: string;
  start: () => void;
}

/**
 * Bounds concurrent work, first come, first served; a caller with as much running as one may have is passed over, so
 * that no caller delays another. Work that is not awaited any more keeps its slot until it ends, since its request to
 * the node goes on.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  const runningOf = (caller: string) => running.get(caller) ?? 0;
  const hasPlace = (caller: string) => total < limits.total && runningOf(caller) < limits.perCaller;

  function begin(caller: string): void {
    total += 1;
    running.set(caller, runningOf(caller) + 1);
  }

  function end(caller: string): void {
    total -= 1;
    const left = runningOf(caller) - 1;
    if (left > 0) running.set(caller, left);
    else running.delete(caller);
    const next = waiting.findIndex((one) => hasPlace(one.caller));
    if (next >= 0) waiting.splice(next, 1)[0]?.start();
  }

  function wait(caller: string): Promise<void> {
    const own = waiting.filter((one) => one.caller === caller).length;
    if (waiting.length >= limits.waitingTotal || own >= limits.waitingPerCaller) {
      return Promise.reject(new QueueFull("too many calls wait"));
    }
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        caller,
        start() {
          clearTimeout(timer);
          begin(caller);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(new QueueFull("the call waited too long"));
      }, limits.waitMs);
      waiting.push(one);
    });
  }

  return async (caller, work) => {
    if (hasPlace(caller)) begin(caller);
    else await wait(caller);
    try {
      return await work();
    } finally {
      end(caller);
    }
  };
}
