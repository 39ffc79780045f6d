import type { Refusal, RefusedReading } from "@aqua/sdk/api/telemetry";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { momentText } from "../readings/reading-text.ts";
import { useFleet } from "./fleet.ts";
import { NamedSection } from "./named-section.tsx";
import { PagedTable } from "./paged-table.tsx";
import { isDeviceName, type RefusedFilter, refusedPageSize, useRefused } from "./refused-readings-query.ts";

const reasons = [
  "malformed",
  "unknown_device",
  "retired",
  "metric",
  "no_key",
  "signature",
  "unchecked",
  "co_signature",
  "replay",
  "gap",
  "chain",
  "future",
  "time_order",
] as const satisfies Refusal[];

/** Milliseconds after the last keystroke before the name is sent to the server. */
const typingPause = 400;

/** Counts by reason over the last 24 hours, as text. */
function Counts() {
  const counts = useFleet().data?.refused_24h ?? [];
  if (counts.length === 0) return null;
  return (
    <div className="border-b border-line p-5">
      <h3 className="mb-3 text-14 font-strong">{t("evidence.refused.day")}</h3>
      <dl className="grid gap-x-10 gap-y-1.5 text-14 md:grid-cols-2">
        {counts
          .toSorted((a, b) => b.count - a.count)
          .map(({ reason, count }) => (
            <div key={reason} className="flex items-baseline justify-between gap-4 border-b border-line/60 py-1">
              <dt className="text-muted">{t(`evidence.refusal.${reason}`)}</dt>
              <dd className="font-mono">{formatCount(count)}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

interface FilterProps {
  filter: RefusedFilter;
  onFilter: (filter: RefusedFilter) => void;
}

function Filter({ filter, onFilter }: FilterProps) {
  const { reason, device } = filter;
  const [typed, setTyped] = useState(device ?? "");
  const name = typed.trim();
  const valid = name === "" || isDeviceName(name);
  useEffect(() => {
    const wanted = name || null;
    if (!valid || wanted === device) return;
    const timer = setTimeout(() => onFilter({ reason, device: wanted }), typingPause);
    return () => clearTimeout(timer);
  }, [name, valid, device, reason, onFilter]);
  return (
    <div className="grid gap-4 border-b border-line p-5 sm:grid-cols-2">
      <SelectField
        large
        label={t("evidence.refused.reason")}
        value={reason ?? ""}
        onChange={(next) => onFilter({ device, reason: next || null })}
        options={[
          { value: "", label: t("evidence.refused.any") },
          ...reasons.map((value) => ({ value, label: t(`evidence.refusal.${value}`) })),
        ]}
      />
      <TextField
        label={t("evidence.refused.device")}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={t("evidence.refused.device.all")}
        error={valid ? null : t("evidence.refused.device.bad")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </div>
  );
}

/** Lists refused readings, each with its reason. */
export function Refused() {
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<RefusedFilter>({ reason: null, device: null });
  const refused = useRefused(page, filter);
  const feeds = useFleet().data?.feeds ?? [];
  const columns: Column<RefusedReading>[] = [
    { key: "received", title: t("evidence.refused.received"), lead: true, render: (row) => momentText(row.received) },
    {
      key: "device",
      title: t("evidence.refused.sender"),
      render: (row) =>
        row.device === null ? (
          <span className="text-muted">{t("evidence.refused.illegible")}</span>
        ) : (
          <>
            <span className="font-mono">{row.device}</span>
            {row.short_id && (
              <span className="block text-12">
                <Link to={paths.product(row.short_id)} className="link">
                  {feeds.find((feed) => feed.short_id === row.short_id)?.name ?? row.short_id}
                </Link>
              </span>
            )}
          </>
        ),
    },
    {
      key: "reason",
      title: t("evidence.refused.reason"),
      render: (row) => (
        <>
          {t(`evidence.refusal.${row.reason}`)}
          {/* The message that the device received. It is for the people who maintain the device. */}
          <span lang="en" className="block text-12 text-muted">
            {row.message}
          </span>
        </>
      ),
    },
    { key: "via", title: t("evidence.refused.way"), render: (row) => t(`evidence.refused.via.${row.via}`) },
  ];
  const filtered = filter.reason !== null || filter.device !== null;
  return (
    <NamedSection name="refused" intro={t("evidence.refused.intro")}>
      <div className="panel overflow-hidden">
        <Counts />
        <Filter
          filter={filter}
          onFilter={(next) => {
            setFilter(next);
            setPage(1);
          }}
        />
        <PagedTable
          caption={t("evidence.refused")}
          query={refused}
          page={page}
          pageSize={refusedPageSize}
          onPage={setPage}
          failed={t("evidence.refused.failed")}
          none={
            filtered ? (
              <Empty title={t("evidence.refused.nothing")}>{t("evidence.refused.nothingText")}</Empty>
            ) : (
              <Empty title={t("evidence.refused.none")} />
            )
          }
          columns={columns}
          rowKey={(row) => String(row.id)}
        />
      </div>
    </NamedSection>
  );
}
