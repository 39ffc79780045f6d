import type { FollowedReport as Followed } from "@aqua/sdk/api/home";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatAmount, formatCount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Hash } from "../../ui/hash.tsx";
import { Section } from "../../ui/section.tsx";
import { Thread } from "../../ui/thread.tsx";
import { devicePath, walkPath } from "../readings/anchors.ts";
import { figureText } from "../readings/reading-text.ts";

function Knot({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="link">
      {children}
    </Link>
  );
}

const price = (value: string | null) => formatAmount(value, { digits: 6 });

/** The first knot: an anchored reading of a device, or the asset if the report does not lead back to a reading. */
function start({ product, reading }: Followed) {
  if (reading === null)
    return {
      key: "asset",
      label: <Knot to={paths.product(product.short_id)}>{product.name}</Knot>,
      note: [product.asset_class, product.location].filter(Boolean).join(" · ") || t("home.thread.asset"),
    };
  return {
    key: "reading",
    label: (
      <Knot to={devicePath(product.short_id, reading.device)}>
        {t("home.followed.reading", { figure: figureText(reading.value, reading.unit) })}
      </Knot>
    ),
    note: t("home.followed.device", { device: reading.device, age: formatRelative(reading.time) }),
  };
}

/** The second knot: the batch on chain, or the evidence root that the report names. */
function evidence({ product, batch, evidence_root }: Followed) {
  if (batch !== null)
    return {
      key: "batch",
      label: (
        <Knot to={walkPath(product.short_id)}>{t("home.followed.batch", { batch: formatCount(batch.number) })}</Knot>
      ),
      note: t("home.followed.anchored", { block: formatCount(batch.block) }),
    };
  const label = <Knot to={paths.product(product.short_id)}>{t("home.follow.evidence")}</Knot>;
  return evidence_root === null
    ? { key: "evidence", label, note: t("home.follow.noEvidence"), state: "open" as const }
    : { key: "evidence", label, note: <Hash value={evidence_root} /> };
}

/** Follows a real income report from its asset to the amount that can be withdrawn, with a link at each knot. */
export function FollowedReport({ report }: { report: Followed | null }) {
  if (report === null)
    return (
      <Section title={t("home.follow")}>
        <p className="text-14 text-muted">{t("home.income.none")}</p>
      </Section>
    );
  const { product } = report;
  return (
    <Section title={t("home.follow")} intro={t("home.follow.intro", { name: product.name })}>
      <div className="panel p-5">
        <Thread
          label={t("home.follow")}
          knots={[
            start(report),
            evidence(report),
            {
              key: "report",
              label: (
                <Knot to={paths.performance(product.short_id)}>
                  {t("home.follow.report", {
                    amount: `${formatAmount(report.delta, { signed: true })} ${product.symbol}`,
                  })}
                </Knot>
              ),
              note: t("home.follow.reportNote", {
                age: formatRelative(report.time),
                block: formatCount(report.block),
              }),
            },
            {
              key: "price",
              label: <Knot to={paths.performance(product.short_id)}>{t("home.thread.price")}</Knot>,
              note: t("home.follow.price", { before: price(report.price_before), now: price(report.price_now) }),
            },
            {
              key: "payout",
              label: <Knot to={paths.liquidity(product.short_id)}>{t("home.thread.payout")}</Knot>,
              note: t("home.follow.payout", {
                amount: `${formatAmount(product.instant_capacity, { digits: 0, rounding: "down" })} ${product.symbol}`,
              }),
            },
          ]}
        />
      </div>
    </Section>
  );
}
