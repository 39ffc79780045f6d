import type { Device, Fleet as Figures } from "@aqua/sdk/api/telemetry";
import { formatCount, formatDateTime, formatRelative } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Part, PartsBar } from "../../ui/chart/parts-bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { productColumn } from "../products/product-column.tsx";
import { useFleet } from "./fleet.ts";
import { NamedSection } from "./named-section.tsx";
import { Answer } from "./query-state.tsx";

const statuses = ["online", "late", "offline", "never", "no_key", "retired"] as const satisfies Device["status"][];
const trusts = [
  "co_signed",
  "attested",
  "secure_element",
  "software_key",
  "declared",
] as const satisfies Device["trust"][];
const keys = ["p256", "secp256k1"] as const;
/** Healthy states have water colours; the others have clearly different colours. */
const colours = {
  online: 1,
  late: 4,
  offline: 2,
  never: 3,
  no_key: 5,
  retired: 6,
  co_signed: 6,
  attested: 3,
  secure_element: 1,
  software_key: 4,
  declared: 2,
  p256: 1,
  secp256k1: 4,
} as const;

function partsOf<Name extends keyof typeof colours>(
  names: readonly Name[],
  counts: Partial<Record<Name, number>>,
  word: (name: Name) => string,
): Part[] {
  return names.flatMap((name) => {
    const count = counts[name];
    return count ? [{ key: name, name: word(name), value: String(count), colour: colours[name] }] : [];
  });
}

function Parts({ title, parts, note }: { title: string; parts: Part[]; note?: string | null }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-3 text-14 font-strong">{title}</h3>
      <PartsBar label={title} parts={parts} format={(value) => formatCount(Number(value))} />
      {note && <p className="mt-2 text-12 text-muted">{note}</p>}
    </div>
  );
}

function Totals({ fleet }: { fleet: Figures }) {
  const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
  const validationIssues = fleet.flawed_24h.map(({ reason, count }) =>
    t(`evidence.fleet.flawed.${reason}`, { count: formatCount(count) }),
  );
  return (
    <dl className="grid gap-x-6 gap-y-5 p-5 sm:grid-cols-2 lg:grid-cols-4">
      <Figure label={t("evidence.fleet.total")} note={t("evidence.fleet.heard", { count: fleet.reporting_24h })}>
        {formatCount(fleet.total)}
      </Figure>
      <Figure label={t("evidence.fleet.accepted")} note={t("evidence.fleet.all", { count: fleet.readings })}>
        {formatCount(fleet.accepted_24h)}
      </Figure>
      <Figure
        label={t("evidence.fleet.flawed")}
        note={validationIssues.length === 0 ? t("evidence.fleet.flawed.none") : validationIssues.join(" · ")}
      >
        {formatCount(sum(fleet.flawed_24h))}
      </Figure>
      <Figure label={t("evidence.fleet.refused")}>{formatCount(sum(fleet.refused_24h))}</Figure>
    </dl>
  );
}

/** Shows the number of devices, their health, their kinds of keys, and their readings of the last 24 hours. */
export function Fleet() {
  const fleet = useFleet();
  const asOf = fleet.data?.as_of;
  return (
    <NamedSection
      name="devices"
      intro={t("evidence.fleet.intro")}
      aside={asOf && <Stamp block={asOf.block} time={asOf.time} stale={asOf.stale || fleet.isError} />}
    >
      <div className="panel">
        <Answer query={fleet} failed={t("evidence.fleet.failed")} skeleton={<Skeleton className="h-80 rounded-12" />}>
          {(figures) =>
            figures.total === 0 ? (
              <Empty title={t("evidence.fleet.none")} />
            ) : (
              <>
                <Totals fleet={figures} />
                <div className="grid gap-x-10 gap-y-8 border-t border-line p-5 md:grid-cols-3">
                  <Parts
                    title={t("evidence.fleet.status")}
                    parts={partsOf(statuses, figures.by_status, (name) => t(`readings.status.${name}`))}
                  />
                  <Parts
                    title={t("evidence.fleet.key")}
                    parts={partsOf(keys, figures.by_key, (name) => t(`readings.key.${name}`))}
                    note={keylessNote(figures)}
                  />
                  <Parts
                    title={t("evidence.fleet.trust")}
                    parts={partsOf(trusts, figures.by_trust, (name) => t(`readings.trust.${name}`))}
                    note={coSignerNote(figures)}
                  />
                </div>
              </>
            )
          }
        </Answer>
      </div>
    </NamedSection>
  );
}

/** Devices without a valid key are not counted under any kind of key. */
function keylessNote({ total, by_key }: Figures): string | null {
  const keyless = total - keys.reduce((sum, kind) => sum + (by_key[kind] ?? 0), 0);
  return keyless > 0 ? t("evidence.fleet.key.none", { count: keyless }) : null;
}

function coSignerNote({ co_signers }: Figures): string | null {
  if (co_signers.length === 0) return null;
  return t("evidence.fleet.trust.by", { names: new Intl.ListFormat(language()).format(co_signers) });
}

type Feed = Figures["feeds"][number];

function Age({ time, now }: { time: number | null; now: number }) {
  if (time === null) return <span className="text-muted">{t("evidence.feed.noReading")}</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
      {formatRelative(Math.min(time, now), now)}
    </time>
  );
}

function FeedState({ feed }: { feed: Feed }) {
  if (!feed.readings_stale && !feed.anchor_stale)
    return feed.in_service === 0 ? (
      <Badge>{t("evidence.feed.ended")}</Badge>
    ) : (
      <Badge look="positive">{t("evidence.feed.fresh")}</Badge>
    );
  return (
    <span className="inline-flex flex-wrap gap-2">
      {feed.readings_stale && <Badge look="negative">{t("evidence.feed.readingsLate")}</Badge>}
      {feed.anchor_stale && <Badge look="negative">{t("evidence.feed.anchorLate")}</Badge>}
    </span>
  );
}

/** Shows the age of each product's newest reading and newest batch. Renders nothing if no product has devices. */
export function FeedTable() {
  const fleet = useFleet();
  const now = useNow(5_000);
  if (fleet.data?.feeds.length === 0 || (fleet.isError && !fleet.data)) return null;
  const columns: Column<Feed>[] = [
    productColumn(t("products.tx.product")),
    { key: "devices", title: t("evidence.feed.devices"), figure: true, render: (row) => formatCount(row.devices) },
    { key: "last", title: t("evidence.feed.last"), render: (row) => <Age time={row.last_reading} now={now} /> },
    { key: "anchor", title: t("evidence.feed.anchor"), render: (row) => <Age time={row.last_anchor} now={now} /> },
    { key: "batches", title: t("evidence.feed.batches"), figure: true, render: (row) => formatCount(row.batches) },
    { key: "waiting", title: t("evidence.feed.waiting"), figure: true, render: (row) => formatCount(row.unanchored) },
    { key: "state", title: t("evidence.feed.state"), render: (row) => <FeedState feed={row} /> },
  ];
  return (
    <NamedSection name="readings" intro={t("evidence.feeds.intro")}>
      <div className="panel overflow-hidden">
        {fleet.data ? (
          <Table
            caption={t("evidence.feeds")}
            columns={columns}
            rows={fleet.data.feeds}
            rowKey={(row) => row.short_id}
          />
        ) : (
          <TableSkeleton rows={3} />
        )}
      </div>
    </NamedSection>
  );
}
