import type { ProductSummary } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { formatUnits, rescale } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import type { Withheld } from "../findings/open.ts";
import { type IndexedChain, oldest, stampsOf } from "../indexer/stamp.ts";
import { poolAt } from "../indexer/world.ts";
import { type CurrentProduct, currentProducts, incomeByProduct } from "./store.ts";
import { figuresIn, worthOf } from "./termOffers.ts";
import { currentTermProducts, type LiveReceipts } from "./termStore.ts";

/** Returns the total deposits of a product at `now` (Unix seconds), in smallest units of its asset. */
export function tvlOf({ vault }: CurrentProduct, now: number): bigint {
  return poolAt(vault, now).totalAssets;
}

/** Amounts in smallest units of an asset with this number of decimals. */
interface Total {
  decimals: number;
  deposits: bigint;
  income: bigint | null;
}

/**
 * Adds two totals of one unit. The result has the larger number of decimals. An unknown part adds nothing to a known
 * one.
 */
export function addTotals(a: Total, b: Total): Total {
  const decimals = Math.max(a.decimals, b.decimals);
  const finer = (units: bigint, of: Total) => rescale(units, of.decimals, decimals);
  const income = (of: Total) => (of.income === null ? null : finer(of.income, of));
  const [first, second] = [income(a), income(b)];
  return {
    decimals,
    deposits: finer(a.deposits, a) + finer(b.deposits, b),
    income: first === null ? second : first + (second ?? 0n),
  };
}

/** Counts the devices of these chains that reported after `since`, Unix milliseconds. */
export type CountDevices = (tx: Orm, chainIds: readonly number[], since: number) => Promise<number>;

/**
 * Computes figures over all products.
 * @throws ApiError `chain_unavailable` while one of the chains has not been indexed
 */
export async function summarise(
  tx: Orm,
  chains: readonly IndexedChain[],
  {
    countDevices,
    withheld,
    liveReceipts,
  }: { countDevices: CountDevices; withheld: Withheld; liveReceipts: LiveReceipts },
): Promise<ProductSummary> {
  const stamped = await stampsOf(tx, chains);
  const totals = new Map<string, Total>();
  const lastReports: number[] = [];
  let open = 0;
  let positions = 0;
  /** The units of which a product's figures are withheld, so that a total would be wrong. */
  const noDeposits = new Set<string>();
  const noIncome = new Set<string>();
  for (const { chain, asOf } of stamped) {
    const now = asOf.time / 1_000;
    const incomes = await incomeByProduct(tx, chain.chainId);
    const add = ({ product, state }: Pick<CurrentProduct, "product" | "state">, deposits: bigint, holders: number) => {
      const income = incomes.get(product.address) ?? null;
      const total: Total = { decimals: product.assetDecimals, deposits, income };
      const known = totals.get(product.assetSymbol);
      totals.set(product.assetSymbol, known ? addTotals(known, total) : total);
      const of = { product: product.shortId };
      if (withheld.concerns(["accounts", "receipts"], of)) noDeposits.add(product.assetSymbol);
      if (withheld.concerns(["accounts", "reports"], of)) noIncome.add(product.assetSymbol);
      if (state.status === 0) open += 1;
      positions += holders;
    };
    for (const current of await currentProducts(tx, chain.chainId)) {
      const { holders, reportTime } = current.vault;
      add(current, tvlOf(current, now), holders);
      if (reportTime !== null) lastReports.push(reportTime);
    }
    for (const current of await currentTermProducts(tx, chain.chainId)) {
      const receipts = figuresIn(current.terms, await liveReceipts(tx, current.product));
      add(current, worthOf(receipts, current.books, now), current.books.holders);
    }
  }
  return {
    open,
    positions: noDeposits.size > 0 ? null : positions,
    totals: [...totals].map(([symbol, { decimals, deposits, income }]) => ({
      symbol,
      deposits: noDeposits.has(symbol) ? null : formatUnits(deposits, decimals),
      income: income === null || noIncome.has(symbol) ? null : formatUnits(income, decimals),
    })),
    last_report: lastReports.length > 0 && noIncome.size === 0 ? Math.max(...lastReports) * 1_000 : null,
    devices_24h: await countDevices(
      tx,
      stamped.map(({ chain }) => chain.chainId),
      Date.now() - DAY_MS,
    ),
    as_of: oldest(stamped.map(({ asOf }) => asOf)),
  };
}
