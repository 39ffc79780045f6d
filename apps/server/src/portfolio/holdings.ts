import type { Holding } from "@aqua/sdk/api/portfolio";
import type { LanguageCode } from "@aqua/sdk/languages";
import { sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { quotedApy, timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits, mulDivFloor, rescale } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { PositionState } from "../indexer/world.ts";
import { type Documents, documentIn } from "../product/documents.ts";
import { type DemandPosition, exitOf, type Position, profitOfPosition, type TimePosition } from "./positions.ts";
import { collectableOf, exitOfReceipt, type HeldReceipt, worthOf } from "./receipts.ts";

/** The source of one holding: a position in a demand deposit, or one receipt of a time deposit. */
export type HeldItem =
  | { position: DemandPosition; receipt: null; value: bigint }
  | { position: TimePosition; receipt: HeldReceipt; value: bigint };

/** Returns the holdings of the positions, sorted by value, highest first. */
export function itemsOf(positions: readonly Position[]): HeldItem[] {
  const items = positions.flatMap((position): HeldItem[] => {
    if (position.type === "demand_deposit") return [{ position, receipt: null, value: position.value }];
    const now = position.asOf.time / 1_000;
    return position.receipts.map((receipt) => ({
      position,
      receipt,
      value: worthOf([receipt], position.current.books, now),
    }));
  });
  const comparable = ({ position, value }: HeldItem) => rescale(value, position.product.assetDecimals, 255);
  return items.sort((a, b) => {
    const [first, second] = [comparable(a), comparable(b)];
    if (first !== second) return first < second ? 1 : -1;
    const [one, other] = [a.position, b.position];
    return (
      one.product.shortId.localeCompare(other.product.shortId) ||
      Number((a.receipt?.receipt.receiptId ?? 0n) - (b.receipt?.receipt.receiptId ?? 0n)) ||
      (one.wallet < other.wallet ? -1 : 1)
    );
  });
}

export function toHolding(item: HeldItem, documents: Documents, lang: LanguageCode | undefined): Holding {
  const { position, value } = item;
  const { product, asOf } = position;
  return {
    short_id: product.shortId,
    withheld: false,
    wallet: getAddress(position.wallet),
    name: nameOf(position, documents, lang),
    type: position.type,
    chain_id: product.chainId,
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    value: formatUnits(value, product.assetDecimals),
    ...(item.receipt ? ofReceipt(item.position, item.receipt, value) : ofShares(item.position)),
    as_of: asOf,
  };
}

type OwnFigures = Omit<
  Holding,
  "short_id" | "withheld" | "wallet" | "name" | "type" | "chain_id" | "symbol" | "decimals" | "value" | "as_of"
>;

function ofShares(position: DemandPosition): OwnFigures {
  const { product, record, apy } = position;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const shares = (units: bigint) => formatUnits(units, product.shareDecimals);
  const profit = profitOfPosition(position);
  return {
    shares: shares(record.shares - record.pending),
    deposit_id: null,
    receipt: null,
    principal: assets(record.cost),
    exit_value: assets(exitOf([position])),
    average_cost: averageCost(record, product.shareDecimals - product.assetDecimals),
    realised: assets(profit.realised),
    unrealised: assets(profit.unrealised),
    interest: assets(profit.interest),
    apy: apy.value,
    start: record.since === null ? null : record.since * 1_000,
    maturity: null,
    pending_shares: shares(record.pending),
    claimable: assets(record.claimable),
    cost_estimated: record.costEstimated,
  };
}

const rolls = ["none", "principal", "all"] as const;

function ofReceipt({ product, current, asOf, mayLeave }: TimePosition, held: HeldReceipt, value: bigint): OwnFigures {
  const { receipt, term, figures } = held;
  const now = asOf.time / 1_000;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const rate = (units: bigint) => formatUnits(units, 18);
  // During a wind-down, payments first return the cost. Any payment beyond the cost is also interest.
  const drawn = receipt.costEstimated || receipt.paid <= receipt.principal ? 0n : receipt.paid - receipt.principal;
  return {
    shares: null,
    deposit_id: String(receipt.receiptId),
    receipt: {
      term: { value: term.count, unit: timeUnits[term.unit] ?? "day" },
      term_id: term.termId,
      rate: rate(term.rate),
      break_rate: rate(term.breakRate),
      penalty: rate(term.penalty),
      principal: assets(receipt.principal),
      interest_at_maturity: assets(receipt.interest),
      matured: now >= receipt.maturity,
      roll: rolls[receipt.roll] ?? "none",
      roll_term_id: receipt.roll === 0 ? null : receipt.rollTermId,
      demanded_at: receipt.demandedAt === null ? null : receipt.demandedAt * 1_000,
      winding_down: current.books.claims > 0n,
    },
    principal: assets(receipt.cost),
    exit_value: assets(mayLeave ? exitOfReceipt(held, current, now) : 0n),
    average_cost: null,
    realised: assets(0n),
    unrealised: assets(0n),
    interest: assets(value - receipt.cost + drawn),
    apy: quotedApy({
      principal: receipt.principal,
      interest: receipt.interest,
      openedAt: figures.openedAt,
      maturity: figures.maturity,
    }),
    start: receipt.openedAt * 1_000,
    maturity: receipt.maturity * 1_000,
    pending_shares: null,
    claimable: assets(collectableOf([held], current.books, now)),
    cost_estimated: receipt.costEstimated,
  };
}

/** Returns the name of a product in a language, or its short id if it has no document. */
export function nameOf(
  { state, product }: Pick<Position, "state" | "product">,
  documents: Documents,
  lang: LanguageCode | undefined,
): string {
  return documentIn(documents.get(state.metadataHash), lang)?.name ?? product.shortId;
}

/**
 * Returns the cost of one whole share in whole assets, 18 decimals, rounded down. Returns null if no shares are held.
 */
function averageCost(position: PositionState, decimalsOffset: number): string | null {
  if (position.shares === 0n) return null;
  const scale = 10n ** BigInt(sharePriceDecimals + decimalsOffset);
  return formatUnits(mulDivFloor(position.cost, scale, position.shares), sharePriceDecimals);
}
