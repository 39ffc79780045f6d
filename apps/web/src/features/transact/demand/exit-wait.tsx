import type { DemandDetail } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { formatNearDate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { KeyLine } from "../../../ui/key-lines.tsx";
import type { ExitWait } from "../../products/exit-wait.ts";

/** An exit that may take longer than this, in milliseconds, is marked. */
const longWait = 7 * DAY_MS;

/** The line with the dates by which 50 % and 90 % of such exits are paid. */
export function waitLine(product: DemandDetail, wait: ExitWait | "more" | null, label: string): KeyLine {
  const help = "queue";
  if (wait === null)
    return {
      label,
      help,
      value: "—",
      note: t(product.withheld.length > 0 ? "ui.withheld" : "transact.line.wait.unknown"),
    };
  if (wait === "more") return { label, help, value: "—", note: t("transact.line.wait.more") };
  const { time } = product.as_of;
  const dateAfter = (length: number) => formatNearDate(time + length, time);
  return {
    label,
    help,
    value: (
      <>
        <span className="inline-block">{t("transact.line.wait.half", { date: dateAfter(wait.p50) })}</span>{" "}
        <span className="inline-block">{t("transact.line.wait.most", { date: dateAfter(wait.p90) })}</span>
      </>
    ),
    caution: wait.p90 > longWait ? t("transact.line.wait.long") : undefined,
  };
}
