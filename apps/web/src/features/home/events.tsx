import type { Home, InstanceEvent } from "@aqua/sdk/api/home";
import { Link } from "react-router";
import { formatDateTime, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";

function nameOf({ kind }: InstanceEvent): string {
  return kind === "report" || kind === "loss" ? t(`home.event.${kind}`) : t(`products.tx.kind.${kind}`);
}

/** The latest deposits, withdrawals and reports of all products. */
export function Events({ events }: { events: Home["events"] }) {
  return (
    <Section title={t("home.events")}>
      {events.length === 0 ? (
        <div className="panel">
          <Empty title={t("home.events.none")} />
        </div>
      ) : (
        <ul className="panel divide-y divide-line">
          {events.map((event) => (
            <li
              key={event.key}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-5 py-3 text-14"
            >
              <span className="min-w-0">
                <span className="font-strong">{nameOf(event)}</span>{" "}
                <Link
                  to={paths.product(event.product.short_id)}
                  className="text-muted hover:text-accent hover:underline"
                >
                  {event.product.name}
                </Link>
              </span>
              <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-3 text-right">
                <Amount
                  mono
                  value={event.amount}
                  unit={event.product.symbol}
                  {...(event.kind === "report" || event.kind === "loss" ? { tone: "gain" as const } : {})}
                />
                <time
                  dateTime={new Date(event.time).toISOString()}
                  title={formatDateTime(event.time)}
                  className="min-w-24 text-12 whitespace-nowrap text-muted"
                >
                  {formatRelative(event.time)}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
