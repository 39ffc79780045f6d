import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { coverageRatio } from "@aqua/sdk/maths/receipts";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import { type Product, poolAt } from "../indexer/world.ts";
import { heldHere } from "../product/capacity.ts";
import type { ReviewedLoss } from "../product/lossReview.ts";
import type { CurrentProduct } from "../product/store.ts";
import { formatRatio } from "../product/termOffers.ts";
import type { CurrentTermProduct } from "../product/termStore.ts";

/** Facts about a product in addition to its books. Times in Unix seconds. */
export interface ReserveFacts {
  name: string;
  asOf: AsOf;
  /** The time at which its evidence was last renewed. Null if it never was. */
  renewed: number | null;
  /** The time of its newest anchored reading. Null before the first. */
  lastReading: number | null;
  loss: ReviewedLoss | null;
}

type Parts<Side extends "assets" | "liabilities"> = [Reserves[Side][number]["part"], bigint][];

/**
 * The reserves of a demand deposit. Its liabilities are the value of its shares, the income being streamed to them, and
 * the amounts set aside for claims.
 */
export function vaultReserves({ product, vault }: CurrentProduct, facts: ReserveFacts): Reserves {
  const { asOf } = facts;
  const { totalAssets } = poolAt(vault, asOf.time / 1_000);
  const setAside = vault.setAside - vault.claimed;
  return {
    ...reserves({
      product,
      facts,
      evidenceUntil: vault.evidenceUntil,
      parts: {
        assets: [
          ["idle", heldHere(vault)],
          ["deployed", vault.deployed],
          ["set_aside", setAside],
        ],
        liabilities: [
          ["shares", totalAssets],
          ["unstreamed", vault.settled + vault.streaming - totalAssets],
          ["set_aside", setAside],
        ],
      },
    }),
    type: "demand_deposit",
    last_report: vault.reportTime === null ? null : vault.reportTime * 1_000,
    max_age: vault.maxReportAge * 1_000,
  };
}

/**
 * The reserves of a time deposit. Its liabilities are principal and interest at maturity; in a winding down, the claims
 * that were not drawn yet.
 */
export function termReserves({ product, books }: CurrentTermProduct, facts: ReserveFacts): Reserves {
  const { cash, deployed, principal, liabilities, claims } = books;
  return {
    ...reserves({
      product,
      facts,
      evidenceUntil: books.evidenceUntil,
      parts: {
        // A booked loss is already deducted from the deployed amount.
        assets: [
          ["idle", cash],
          ["deployed", deployed],
        ],
        liabilities:
          claims > 0n
            ? [["claims", liabilities]]
            : [
                ["principal", principal],
                ["interest", liabilities - principal],
              ],
      },
    }),
    type: "time_deposit",
    last_report: null,
    max_age: null,
  };
}

function reserves({
  product,
  facts: { name, asOf, renewed, lastReading, loss },
  evidenceUntil,
  parts: { assets, liabilities },
}: {
  product: Product;
  facts: ReserveFacts;
  /** Unix seconds. 0 for a product that does not depend on documents. */
  evidenceUntil: number;
  parts: { assets: Parts<"assets">; liabilities: Parts<"liabilities"> };
}): Omit<Reserves, "type" | "last_report" | "max_age"> {
  const amount = (units: bigint) => formatUnits(units, product.assetDecimals);
  const sum = (parts: readonly [string, bigint][]) => parts.reduce((total, [, units]) => total + units, 0n);
  const [has, owes] = [sum(assets), sum(liabilities)];
  const coverage = coverageRatio(has, owes);
  return {
    short_id: product.shortId,
    name,
    chain_id: product.chainId,
    contract: getAddress(product.address),
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    assets: assets.map(([part, units]) => ({ part, amount: amount(units) })),
    liabilities: liabilities.map(([part, units]) => ({ part, amount: amount(units) })),
    total_assets: amount(has),
    total_liabilities: amount(owes),
    coverage: coverage === null ? null : formatRatio(coverage),
    // Before the first renewal, the time of the listing counts as the confirmation.
    evidence:
      evidenceUntil === 0 ? null : { confirmed: (renewed ?? product.time) * 1_000, until: evidenceUntil * 1_000 },
    reviewed_loss: loss && {
      amount: loss.amount === null ? null : amount(loss.amount),
      stage: loss.stage,
      until: loss.until * 1_000,
    },
    last_reading: lastReading === null ? null : lastReading * 1_000,
    as_of: asOf,
  };
}
