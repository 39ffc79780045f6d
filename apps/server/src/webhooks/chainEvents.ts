import type { WebhookEvent } from "@aqua/sdk/api/webhooks";
import { confirmationsOf } from "@aqua/sdk/chains";
import { formatUnits } from "@aqua/sdk/maths/units";
import { and, between, eq, inArray } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import type { OpenFindings } from "../findings/open.ts";
import { anchor, movement, product, report } from "../indexer/schema.ts";
import { type IndexedChain, stampOf } from "../indexer/stamp.ts";
import { shortIdOf } from "../indexer/telemetry.ts";
import { toTransaction } from "../indexer/transactions.ts";
import type { EmitWebhook } from "./emit.ts";
import { webhookCursor } from "./schema.ts";

export interface WebhookChain extends IndexedChain {
  /** Overrides the chain's default number of blocks until finality. */
  confirmations: number | null;
}

/** Most blocks whose events are created in one transaction. */
const SPAN = 5_000;
/** Tables whose rows the events state. */
const SOURCES = ["accounts", "movements", "reports", "batches"] as const;

/**
 * Creates the events of the blocks of a chain that have become final since the last call, at most `SPAN` blocks.
 * Returns whether more blocks wait. The first call only notes the newest final block, so that years of history are not
 * sent. Nothing is created while the audit has an open finding about rows that events state.
 */
export async function createChainEvents(
  { db, findings, emit }: { db: Pick<Database, "transaction">; findings: OpenFindings; emit: EmitWebhook },
  chain: WebhookChain,
): Promise<boolean> {
  if ((await findings.read()).concerns(SOURCES, {})) return false;
  const { chainId } = chain;
  // In one snapshot, so that a chain that is read again does not lose its rows between two queries.
  return db.transaction(async (tx) => {
    const asOf = await stampOf(tx, chain);
    if (asOf === null) return false;
    const final = asOf.block - (chain.confirmations ?? confirmationsOf(chainId));
    const [cursor] = await tx.select().from(webhookCursor).where(eq(webhookCursor.chainId, chainId)).for("update");
    if (cursor === undefined) {
      if (!asOf.stale) await tx.insert(webhookCursor).values({ chainId, block: final });
      return false;
    }
    if (final <= cursor.block) return false;
    const to = Math.min(final, cursor.block + SPAN);
    for (const event of await eventsBetween(tx, { chainId, from: cursor.block + 1, to })) await emit(tx, event);
    await tx.update(webhookCursor).set({ block: to }).where(eq(webhookCursor.chainId, chainId));
    return to < final;
  }, "repeatable read");
}

interface Blocks {
  chainId: number;
  /** Both included. */
  from: number;
  to: number;
}
interface Placed {
  block: number;
  logIndex: number;
  event: WebhookEvent & { fact: string };
}

/** Returns the events of these blocks in the order of the chain. */
async function eventsBetween(tx: Orm, blocks: Blocks): Promise<Placed["event"][]> {
  const placed = [...(await movements(tx, blocks)), ...(await reports(tx, blocks)), ...(await anchors(tx, blocks))];
  placed.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
  return placed.map(({ event }) => event);
}

const WITHDRAWALS = ["withdraw", "request", "processed", "claim", "mature"] as const;
type Withdrawal = (typeof WITHDRAWALS)[number];

async function movements(tx: Orm, { chainId, from, to }: Blocks): Promise<Placed[]> {
  const rows = await tx
    .select()
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(
      and(
        eq(movement.chainId, chainId),
        between(movement.block, from, to),
        inArray(movement.kind, ["deposit", ...WITHDRAWALS]),
      ),
    );
  return rows.map(({ movement: row, product: of }) => {
    const { status: _status, description: _description, ...transaction } = toTransaction(row, of);
    const { block, logIndex, wallet, kind } = row;
    const { shortId: short_id, assetSymbol: symbol } = of;
    const amount = formatUnits(row.assets, of.assetDecimals);
    const data = { ...transaction, block, log_index: logIndex, short_id, symbol, amount };
    const common = { time: row.time * 1_000, fact: factOf(row, wallet) };
    const event: Placed["event"] =
      kind === "deposit"
        ? { ...common, type: "deposit", data: { ...data, kind } }
        : { ...common, type: "withdrawal", data: { ...data, kind: kind as Withdrawal } };
    return { block, logIndex, event };
  });
}

async function reports(tx: Orm, { chainId, from, to }: Blocks): Promise<Placed[]> {
  const rows = await tx
    .select()
    .from(report)
    .innerJoin(product, and(eq(product.chainId, report.chainId), eq(product.address, report.product)))
    .where(and(eq(report.chainId, chainId), between(report.block, from, to)));
  return rows.map(({ report: row, product: of }) => {
    const data = {
      ...placeOf(row, of.shortId),
      symbol: of.assetSymbol,
      amount: formatUnits(row.delta, of.assetDecimals),
      as_of_time: row.asOf * 1_000,
      evidence_root: row.evidenceRoot,
    };
    return { ...row, event: { type: "report", time: data.time, fact: factOf(row), data } };
  });
}

async function anchors(tx: Orm, { chainId, from, to }: Blocks): Promise<Placed[]> {
  const rows = await tx
    .select()
    .from(anchor)
    .where(and(eq(anchor.chainId, chainId), between(anchor.block, from, to)));
  return rows.flatMap((row): Placed[] => {
    const shortId = shortIdOf(row.stream);
    // Anyone may anchor a stream of any name. Only those of products are of interest.
    if (shortId === null) return [];
    const { number, root, dataHash, head, count } = row;
    const data = {
      ...placeOf(row, shortId),
      ...{ number, root, data_hash: dataHash, head, count },
      from: row.from * 1_000,
      to: row.to * 1_000,
    };
    return [{ ...row, event: { type: "anchor", time: data.time, fact: factOf(row), data } }];
  });
}

interface Row {
  chainId: number;
  block: number;
  logIndex: number;
  hash: string;
  /** Unix seconds. */
  time: number;
}

function placeOf({ chainId, block, logIndex, hash, time }: Row, shortId: string) {
  return { chain_id: chainId, block, log_index: logIndex, hash, time: time * 1_000, short_id: shortId };
}

/** A row that is read again from the same event has the same name. */
function factOf({ chainId, block, logIndex, hash }: Row, wallet = ""): string {
  return [chainId, block, logIndex, hash, wallet].join(" ");
}
