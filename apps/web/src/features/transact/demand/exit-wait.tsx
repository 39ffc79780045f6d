import type { DemandDetail } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import { formatNearDate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { KeyLine } from "../../../ui/key-lines.tsx";

type Wait = NonNullable<DemandDetail["wait"]>;

/** An exit that may take longer than this is pointed out. */
const longWait = 7 * 86_400_000;

/**
 * How long an exit of `amount` (smallest units) takes: 0 when it is paid at once, else the estimate for the next larger
 * amount on the curve, so too long rather than too short.
 */
export function waitOf(product: DemandDetail, amount: bigint): Wait | "more" | null {
  const units = (text: string) => parseUnits(text, product.asset.decimals);
  if (amount <= units(product.instant_capacity)) return { p50: 0, p90: 0 };
  const next = product.exit_curve.find((point) => units(point.amount) >= amount);
  return next === undefined ? "more" : next.wait;
}

/** The line with the dates by which half, and 90 %, of such exits are paid. */
export function waitLine(product: DemandDetail, wait: Wait | "more" | null, label: string): KeyLine {
  if (wait === null) return { label, value: "—", note: t("transact.line.wait.unknown") };
  if (wait === "more") return { label, value: "—", note: t("transact.line.wait.more") };
  const { time } = product.as_of;
  const dateAfter = (length: number) => formatNearDate(time + length, time);
  return {
    label,
    value: (
      <>
        <span className="inline-block">{t("transact.line.wait.half", { date: dateAfter(wait.p50) })}</span>{" "}
        <span className="inline-block">{t("transact.line.wait.most", { date: dateAfter(wait.p90) })}</span>
      </>
    ),
    caution: wait.p90 > longWait ? t("transact.line.wait.long") : undefined,
  };
}
