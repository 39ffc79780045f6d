import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { and, between, count, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { newestCheckpoint } from "../publicLog/tree.ts";
import type { Difference } from "./difference.ts";
import { auditFinding, auditRun } from "./schema.ts";

export type Finding = typeof auditFinding.$inferSelect;

/** Findings that `GET /transparency/audit` lists. */
const LISTED = 100;

/** @param found called in the transaction that records new findings, of which there is at least one */
export function createAuditStore(
  { orm, transaction }: Pick<Database, "orm" | "transaction">,
  found: (tx: Orm, added: readonly Finding[], now: number) => Promise<void> = async () => {},
) {
  return {
    async begin(chainId: number, now: number): Promise<number> {
      const [row] = await orm.insert(auditRun).values({ chainId, startTime: now }).returning({ id: auditRun.id });
      if (!row) throw new Error("The database returned no id for a new audit");
      return row.id;
    },

    /** Records that the rows up to block `to` were compared, with `figures` more figures. */
    async advance(
      id: number,
      { to, figures, now }: { to: number | null; figures: number; now: number },
    ): Promise<void> {
      const block = to === null ? {} : { block: to };
      await orm
        .update(auditRun)
        .set({ ...block, time: now, figures: sql`${auditRun.figures} + ${figures}` })
        .where(eq(auditRun.id, id));
    },

    /** Records that the whole history was compared. Unfinished audits of the chain that began before are deleted. */
    async end(id: number, chainId: number, now: number): Promise<void> {
      await orm.update(auditRun).set({ endTime: now }).where(eq(auditRun.id, id));
      await orm
        .delete(auditRun)
        .where(and(eq(auditRun.chainId, chainId), isNull(auditRun.endTime), sql`${auditRun.id} < ${id}`));
    },

    /** Records differences that are not known yet. */
    async find(chainId: number, differences: readonly Difference[], now: number): Promise<void> {
      if (differences.length === 0) return;
      const rows = differences.map(({ column, ...difference }) => ({
        ...difference,
        chainId,
        block: blockOf(difference),
        column: column ?? "",
        since: now,
      }));
      await transaction(async (tx) => {
        const added = await tx.insert(auditFinding).values(rows).onConflictDoNothing().returning();
        if (added.length > 0) await found(tx, added, now);
      });
    },

    /**
     * Records that every row of blocks `from` to `to` is right, and that no row claims a block after `head`, the chain's
     * newest one. Rows of the blocks between are compared later.
     */
    async heal(
      chainId: number,
      { from, to, head, now }: { from: number | null; to: number; head: number; now: number },
    ): Promise<void> {
      const { block } = auditFinding;
      const inRange = from === null ? lte(block, to) : between(block, from, to);
      await orm
        .update(auditFinding)
        .set({ healed: now })
        .where(and(isOpen(chainId), isNotNull(block), or(inRange, gt(block, head))));
    },

    /**
     * Records that a whole audit of the rows that come from no event found only `still`, so that every other open
     * finding about such rows is corrected.
     */
    async settle(chainId: number, still: readonly Difference[], now: number): Promise<void> {
      const keyOf = ({ table, row, column }: Pick<Difference, "table" | "row" | "column">) =>
        `${table} ${row} ${column ?? ""}`;
      const wrong = new Set(still.map(keyOf));
      const open = await orm
        .select()
        .from(auditFinding)
        .where(and(isOpen(chainId), isNull(auditFinding.block)));
      const ids = open.filter((one) => !wrong.has(keyOf(one))).map(({ id }) => id);
      if (ids.length > 0) await orm.update(auditFinding).set({ healed: now }).where(inArray(auditFinding.id, ids));
    },
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;

const isOpen = (chainId: number) => and(eq(auditFinding.chainId, chainId), isNull(auditFinding.healed));

/** The number of rows that are wrong now, by chain. */
export async function openFindings(orm: Orm): Promise<Map<number, number>> {
  const rows = await orm
    .select({ chainId: auditFinding.chainId, open: count() })
    .from(auditFinding)
    .where(isNull(auditFinding.healed))
    .groupBy(auditFinding.chainId);
  return new Map(rows.map(({ chainId, open }) => [chainId, open]));
}

/** The block that the row of a chain's event names. Null for a row that belongs to no block. */
export function blockOf({ row }: Pick<Difference, "row">): number | null {
  const block = /^block (-?\d+), log /.exec(row)?.[1];
  return block === undefined ? null : Number(block);
}

/** What the site says about its audits. */
export async function auditSummary(tx: Orm, chainIds: readonly number[]): Promise<AuditSummary> {
  const open = await openFindings(tx);
  const chains: AuditSummary["chains"] = [];
  for (const chainId of chainIds) {
    // A whole audit that runs beside a complete one is behind it.
    const [complete] = await runs(tx, chainId, true).limit(1);
    const [last] = complete ? [complete] : await runs(tx, chainId).limit(1);
    chains.push({
      chain_id: chainId,
      block: last?.block ?? null,
      time: last?.time ?? null,
      whole: complete?.endTime
        ? { started: complete.startTime, ended: complete.endTime, figures: complete.figures }
        : null,
      open: open.get(chainId) ?? 0,
    });
  }
  const found = await tx
    .select()
    .from(auditFinding)
    .where(inArray(auditFinding.chainId, [...chainIds]))
    .orderBy(desc(auditFinding.id))
    .limit(LISTED);
  const log = await newestCheckpoint(tx);
  return {
    chains,
    log: log && { origin: log.origin, size: log.size },
    findings: found.map(({ chainId, table, row, column, expected, found: is, since, healed, product }) => ({
      ...{ chain_id: chainId, table, row, column: column || null, expected, found: is, since, healed, product },
    })),
  };
}

function runs(tx: Orm, chainId: number, isComplete = false) {
  const complete = isComplete ? isNotNull(auditRun.endTime) : undefined;
  return tx
    .select()
    .from(auditRun)
    .where(and(eq(auditRun.chainId, chainId), complete))
    .orderBy(desc(auditRun.id));
}
