import { type OperatorStatus, troubledJobsMax } from "@aqua/sdk/api/operator";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Trouble } from "../feature.ts";
import type { IndexerStatus } from "../indexer/indexer.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import { anchored, jobCounts, leaders, retryJobs, troubledJobs } from "./figures.ts";
import { runningInstances } from "./heartbeat.ts";
import type { PayingKeys } from "./keys.ts";

export interface OperationChain {
  chainId: number;
  deployment: unknown;
  status: () => IndexerStatus | null;
  /** Set if this process anchors batches. */
  anchoring?: { stopped: ReadonlyMap<string, string> };
}

export interface OperationServiceParts {
  db: Pick<Database, "orm" | "transaction">;
  writer: Pick<LogWriter, "act">;
  chains: readonly OperationChain[];
  /** Work that one process does at a time. */
  works: readonly string[];
  keys: PayingKeys;
  /** Parts that do not work fully. */
  troubles: () => readonly Trouble[];
  /** Wakes the jobs of this process. */
  notifyJobs: () => void;
}

export interface OperationService {
  status(): Promise<OperatorStatus>;
  /** Returns the number of jobs that are tried again. @throws ApiError not_found for an id that is not among them */
  retryJobs(of: { id?: number | undefined; kind?: string | undefined }, act: Act): Promise<number>;
}

/** Answers the operator's questions about the running instance. */
export function createOperationService(parts: OperationServiceParts): OperationService {
  const { orm } = parts.db;
  return {
    async status() {
      const asked = parts.keys.refresh();
      const [instances, works, jobs, troubled, products] = [
        await runningInstances(orm),
        await leaders(orm, parts.works),
        await jobCounts(orm),
        await troubledJobs(orm, troubledJobsMax),
        await anchored(orm),
      ];
      const stopped = new Map(parts.chains.map(({ chainId, anchoring }) => [chainId, anchoring?.stopped]));
      return {
        time: Date.now(),
        instances: instances.map(({ id, version, host, roles, startTime, seenTime }) => ({
          ...{ id, version, host, roles },
          started_at: startTime.getTime(),
          seen_at: seenTime.getTime(),
        })),
        leaders: works,
        chains: parts.chains.flatMap(({ chainId, deployment, status }) => {
          if (deployment === null) return [];
          const { state = "backfill", head = null, cursor = null } = status() ?? {};
          return [{ chain_id: chainId, state, head, cursor }];
        }),
        degraded: [...parts.troubles()],
        jobs: jobs.map(({ overdueSeconds, ...counts }) => ({ ...counts, overdue_seconds: overdueSeconds })),
        troubled_jobs: troubled,
        anchoring: products.map(({ chainId, shortId, ageSeconds, readings, batches }) => ({
          chain_id: chainId,
          short_id: shortId,
          age_seconds: ageSeconds,
          readings_unanchored: readings,
          batches_waiting: batches,
          stopped: stopped.get(chainId)?.get(shortId) ?? null,
        })),
        keys: (await asked).map(({ chainId, name, address, transactionsLeft }) => ({
          chain_id: chainId,
          ...{ name, address },
          transactions_left: transactionsLeft,
        })),
      };
    },
    async retryJobs(of, act) {
      const retried = await parts.db.transaction(async (tx) => {
        const count = await retryJobs(tx, of);
        if (count === 0 && of.id !== undefined)
          throw new ApiError("not_found", "No job with this id fails or was given up");
        await parts.writer.act(tx, "POST operator/jobs/retry", act);
        return count;
      });
      if (retried > 0) parts.notifyJobs();
      return retried;
    },
  };
}
