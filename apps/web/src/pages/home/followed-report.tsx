import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Loaded, Reported } from "../../features/home/instance.ts";
import { newestGain } from "../../features/home/newest-gain.ts";
import { classAndPlace } from "../../features/products/product-labels.ts";
import { devicePath, walkPath } from "../../features/readings/anchors.ts";
import { useIncomeCheck, witnessOf } from "../../features/readings/income.ts";
import { figureText } from "../../features/readings/reading-text.ts";
import { formatAmount, formatCount, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Hash } from "../../ui/hash.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Thread } from "../../ui/thread.tsx";

function Knot({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="link">
      {children}
    </Link>
  );
}

const price = (value: string | null) => formatAmount(value, { digits: 6, minDigits: 4 });

/** A real income report followed from its asset to the payout, with a link at each knot. */
export default function FollowedReport({ reported }: { reported: Loaded<Reported> }) {
  const gain = reported.state === "ready" ? newestGain(reported.data) : null;
  const product = gain?.report.product;
  const check = useIncomeCheck(product?.short_id ?? "", gain && !gain.bare ? gain.report.hash : null).data;
  const witness = check && witnessOf(check);
  if (reported.state === "tooMany") return null;
  return (
    <Section
      title={t("home.follow")}
      intro={
        reported.state === "ready" && (product ? t("home.follow.intro", { name: product.name }) : t("home.follow.none"))
      }
    >
      {reported.state === "loading" && <Skeleton className="h-80" />}
      {reported.state === "failed" && <ErrorState error={reported.error} onRetry={reported.retry} />}
      {gain && product && (
        <div className="panel p-5">
          <Thread
            label={t("home.follow")}
            knots={[
              witness && check?.metric
                ? {
                    key: "reading",
                    label: (
                      <Knot to={devicePath(product.short_id, witness.name)}>
                        {t("readings.followed.reading", {
                          figure: figureText(witness.reading.value, check.metric.unit),
                        })}
                      </Knot>
                    ),
                    note: t("readings.followed.device", {
                      device: witness.name,
                      age: formatRelative(witness.reading.time),
                    }),
                  }
                : {
                    key: "asset",
                    label: <Knot to={paths.product(product.short_id)}>{product.name}</Knot>,
                    note: classAndPlace(product) || t("home.thread.asset"),
                  },
              check?.anchor
                ? {
                    key: "batch",
                    label: (
                      <Knot to={walkPath(product.short_id)}>
                        {t("readings.followed.batch", { batch: formatCount(check.anchor.number) })}
                      </Knot>
                    ),
                    note: t("readings.followed.anchored", { block: formatCount(check.anchor.block) }),
                  }
                : {
                    key: "evidence",
                    label: <Knot to={paths.product(product.short_id)}>{t("home.follow.evidence")}</Knot>,
                    ...(gain.bare
                      ? { note: t("home.follow.noEvidence"), state: "open" as const }
                      : {
                          note: <Hash value={gain.report.evidence_root} />,
                        }),
                  },
              {
                key: "report",
                label: (
                  <Knot to={paths.performance(product.short_id)}>
                    {t("home.follow.report", {
                      amount: `${formatAmount(gain.report.delta, { signed: true })} ${product.asset.symbol}`,
                    })}
                  </Knot>
                ),
                note: t("home.follow.reportNote", {
                  age: formatRelative(gain.report.time),
                  block: formatCount(gain.report.block),
                }),
              },
              {
                key: "price",
                label: <Knot to={paths.performance(product.short_id)}>{t("home.thread.price")}</Knot>,
                note: t("home.follow.price", { before: price(gain.before), now: price(gain.now) }),
              },
              {
                key: "payout",
                label: <Knot to={paths.liquidity(product.short_id)}>{t("home.thread.payout")}</Knot>,
                note: t("home.follow.payout", {
                  amount: `${formatAmount(product.instant_capacity, { digits: 0 })} ${product.asset.symbol}`,
                }),
              },
            ]}
          />
        </div>
      )}
    </Section>
  );
}
