import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import type { Difference } from "./difference.ts";
import { auditDocuments } from "./documents.ts";
import { auditPublicLog, type PublicLogAuditParts } from "./publicLog.ts";
import type { AuditStore } from "./store.ts";
import { auditTelemetry } from "./telemetry.ts";

export interface StoredAuditParts {
  db: Database;
  chainIds: readonly number[];
  publicLog: Omit<PublicLogAuditParts, "db">;
  store: Pick<AuditStore, "find" | "settle">;
  /** The part of a core's time that the audit may take, above 0 and up to 1. */
  share: number;
  log: { error(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds between two audits of what is new. */
  everyMs?: number;
  /** Milliseconds after which everything is audited again. */
  wholeEveryMs?: number;
}

const EVERY_MS = 30_000;
/** A row can be stored this long after the time that it states. */
const OVERLAP_MS = 60_000;
/** At most so many differences of one audit are recorded. */
const MOST = 1_000;

/**
 * Audits readings, batches, devices and documents until the signal aborts: what is new at once, everything once a day.
 * What differs stays so, because no other copy is known; a person must restore it.
 */
export async function runStoredAudits(parts: StoredAuditParts, signal: AbortSignal): Promise<void> {
  const { chainIds, log, everyMs = EVERY_MS, wholeEveryMs = DAY_MS } = parts;
  let whole = Number.NEGATIVE_INFINITY;
  let since = 0;
  while (!signal.aborted) {
    const started = Date.now();
    const isWhole = started - whole >= wholeEveryMs;
    try {
      for (const chainId of chainIds) await auditOnce(parts, { chainId, since: isWhole ? undefined : since }, signal);
      if (isWhole) whole = started;
      since = started - OVERLAP_MS;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, "audit: readings could not be compared; it is tried again");
    }
    await pause(everyMs, signal);
  }
}

async function auditOnce(
  { db, publicLog, store, share, log, chainIds }: StoredAuditParts,
  { chainId, since }: { chainId: number; since: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  const only = since === undefined ? {} : { since };
  const audits = [auditTelemetry({ db, chainIds: [chainId], ...only })];
  // Documents and the public log belong to no chain. They are audited once.
  if (chainId === chainIds[0]) {
    audits.push(auditDocuments({ db, ...only }));
    audits.push(auditPublicLog({ db, ...publicLog }, { onlyNew: since !== undefined }));
  }
  const found: Difference[] = [];
  for (const audit of audits) {
    let begun = performance.now();
    for await (const { differences } of audit) {
      if (signal.aborted) return;
      found.push(...differences.slice(0, MOST - found.length));
      await pause(((performance.now() - begun) * (1 - share)) / share, signal);
      begun = performance.now();
    }
  }
  if (found.length > 0)
    log.error({ chain_id: chainId, count: found.length, first: found[0] }, "audit: stored rows differ");
  const now = Date.now();
  await store.find(chainId, found, now);
  if (since === undefined) await store.settle(chainId, found, now);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
