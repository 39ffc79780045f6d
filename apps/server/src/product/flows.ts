import { DAY } from "@aqua/sdk/durations";
import type { Day } from "@aqua/sdk/maths/wait";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { privilegedAct, productState, vaultState } from "../indexer/schema.ts";
import { ofProduct } from "../indexer/versions.ts";
import type { Product } from "../indexer/world.ts";
import { heldHere } from "./capacity.ts";
import { columnsAt, inceptionOf } from "./store.ts";

/** One year to measure on, and one year before it for the estimates made a year ago. */
const MAX_DAYS = 730;

/** One day of a vault's history. */
export interface PastDay extends Day {
  /** End of the day, Unix seconds. */
  end: number;
  /** The part of `inflow` that came from deposits. */
  deposited: bigint;
  /** Whether the product accepted deposits at the end of the day. */
  open: boolean;
}

/**
 * Returns the history as a basis for estimates of the future. If the product no longer accepts deposits, past
 * deposits are subtracted from the inflow.
 */
export function aheadFrom(past: readonly PastDay[]): readonly Day[] {
  if (past.at(-1)?.open !== false) return past;
  return past.map(({ inflow, deposited, reported }) => ({ inflow: inflow - deposited, reported }));
}

const { settled, streaming, deployed, setAside, deposited, reportTime } = vaultState;
const flowColumns = { settled, streaming, deployed, setAside, deposited, reportTime };

/**
 * Returns the last full days of a vault's history, oldest first. At most `most` days are returned, and the last day
 * ends at `now` (Unix seconds). The inflow of a day is the increase of the money in the vault, plus the money taken
 * out for deployment and for the queue. Deployment and queue are reactions to inflow, so the inflow consists of net
 * deposits, repayments and income.
 */
export async function pastDays(
  tx: Orm,
  { product, now, most = MAX_DAYS }: { product: Product; now: number; most?: number },
): Promise<PastDay[]> {
  const inception = await inceptionOf(tx, product);
  const full = inception === null ? 0 : Math.min(most, Math.floor((now - inception) / DAY));
  if (full === 0) return [];
  const moments = Array.from({ length: full + 1 }, (_, index) => now - (full - index) * DAY);
  const states = await columnsAt(tx, { of: product, times: moments, columns: flowColumns });
  const deployments = await deploymentsSince(tx, product, moments[0] as number);
  const listings = await listingsOf(tx, product);
  const days: PastDay[] = [];
  let next = 0;
  for (const [index, { time: end, vault }] of states.entries()) {
    const before = states[index - 1];
    if (!before) continue;
    let inflow = heldHere(vault) - heldHere(before.vault) + vault.setAside - before.vault.setAside;
    for (let out = deployments[next]; out && out.time <= end; out = deployments[next]) {
      inflow += out.assets;
      next += 1;
    }
    days.push({
      end,
      inflow,
      deposited: vault.deposited - before.vault.deposited,
      reported: (vault.reportTime ?? 0) > before.time,
      open: listings.findLast(({ time }) => time <= end)?.status === 0,
    });
  }
  return days;
}

/** Oldest first. */
function listingsOf(tx: Orm, product: Product) {
  return tx
    .select({ time: productState.time, status: productState.status })
    .from(productState)
    .where(ofProduct(productState, product))
    .orderBy(asc(productState.block), asc(productState.logIndex));
}

/** Returns the amounts handed to the custodian after `from`, oldest first. */
async function deploymentsSince(tx: Orm, product: Product, from: number) {
  const rows = await tx
    .select({ time: privilegedAct.time, args: privilegedAct.args })
    .from(privilegedAct)
    .where(
      and(
        eq(privilegedAct.chainId, product.chainId),
        eq(privilegedAct.contract, product.address),
        eq(privilegedAct.name, "Deployed"),
        gt(privilegedAct.time, from),
      ),
    )
    .orderBy(asc(privilegedAct.time), asc(privilegedAct.block), asc(privilegedAct.logIndex));
  return rows.map(({ time, args }) => ({ time, assets: BigInt(args.assets ?? "0") }));
}
