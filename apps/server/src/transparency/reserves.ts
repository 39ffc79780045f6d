import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Reserves } from "@aqua/sdk/api/transparency";
import { formatUnits, mulDivFloor } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import { type Product, poolAt } from "../indexer/world.ts";
import { heldHere } from "../product/capacity.ts";
import type { CurrentProduct } from "../product/store.ts";
import { formatRatio } from "../product/termOffers.ts";
import type { CurrentTermProduct } from "../product/termStore.ts";

const WAD = 10n ** 18n;
type Parts<Side extends "assets" | "liabilities"> = [Reserves[Side][number]["part"], bigint][];

/** A demand deposit owes its shares what they are worth and what is being streamed to them, and claims what is set aside. */
export function vaultReserves({ product, vault }: CurrentProduct, name: string, asOf: AsOf): Reserves {
  const { totalAssets } = poolAt(vault, asOf.time / 1_000);
  const setAside = vault.setAside - vault.claimed;
  return {
    ...reserves({
      product,
      name,
      asOf,
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

/** A time deposit owes principal and interest at maturity; wound down, the claims that were not drawn yet. */
export function termReserves({ product, books }: CurrentTermProduct, name: string, asOf: AsOf): Reserves {
  const { cash, deployed, principal, liabilities, claims } = books;
  return {
    ...reserves({
      product,
      name,
      asOf,
      parts: {
        // A booked loss has left what is deployed.
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
  name,
  asOf,
  parts: { assets, liabilities },
}: {
  product: Product;
  name: string;
  asOf: AsOf;
  parts: { assets: Parts<"assets">; liabilities: Parts<"liabilities"> };
}): Omit<Reserves, "type" | "last_report" | "max_age"> {
  const amount = (units: bigint) => formatUnits(units, product.assetDecimals);
  const sum = (parts: readonly [string, bigint][]) => parts.reduce((total, [, units]) => total + units, 0n);
  const [has, owes] = [sum(assets), sum(liabilities)];
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
    coverage: owes === 0n ? null : formatRatio(mulDivFloor(has, WAD, owes)),
    as_of: asOf,
  };
}
