import type { Order } from "@aqua/sdk/chain/orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { t } from "../../i18n/i18n.ts";
import { exactAmount } from "../exact-amount.ts";
import type { TrackedTransaction } from "../transactions.ts";

export type Description = Pick<
  TrackedTransaction,
  "scope" | "kind" | "shortId" | "amount" | "symbol" | "assetDecimals" | "shareDecimals" | "description"
>;

const kinds = {
  deposit: "deposit",
  open: "deposit",
  withdraw: "withdraw",
  redeem: "withdraw",
  exitEarly: "withdraw",
  request: "request",
  claim: "claim",
  draw: "claim",
  close: "mature",
  rollover: "rollover",
  autoRoll: "instruct",
  demand: "demand",
} as const satisfies Record<Order["action"], TrackedTransaction["kind"]>;

/** The amount of an order in the asset's smallest units. Null if it has none. */
function aboutOf(order: Order): bigint | null {
  switch (order.action) {
    case "deposit":
    case "withdraw":
    case "open":
      return order.assets;
    case "exitEarly":
      return order.minOut;
    case "autoRoll":
    case "demand":
      return null;
    default:
      return order.expected;
  }
}

function amountText(order: Order, amount = aboutOf(order) ?? 0n): string {
  const { assetDecimals } = order.terms;
  return exactAmount(formatUnits(amount, assetDecimals), assetDecimals);
}

/** The description of an order for lists of transactions, and the data stored with it. */
export function describeOrder(order: Order, scope: string): Description {
  const { shortId, symbol, assetDecimals, shareDecimals, name } = order.terms;
  const about = aboutOf(order);
  const receipt = "id" in order ? String(order.id) : "";
  const values = { amount: amountText(order), symbol, product: name, receipt };
  return {
    scope,
    kind: kinds[order.action],
    shortId,
    symbol,
    assetDecimals,
    shareDecimals,
    amount: about === null ? null : formatUnits(about, assetDecimals),
    description: t(`transact.describe.${order.action === "redeem" ? "withdraw" : order.action}`, values),
  };
}

/** The description of the approval of `amount` that an order needs first. */
export function describeApproval(order: Order, amount: bigint, scope: string): Description {
  const { symbol, assetDecimals } = order.terms;
  return {
    ...describeOrder(order, scope),
    kind: "approve",
    amount: formatUnits(amount, assetDecimals),
    description: t("transact.describe.approve", { amount: amountText(order, amount), symbol }),
  };
}

/**
 * The description of several orders in one bundle. The kind is that of the first order. Product and symbol are set only
 * if they are the same for all.
 */
export function describeBundle(orders: readonly [Order, ...Order[]], scope: string): Description {
  const [first, ...rest] = orders.map((order) => describeOrder(order, scope)) as [Description, ...Description[]];
  if (rest.length === 0) return first;
  const same = rest.every(({ shortId }) => shortId === first.shortId);
  return {
    ...first,
    shortId: same ? first.shortId : null,
    amount: null,
    description: [first, ...rest].map(({ description }) => description).join(" · "),
  };
}
