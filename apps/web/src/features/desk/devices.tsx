import type { Device } from "@aqua/sdk/api/telemetry";
import { formatDateTime, formatDuration, formatRate, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { Details } from "../../ui/details.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Answer } from "../transparency/query-state.tsx";
import { Command } from "./command.tsx";
import { commands } from "./commands.ts";
import { isQuiet, useDevicesInService } from "./queries.ts";

const looks = {
  online: "positive",
  late: "caution",
  offline: "negative",
  never: "negative",
  no_key: "negative",
} as const;

const columns = (now: number): Column<Device>[] => [
  { key: "device", title: t("readings.device"), lead: true, render: ({ name }) => name },
  { key: "product", title: t("products.tx.product"), render: ({ short_id }) => short_id },
  {
    key: "status",
    title: t("desk.state"),
    render: ({ status }) => (
      <Badge look={status === "retired" ? "plain" : looks[status]}>{t(`readings.status.${status}`)}</Badge>
    ),
  },
  {
    key: "seen",
    title: t("desk.devices.seen"),
    render: ({ last_seen }) =>
      last_seen === null ? (
        t("readings.seen.never")
      ) : (
        <time dateTime={new Date(last_seen).toISOString()} title={formatDateTime(last_seen)}>
          {formatRelative(Math.min(last_seen, now), now)}
        </time>
      ),
  },
  {
    key: "interval",
    title: t("readings.interval"),
    render: ({ interval }) => t("readings.interval.every", { time: formatDuration(interval) }),
  },
  {
    key: "quality",
    title: t("readings.quality"),
    figure: true,
    render: ({ quality }) => formatRate(quality.score, { digits: 1 }),
  },
];

/** The health of all devices in service: those that do not report are listed, the others on request. */
export function Devices() {
  const devices = useDevicesInService();
  return (
    <Section anchor="devices" title={t("readings.devices")} intro={t("desk.devices.intro")}>
      <div className="panel overflow-hidden">
        <Answer query={devices} failed={t("readings.devices.failed")} skeleton={<TableSkeleton rows={3} />}>
          {(all) => <Health all={all} />}
        </Answer>
      </div>
      <div className="mt-4">
        <Command line={commands.devices()} does={t("desk.devices.command")} />
      </div>
    </Section>
  );
}

function Health({ all }: { all: readonly Device[] }) {
  const now = useNow(10_000);
  if (all.length === 0) return <Empty title={t("readings.devices.empty")}>{t("desk.devices.none")}</Empty>;
  const quiet = all.filter(isQuiet);
  const others = all.filter((device) => !isQuiet(device));
  const rowKey = ({ name }: Device) => name;
  return (
    <>
      {quiet.length === 0 ? (
        <p className="p-5 text-14">{t("desk.devices.allReport", { count: all.length })}</p>
      ) : (
        <Table caption={t("desk.devices.quiet")} columns={columns(now)} rows={quiet} rowKey={rowKey} />
      )}
      {others.length > 0 && (
        <Details inset label={t("desk.devices.reporting", { count: others.length })}>
          <Table caption={t("desk.devices.others")} columns={columns(now)} rows={others} rowKey={rowKey} />
        </Details>
      )}
    </>
  );
}
