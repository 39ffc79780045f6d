import type { Home } from "@aqua/sdk/api/home";
import type { Product, ProductDetail, WithheldFigures } from "@aqua/sdk/api/product";
import type { Withheld } from "../findings/open.ts";

/** The parts of a product's figures that an open finding of the audit withholds. */
function partsOf(withheld: Withheld, product: string): WithheldFigures[] {
  const parts: WithheldFigures[] = [];
  if (withheld.concerns(["accounts", "receipts"], { product })) parts.push("accounts");
  if (withheld.concerns(["reports"], { product })) parts.push("reports");
  if (withheld.concerns(["flows"], { product })) parts.push("flows");
  return parts;
}

/** Returns the product without the figures that an open finding concerns. */
export function withholdProduct<Of extends Product>(product: Of, withheld: Withheld): Of {
  const parts = partsOf(withheld, product.short_id);
  if (parts.length === 0) return product;
  if (!parts.includes("accounts")) return { ...product, withheld: parts, wait: null };
  const { share, apy, conditions, open_terms } = product;
  return {
    ...product,
    withheld: parts,
    share: share && { ...share, price: null, supply: null },
    apy: { ...apy, value: null },
    term: null,
    ...(open_terms && { open_terms: [] }),
    tvl: null,
    cap_used: null,
    instant_capacity: null,
    wait: null,
    conditions: {
      ...conditions,
      cash: null,
      deployed: null,
      performance_fee: null,
      vesting: null,
      early_withdrawal: null,
    },
    holders: null,
    proof_age: null,
  };
}

/** Does the same for the figures that only a product's page has. */
export function withholdDetail(detail: ProductDetail, withheld: Withheld): ProductDetail {
  const product = withholdProduct(detail, withheld);
  const has = (part: WithheldFigures) => product.withheld.includes(part);
  if (product.withheld.length === 0) return product;
  const income_months = has("accounts") || has("reports") ? [] : product.income_months;
  if (product.type === "time_deposit") {
    if (!has("accounts")) return { ...product, income_months };
    const { winding_down } = product.books;
    return {
      ...product,
      income_months,
      terms: [],
      books: {
        cash: null,
        deployed: null,
        principal: null,
        liabilities: null,
        reserved: null,
        free_interest: null,
        coverage: null,
        losses: null,
        winding_down: winding_down && { claims: null, received: null },
        receipts: null,
      },
    };
  }
  const exit_curve: typeof product.exit_curve = [];
  if (!has("accounts"))
    return { ...product, income_months, exit_curve: has("flows") ? exit_curve : product.exit_curve };
  const { vault } = product;
  return {
    ...product,
    income_months,
    exit_curve,
    vault: {
      ...vault,
      settled: null,
      streaming: null,
      supply: null,
      deployed: null,
      queue: vault.queue && { ...vault.queue, shares: null },
    },
    max_drawdown: null,
    max_drawdown_taken_back: null,
  };
}

/** Leaves out the followed report and the amounts of events if a finding concerns them. */
export function withholdHome(parts: Pick<Home, "report" | "events">, withheld: Withheld): typeof parts {
  const { report, events } = parts;
  const isWithheld =
    report !== null &&
    withheld.concerns(["accounts", "reports", "readings", "batches"], { product: report.product.short_id });
  return {
    report: isWithheld ? null : report,
    events: events.map((event) =>
      withheld.concerns(["movements", "reports"], { product: event.product.short_id })
        ? { ...event, amount: null }
        : event,
    ),
  };
}
