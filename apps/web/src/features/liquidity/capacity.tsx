import type { Liquidity } from "@aqua/sdk/api/product";
import { formatAmount, formatDay } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Term } from "../../ui/term.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { isZero, shareOf, sumAmounts } from "../decimal.ts";
import { partText } from "../part-text.ts";
import { compareAmounts, dueWithin, weeksCovered } from "../products/liquidity-figures.ts";

const soon = 4;

/** A sentence comparing the idle money with the operator's required minimum. */
function bufferText(liquidity: Liquidity, unit: string): string {
  const { buffer, idle } = liquidity;
  if (buffer === null) return t("liquidity.buffer.none");
  const values = { buffer: formatAmount(buffer), unit };
  if (isZero(buffer)) return t("liquidity.buffer.zero");
  return t(compareAmounts(idle, buffer) < 0 ? "liquidity.buffer.below" : "liquidity.buffer.above", values);
}

/** Shows what can be withdrawn in one transaction, and where the rest of the money is. */
export function Capacity({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const term = liquidity.type === "time_deposit";
  const { buffer, total_assets: total, unstreamed } = liquidity;
  // A fraction of all money. This includes income that is not yet in the price, since that income is also either idle
  // or deployed.
  const money = sumAmounts([liquidity.idle, liquidity.deployed]);
  const idle = shareOf(liquidity.idle, money);
  const idleText = partText(liquidity.idle, money);
  const covered = weeksCovered(liquidity.weeks, liquidity.idle);
  const lastCovered = liquidity.weeks[covered.weeks];
  return (
    <div className="panel">
      <div className="flex items-center gap-6 p-5 md:gap-10">
        <Gauge
          shape="vessel"
          label={t("liquidity.idleShare")}
          level={idle}
          mark={buffer === null || isZero(buffer) ? null : shareOf(buffer, money)}
          text={`${t("liquidity.idleShareText", { share: idleText })}. ${bufferText(liquidity, unit)}`}
        />
        <dl className="grid flex-1 gap-x-6 gap-y-5 sm:grid-cols-2">
          <Figure label={t(term ? "liquidity.idle" : "liquidity.capacity")} size="large">
            <Amount value={term ? liquidity.idle : liquidity.instant_capacity} unit={unit} rounding="down" />
          </Figure>
          {term ? (
            <Figure
              label={t("liquidity.due", { weeks: soon })}
              note={
                liquidity.winding_down
                  ? undefined
                  : covered.all
                    ? t("liquidity.due.all")
                    : t("liquidity.due.until", { date: lastCovered ? formatDay(lastCovered.start) : "—" })
              }
            >
              {liquidity.winding_down ? (
                <Unknown reason={t("liquidity.weeks.none")} />
              ) : (
                <Amount value={dueWithin(liquidity.weeks, soon)} unit={unit} />
              )}
            </Figure>
          ) : (
            <Figure
              label={t("liquidity.idle")}
              note={idle === null ? undefined : t("liquidity.idleShareText", { share: idleText })}
            >
              <Amount value={liquidity.idle} unit={unit} rounding="down" />
            </Figure>
          )}
          <Figure
            label={<Term name="custodian">{t("liquidity.deployed")}</Term>}
            note={
              liquidity.utilisation === null
                ? undefined
                : t("liquidity.utilisation", { share: partText(liquidity.deployed, money) })
            }
          >
            <Amount value={liquidity.deployed} unit={unit} />
          </Figure>
          <Figure
            label={t("liquidity.total")}
            note={
              isZero(unstreamed) ? undefined : t("liquidity.unstreamed", { amount: formatAmount(unstreamed), unit })
            }
          >
            <Amount value={total} unit={unit} />
          </Figure>
        </dl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="max-w-[68ch] text-12 text-muted">
          {liquidity.winding_down
            ? t("liquidity.explainWindingDown")
            : `${bufferText(liquidity, unit)} ${t(term ? "liquidity.explainTerm" : "liquidity.explain")}`}
        </p>
        <Stamp block={liquidity.as_of.block} time={liquidity.as_of.time} stale={liquidity.as_of.stale} />
      </div>
    </div>
  );
}
