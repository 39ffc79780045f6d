import type { Performance } from "@aqua/sdk/api/product";
import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { growthOf } from "../products/performance-figures.ts";

const amount = 1000n;

/** What 1 000 deposited at the first price of the range is worth at its last. Nothing where there is no price. */
export function Worth({ series, unit }: { series: Performance["series"]; unit: string }) {
  const worth = growthOf({ series, price: "share_price", amount }).filter(({ value }) => value !== null);
  const [first, last] = [worth[0], worth.at(-1)];
  if (!first || !last || first === last) return null;
  return (
    <p className="max-w-[40ch] text-20">
      {t("performance.worth", {
        amount: formatAmount(String(amount), { digits: 0 }),
        unit,
        date: formatDate(first.time),
        value: formatAmount(last.value),
      })}
    </p>
  );
}
