import type { Holding } from "@aqua/sdk/api/portfolio";
import type { ProductDetail } from "@aqua/sdk/api/product";
import type { Order } from "@aqua/sdk/chain/orders";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { useQueries } from "@tanstack/react-query";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import type { Orders } from "../../../wallet/chain/operations.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { perform } from "../../../wallet/lazy/operations.ts";
import { useWallet } from "../../../wallet/store.ts";
import { useContentLanguage } from "../../content-language.ts";
import { useHoldings } from "../../portfolio/holdings.ts";
import { productOptions } from "../../products/detail.ts";
import { termsOf } from "../form/product-terms.ts";
import { Progress } from "../progress/progress.tsx";
import { useAction } from "../progress/use-action.ts";

/**
 * The order that claims everything a holding can pay now; null when nothing is claimable or the product is not loaded.
 */
export function claimOf(holding: Holding, product: ProductDetail, owner: `0x${string}`): Order | null {
  const terms = termsOf(product);
  if (terms === null || holding.wallet.toLowerCase() !== owner.toLowerCase()) return null;
  const expected = parseUnits(holding.claimable ?? "0", holding.decimals);
  if (expected === 0n) return null;
  if (product.type === "demand_deposit") return { action: "claim", terms, owner, expected };
  if (holding.deposit_id === null) return null;
  const id = BigInt(holding.deposit_id);
  const action = product.books.winding_down === null ? "close" : "draw";
  return { action, terms, owner, id, expected };
}

/**
 * Claims everything that the connected wallet can claim on its current chain, over all products: in one bundle if the
 * wallet supports batching, else one order after another. Renders nothing when nothing is claimable.
 */
export function ClaimAll() {
  const { address, chainId } = useWallet();
  const lang = useContentLanguage();
  const holdings = (useHoldings(address).data?.items ?? []).filter((holding) => Number(holding.claimable ?? "0") > 0);
  const shortIds = [...new Set(holdings.map((holding) => holding.short_id))];
  const products = useQueries({ queries: shortIds.map((shortId) => productOptions(shortId, lang)) });
  const action = useAction({ scope: "claims", shortId: null, chainId: chainId ?? 0, address });

  const orders = holdings.flatMap((holding) => {
    const product = products[shortIds.indexOf(holding.short_id)]?.data;
    if (address === null || product === undefined || product.chain_id !== chainId) return [];
    return claimOf(holding, product, address) ?? [];
  });
  const [first, ...rest] = orders;
  const settled = action.transaction !== null || action.stage.stage !== "idle";
  if (first === undefined && !settled) return null;
  return (
    <div className="flex flex-col gap-3" data-testid="claim-all">
      {first !== undefined && (
        <>
          <Button
            busy={action.busy}
            onClick={() => {
              const all: Orders = [first, ...rest];
              void action.start((report) => perform(all, "claims", report));
            }}
          >
            {rest.length === 0 ? submitOne(first) : t("transact.claims.all", { count: orders.length })}
          </Button>
          <p className="text-14 text-muted">{totalsOf(holdings, orders)}</p>
        </>
      )}
      <Progress action={action} product={null} />
    </div>
  );
}

function submitOne(order: Order): string {
  const { symbol, assetDecimals } = order.terms;
  const expected = "expected" in order ? order.expected : 0n;
  return t("transact.claim.submit", {
    amount: exactAmount(formatUnits(expected, assetDecimals), assetDecimals),
    symbol,
  });
}

/** "612.30 tUSD from Alpine River, …": the amount that each order is expected to pay. */
function totalsOf(holdings: readonly Holding[], orders: readonly Order[]): string {
  const claimed = holdings.filter((holding) => orders.some((order) => isAbout(order, holding)));
  return claimed
    .map((holding) => `${holding.name}: ${exactAmount(holding.claimable ?? "0", holding.decimals)} ${holding.symbol}`)
    .join(" · ");
}

function isAbout(order: Order, holding: Holding): boolean {
  const id = "id" in order ? String(order.id) : null;
  return order.terms.shortId === holding.short_id && id === holding.deposit_id;
}
