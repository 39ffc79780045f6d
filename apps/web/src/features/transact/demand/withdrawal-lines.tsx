import type { DemandDetail } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { t } from "../../../i18n/i18n.ts";
import { Amount } from "../../../ui/amount.tsx";
import type { KeyLine } from "../../../ui/key-lines.tsx";
import { exitWaitOf } from "../../products/exit-wait.ts";
import { exampleAmount } from "../form/risk-lines.ts";
import { waitLine } from "./exit-wait.tsx";
import type { ExitPlan } from "./preview.ts";

/** How a withdrawal is paid; smallest units. */
interface Split {
  now: bigint;
  queued: bigint;
}

export function splitOf({ now, queued }: ExitPlan): Split {
  return { now: now?.assets ?? 0n, queued: queued?.assets ?? 0n };
}

/**
 * The split of an example amount when nothing is typed: paid at once as far as cash is available, the rest through the
 * queue. The split is null while the product's figures are withheld.
 */
export function exampleSplit(product: DemandDetail): { amount: bigint; split: Split | null } {
  const amount = exampleAmount(product);
  // Withheld figures give no example of what is paid at once.
  if (product.instant_capacity === null) return { amount, split: null };
  const available = parseUnits(product.instant_capacity, product.asset.decimals);
  const now = amount < available ? amount : available;
  return { amount, split: { now, queued: product.vault.queue === null ? 0n : amount - now } };
}

/**
 * The amount paid now, the amount queued, and the likely payment dates; no amounts when `split` is null because the
 * amount cannot be withdrawn.
 */
export function withdrawalLines(product: DemandDetail, split: Split | null): KeyLine[] {
  const { symbol, decimals } = product.asset;
  const paid = split && formatUnits(split.now, decimals);
  const now = { label: t("transact.leavesNow"), value: <Amount value={paid} unit={symbol} rounding="down" /> };
  if (split === null || split.queued === 0n) return [now];
  const queued = {
    label: t("transact.waits"),
    value: <Amount value={formatUnits(split.queued, decimals)} unit={symbol} />,
  };
  return [
    now,
    queued,
    waitLine(product, exitWaitOf(product, { amount: split.now + split.queued, decimals }), t("transact.line.likelyBy")),
  ];
}
