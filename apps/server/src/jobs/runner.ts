import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import { withRequestId } from "../requestId.ts";
import * as store from "./store.ts";

/** The job can never succeed. It is stored for the operator and not retried. */
export class PermanentJobError extends Error {
  override name = "PermanentJobError";
}

/**
 * Not an error: a condition of the job is not met yet. The job runs again after `delayMs`. Nothing is logged, and the
 * count of failures starts again at one.
 */
export class RetryLater extends Error {
  override name = "RetryLater";
  constructor(readonly delayMs: number) {
    super("not yet");
  }
}

/** The try failed, and the next one follows after exactly `pauseMs` instead of the pause of the runner. */
export class RetryAfter extends Error {
  override name = "RetryAfter";
  constructor(
    message: string,
    readonly pauseMs: number,
  ) {
    super(message);
  }
}

export interface JobContext {
  id: number;
  /** Number of consecutive failed tries, including this one, from 1. */
  attempts: number;
  /** Milliseconds since it was enqueued. */
  waitedMs: number;
  /** Aborted when the server stops. The handler should stop at a point from which the work can resume. */
  signal: AbortSignal;
}

/** Runs one job. It may run again after it has done all or part of its work, so it must be idempotent. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<void>;

interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface JobRunnerParts {
  db: Database;
  log: Log;
  handlers: Readonly<Record<string, JobHandler>>;
  settings?: Partial<JobSettings>;
  /** Called at the end of each try. */
  tried?: (kind: string, outcome: JobOutcome) => void;
}

/** `later`: a condition was not met yet. */
export type JobOutcome = "done" | "later" | "failed" | "abandoned";

export interface JobSettings {
  /** Milliseconds after which another worker takes over from a dead one. A live worker renews its lease. */
  leaseMs: number;
  /** Maximum milliseconds between two polls of the table. Jobs that other processes enqueue are found by polling. */
  pollMs: number;
  /** Number of concurrent jobs. */
  concurrency: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** Milliseconds for which a stop waits for active jobs. A mail or a node that hangs must not delay the stop. */
  stopMs: number;
}
const defaults: JobSettings = {
  leaseMs: 15_000,
  pollMs: 1_000,
  concurrency: 4,
  firstPauseMs: 1_000,
  longestPauseMs: 10 * MINUTE_MS,
  stopMs: 6_000,
};

export interface JobRunner {
  start(): void;
  /** Polls at once. Call it after a commit that enqueued a job. */
  wake(): void;
  /**
   * Aborts active jobs and waits for them for a limited time. Unfinished jobs are released, or their leases expire.
   */
  stop(): Promise<void>;
}

/** Runs the jobs of the table `job`, each at least once. The pause doubles after each failed try. */
export function createJobRunner({ db, log, handlers, settings, tried = () => {} }: JobRunnerParts): JobRunner {
  const { leaseMs, pollMs, concurrency, firstPauseMs, longestPauseMs, stopMs } = { ...defaults, ...settings };
  const kinds = Object.keys(handlers);
  const owner = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  async function runOne(job: store.LeasedJob): Promise<void> {
    const handler = handlers[job.kind];
    if (handler === undefined) return;
    const keep = setInterval(() => {
      if (stopped) return;
      // A lost lease only means that the work may run twice, which handlers allow.
      store.extend(db.orm, { id: job.id, owner, leaseMs }).catch((err: unknown) => {
        log.warn({ err, job: job.kind }, "the lease of a job could not be renewed; its work may run twice");
      });
    }, leaseMs / 3);
    try {
      const { id, attempts, waitedMs } = job;
      await handler(job.payload, { id, attempts, waitedMs, signal: stopping.signal });
      tried(job.kind, "done");
      await finish(job);
    } catch (error) {
      await settle(job, error).catch((cause: unknown) => {
        // The database is unavailable. The lease expires, and the job runs again.
        log.warn({ err: cause, job: job.kind }, "a job could not be released; it runs again when its lease ends");
      });
    } finally {
      clearInterval(keep);
    }
  }

  /** Retries until the database has the result. Otherwise a finished job would run again and send its mail twice. */
  async function finish(job: store.LeasedJob): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await store.done(db.orm, job.id, owner);
      } catch (error) {
        if (stopping.signal.aborted) {
          log.warn({ err: error, job: job.kind }, "a finished job could not be deleted; it runs again");
          return;
        }
        if (tries === 1)
          log.warn({ err: error, job: job.kind }, "a finished job could not be deleted; deleting it is retried");
        await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function settle(job: store.LeasedJob, error: unknown): Promise<void> {
    const claim = { id: job.id, owner };
    const lastError = error instanceof Error ? error.message : String(error);
    if (stopping.signal.aborted)
      return store.putBack(db.orm, { ...claim, pauseMs: 0, lastError: "the server stopped", hasFailed: true });
    if (error instanceof RetryLater) {
      tried(job.kind, "later");
      return store.putBack(db.orm, { ...claim, pauseMs: error.delayMs, lastError, hasFailed: false });
    }
    if (error instanceof PermanentJobError) {
      tried(job.kind, "abandoned");
      log.error({ err: error, job: job.kind, job_id: job.id }, "a job was abandoned; it is not retried");
      return store.abandon(db.orm, { ...claim, lastError });
    }
    tried(job.kind, "failed");
    const pause =
      error instanceof RetryAfter
        ? error.pauseMs
        : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(job.attempts - 1, 20));
    log.warn({ err: error, job: job.kind, job_id: job.id, again_in_ms: pause }, "a job failed");
    // Half of the pause is random, so that jobs that failed together do not retry together.
    const pauseMs = error instanceof RetryAfter ? pause : pause * (0.5 + Math.random() / 2);
    return store.putBack(db.orm, { ...claim, pauseMs, lastError, hasFailed: true });
  }

  async function look(): Promise<void> {
    const free = concurrency - running.size;
    let due = await store.nextDueIn(db.orm, kinds);
    if (free > 0 && due !== null && due <= 0) {
      for (const job of await store.lease(db.orm, { kinds, owner, leaseMs, most: free })) {
        const work: Promise<void> = withRequestId(job.requestId ?? undefined, () => runOne(job)).finally(() => {
          running.delete(work);
          wake();
        });
        running.add(work);
      }
      due = await store.nextDueIn(db.orm, kinds);
    }
    const wait = due === null || running.size >= concurrency ? pollMs : Math.max(10, Math.min(pollMs, due));
    if (!stopping.signal.aborted) timer = setTimeout(wake, wait);
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    if (looking !== null) {
      again = true;
      return;
    }
    if (timer !== null) clearTimeout(timer);
    timer = null;
    // A request may have woken the runner, but reading the table is not part of its work.
    looking = withRequestId(undefined, look)
      .catch((error: unknown) => {
        log.warn({ err: error }, "jobs cannot be read from the database; reading is retried");
        if (!stopping.signal.aborted) timer = setTimeout(wake, pollMs);
      })
      .finally(() => {
        looking = null;
        if (again) {
          again = false;
          wake();
        }
      });
  }

  return {
    start: wake,
    wake,
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      await looking;
      await Promise.race([Promise.all(running), sleep(stopMs, undefined, { ref: false })]);
      stopped = true;
    },
  };
}

/**
 * Creates one runner for each group of kinds in `apart`, and one for all other kinds. No group delays another.
 * @throws Error for a kind without a handler
 */
export function createJobRunners({
  handlers,
  apart,
  ...parts
}: JobRunnerParts & { apart: readonly { kinds: readonly string[]; concurrency: number }[] }): JobRunner {
  const named = apart.flatMap(({ kinds }) => kinds);
  const unknown = named.find((kind) => !(kind in handlers));
  if (unknown !== undefined) throw new Error(`no handler for jobs of the kind ${unknown}`);
  const handlersOf = (isIn: (kind: string) => boolean) =>
    Object.fromEntries(Object.entries(handlers).filter(([kind]) => isIn(kind)));
  const runners = [
    createJobRunner({ ...parts, handlers: handlersOf((kind) => !named.includes(kind)) }),
    ...apart.map(({ kinds, concurrency }) => {
      const settings = { ...parts.settings, concurrency };
      return createJobRunner({ ...parts, handlers: handlersOf((kind) => kinds.includes(kind)), settings });
    }),
  ];
  const wake = () => {
    for (const runner of runners) runner.wake();
  };
  return { start: wake, wake, stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))) };
}
