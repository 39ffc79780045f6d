import { eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { KEPT_BLOCKS } from "../indexer/indexer.ts";
import { chainCursor } from "../indexer/schema.ts";
import type { Product } from "../indexer/world.ts";

/** Blocks after `after`, up to `upTo`. */
export interface Blocks {
  after: number;
  upTo: number;
}

interface Steps<State, Row> {
  /** Returns the state after block `upTo`, from all rows before. */
  load(tx: Orm, of: Product, upTo: number): Promise<State>;
  /** Reads the rows of these blocks, oldest first. */
  rows(tx: Orm, of: Product, blocks: Blocks): Promise<Row[]>;
  /** Returns the state after these rows, and leaves `state` as it is. */
  next(state: State, rows: readonly Row[]): State;
}

/**
 * Returns a function that reads a state which follows from the whole history of a product. It keeps the state as of a
 * block that is too old to be undone, so that a read costs only the rows since then, however long the history is. A
 * writer that has read the chain again has another epoch; then the state is loaded again.
 */
export function createCarried<State, Row>(steps: Steps<State, Row>): (tx: Orm, of: Product) => Promise<State> {
  const kept = new Map<string, { epoch: number; block: number; state: State }>();

  return async (tx, of) => {
    const { block, epoch } = chainCursor;
    const [cursor] = await tx.select({ block, epoch }).from(chainCursor).where(eq(chainCursor.chainId, of.chainId));
    if (cursor === undefined || cursor.block === null) throw new Error(`chain ${of.chainId} has no applied block`);
    const upTo = cursor.block;
    const settled = Math.max(-1, upTo - KEPT_BLOCKS);
    const key = `${of.chainId} ${of.address}`;
    let known = kept.get(key);
    if (known === undefined || known.epoch !== cursor.epoch || known.block > upTo) {
      known = { epoch: cursor.epoch, block: settled, state: await steps.load(tx, of, settled) };
      kept.set(key, known);
    } else if (known.block < settled) {
      const rows = await steps.rows(tx, of, { after: known.block, upTo: settled });
      known = { ...known, block: settled, state: steps.next(known.state, rows) };
      kept.set(key, known);
    }
    return steps.next(known.state, await steps.rows(tx, of, { after: known.block, upTo }));
  };
}
