import type { PlannedBatch } from "../fleet/batches.ts";
import type { FleetHistory } from "../fleet/history.ts";
import type { VaultModel } from "./model.ts";
import type { Schedule } from "./schedule.ts";
import type { TermModel } from "./termModel.ts";

export interface PlanOptions {
  /** Unix seconds at which the vaults were created. */
  start: number;
  /** Unix seconds after which nothing happens. */
  end: number;
  /** Number of depositors, at most DEPOSITOR_COUNT. */
  depositors: number;
}

/** State of a world while it is planned. */
export interface WorldState extends PlanOptions {
  agenda: Schedule;
  vaults: Map<string, VaultModel>;
  termDeposits: Map<string, TermModel>;
  onboarded: Set<number>;
  /** Depositors whose wallet is frozen or about to be recovered: they do nothing more. */
  silent: Set<number>;
  history: FleetHistory;
  /** Number of the last batch of a product; 0 before the first. */
  lastBatch(shortId: string): number;
  /**
   * Returns the next batch of a product, with all measurements up to `to` (Unix seconds); null when there are no new
   * ones.
   */
  batchUpTo(shortId: string, to: number): PlannedBatch | null;
  /** Whether this is the depositor's first payment into the product, which needs an approval. */
  firstPayment(depositor: number, shortId: string): boolean;
  spend(depositor: number, assets: bigint): void;
}
