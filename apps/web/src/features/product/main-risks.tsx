import type { DemandDetail, ProductDetail, TimeDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatDate, formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { compareAmounts, isZero, sumAmounts } from "../decimal.ts";
import { lossText } from "../loss-text.ts";
import { partText } from "../part-text.ts";
import { openTerms } from "../products/deposit-state.ts";

interface Risk {
  title: string;
  text: string;
}

function accessOf({ instant_capacity, wait, asset }: DemandDetail): Risk {
  const title = t("product.risk.access");
  const now = `${formatAmount(instant_capacity, { rounding: "down" })} ${asset.symbol}`;
  if (wait === null) return { title, text: t("product.risk.access.unknown", { now }) };
  if (wait.p90 === 0) return { title, text: t("product.risk.access.none", { now }) };
  return { title, text: t("product.risk.access.wait", { now, p90: formatDuration(wait.p90) }) };
}

function lossOf({ max_drawdown: fall, max_drawdown_taken_back: reversed, inception }: DemandDetail): Risk {
  const title = t("product.risk.loss");
  if (fall === null || isZero(fall))
    return { title, text: t("product.risk.loss.none", { since: formatDate(inception) }) };
  const part = lossText(fall);
  if (reversed === null) return { title, text: t("product.risk.loss.fell", { part }) };
  return { title, text: t("product.risk.loss.reversed", { part, date: formatDate(reversed) }) };
}

/** The risk of money that is with the custodian. The chain knows this amount only from the operator's books. */
function custodyOf(deployed: string | null, assets: string | null, unit: string): Risk {
  const text = isZero(deployed)
    ? t("product.risk.custody.none")
    : t("product.risk.custody.some", { part: partText(deployed, assets), amount: `${formatAmount(deployed)} ${unit}` });
  return { title: t("product.risk.custody"), text };
}

function demandRisks(product: DemandDetail): Risk[] {
  const { vault, asset } = product;
  // The custodian's amount includes income that is still streaming into the share price.
  const assets = sumAmounts([vault.settled, vault.streaming]);
  return [accessOf(product), lossOf(product), custodyOf(vault.deployed, assets, asset.symbol)];
}

/**
 * Risks of a time deposit: the cost of an early withdrawal under the open term with the highest penalty, the backing of
 * the receipts, and losses.
 */
function timeRisks(product: TimeDetail): Risk[] {
  const { books, asset } = product;
  const unit = asset.symbol;
  const costliest = [...openTerms(product)].sort((a, b) => Number(b.penalty) - Number(a.penalty))[0];
  const none = books.winding_down === null ? t("product.risk.early.none") : t("product.notice.windingDown.text");
  const early = costliest
    ? t("product.risk.early.cost", { rate: formatRate(costliest.break_rate), penalty: formatRate(costliest.penalty) })
    : none;
  const backed = isZero(books.liabilities)
    ? t("product.coverage.none")
    : t("product.risk.backing.some", {
        part: partText(books.cash, books.liabilities),
        owed: `${formatAmount(books.liabilities)} ${unit}`,
        deployed: `${formatAmount(books.deployed)} ${unit}`,
      });
  return [
    { title: t("product.risk.early"), text: early },
    { title: t("product.risk.backing"), text: backed },
    { title: t("product.risk.loss"), text: lossesOf(product) },
  ];
}

function lossesOf({ books, asset, inception, loss_reviewed_until }: TimeDetail): string {
  const losses = { amount: `${formatAmount(books.losses)} ${asset.symbol}` };
  // The contract books a loss only after its review.
  if (loss_reviewed_until !== null) return t("product.risk.booked.reviewed", losses);
  if (isZero(books.losses)) return t("product.risk.booked.none", { since: formatDate(inception) });
  const covered = books.coverage === null || compareAmounts(books.coverage, "1") >= 0;
  return t(covered ? "product.risk.booked.covered" : "product.risk.booked.some", losses);
}

/** Shows the three main risks with figures of the current block. The risks that the operator names are under "More". */
export function MainRisks({ product }: { product: ProductDetail }) {
  const known = product.type === "time_deposit" ? timeRisks(product) : demandRisks(product);
  const isWithheld = product.withheld.includes("accounts");
  const risks = isWithheld ? known.map(({ title }) => ({ title, text: t("ui.withheld") })) : known;
  return (
    <Section title={t("product.risks.main")}>
      <ul className="panel divide-y divide-line">
        {risks.map(({ title, text }) => (
          <li key={title} className="grid gap-x-6 gap-y-0.5 px-5 py-3.5 text-14 sm:grid-cols-[140px_minmax(0,1fr)]">
            <h3 className="font-strong">{title}</h3>
            <p className="max-w-[68ch]">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
