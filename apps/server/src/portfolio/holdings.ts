import type { Holding } from "@aqua/sdk/api/account";
import type { LanguageCode } from "@aqua/sdk/languages";
import { sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits, mulDivFloor, rescale } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Orm } from "../db/database.ts";
import type { PositionState } from "../indexer/state.ts";
import { type Documents, documentIn } from "../product/documents.ts";
import { headlineApy } from "../product/service.ts";
import { type DemandStake, exitOf, profitOfStake, type Stake } from "./stakes.ts";

/** What becomes one holding: a stake in a demand deposit. */
export interface HeldItem {
  stake: DemandStake;
  value: bigint;
}

/** The holdings of stakes, those worth most first. */
export function itemsOf(stakes: readonly Stake[]): HeldItem[] {
  const items: HeldItem[] = stakes.map((stake) => ({ stake, value: stake.value }));
  const comparable = ({ stake, value }: HeldItem) => rescale(value, stake.product.assetDecimals, 255);
  return items.sort((a, b) => {
    const [first, second] = [comparable(a), comparable(b)];
    if (first !== second) return first < second ? 1 : -1;
    return a.stake.product.shortId.localeCompare(b.stake.product.shortId) || (a.stake.wallet < b.stake.wallet ? -1 : 1);
  });
}

export async function toHolding(
  tx: Orm,
  { stake, value }: HeldItem,
  documents: Documents,
  lang: LanguageCode | undefined,
): Promise<Holding> {
  const { product, position, asOf } = stake;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const shares = (units: bigint) => formatUnits(units, product.shareDecimals);
  const profit = profitOfStake(stake);
  const apy = await headlineApy(tx, stake.current, asOf.time / 1_000);
  return {
    short_id: product.shortId,
    wallet: getAddress(stake.wallet),
    name: nameOf(stake, documents, lang),
    type: stake.type,
    chain_id: product.chainId,
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    shares: shares(position.shares - position.pending),
    deposit_id: null,
    receipt: null,
    principal: assets(position.cost),
    value: assets(value),
    exit_value: assets(exitOf([stake])),
    average_cost: averageCost(position, product.shareDecimals - product.assetDecimals),
    realised: assets(profit.realised),
    unrealised: assets(profit.unrealised),
    interest: assets(profit.interest),
    apy: apy.value,
    start: position.since === null ? null : position.since * 1_000,
    maturity: null,
    pending_shares: shares(position.pending),
    claimable: assets(position.claimable),
    cost_estimated: position.costEstimated,
    as_of: asOf,
  };
}

/** A product's name in a language; its short id where it has no document. */
export function nameOf(
  { state, product }: Pick<Stake, "state" | "product">,
  documents: Documents,
  lang: LanguageCode | undefined,
): string {
  return documentIn(documents.get(state.metadataHash), lang)?.name ?? product.shortId;
}

/** Cost of a whole share in whole assets, 18 decimals, rounded down; null when none are held. */
function averageCost(position: PositionState, decimalsOffset: number): string | null {
  if (position.shares === 0n) return null;
  const scale = 10n ** BigInt(sharePriceDecimals + decimalsOffset);
  return formatUnits(mulDivFloor(position.cost, scale, position.shares), sharePriceDecimals);
}
