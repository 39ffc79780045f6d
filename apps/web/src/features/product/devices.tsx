import type { Device } from "@aqua/sdk/api/telemetry";
import { formatRate, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { anchors } from "../../paths.ts";
import { AnimatedNumber } from "../../ui/animated-number.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/class-names.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useAnchor } from "../readings/anchors.ts";
import { firstDevice, useDevices } from "../readings/devices.ts";
import { figureText, metricName, statusLooks } from "../readings/reading-text.ts";
import { useView } from "../readings/span.ts";
import { DevicePanel } from "./device-panel.tsx";

interface CardProps {
  device: Device;
  chosen: boolean;
  /** Unix milliseconds. */
  now: number;
  onChoose: () => void;
}

/** A device as a selectable card: location, current value, health. */
function DeviceCard({ device, chosen, now, onChoose }: CardProps) {
  const { last, unit } = device;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        "panel flex w-full flex-col gap-3 p-4 text-left transition-colors",
        chosen ? "border-accent ring-1 ring-accent" : "hover:border-accent",
      )}
    >
      <span className="flex w-full items-start justify-between gap-3">
        <span className="min-w-0">
          <span className="block text-14 font-strong wrap-anywhere">{device.place}</span>
          <span className="block text-12 text-muted">{metricName(device.metric)}</span>
        </span>
        <Badge look={statusLooks[device.status]}>{t(`readings.status.${device.status}`)}</Badge>
      </span>
      <span className="font-mono text-20 font-strong tracking-tight">
        {last === null ? (
          <span className="font-sans text-14 font-normal text-muted">
            {device.withheld ? "—" : t("readings.last.none")}
          </span>
        ) : (
          <AnimatedNumber key={device.name} value={last.value} format={(value) => figureText(value, unit)} />
        )}
      </span>
      <span className="mt-auto flex w-full flex-wrap justify-between gap-x-3 text-12 text-muted">
        <span>{t(`readings.trust.${device.trust}`)}</span>
        <span>
          {device.quality.score === null
            ? t(device.withheld ? "ui.withheld" : "readings.quality.unknown")
            : t("readings.quality.short", { score: formatRate(device.quality.score, { digits: 1 }) })}
        </span>
        <span>
          {device.last_seen === null
            ? device.withheld
              ? "—"
              : t("readings.seen.never")
            : t("readings.seen.age", { age: formatRelative(Math.min(device.last_seen, now), now) })}
        </span>
      </span>
    </button>
  );
}

/** The product's devices with their current values, and all details of one of them. */
export default function Devices({ shortId }: { shortId: string }) {
  const devices = useDevices(shortId);
  const view = useView();
  const now = useNow(5_000);
  const loaded = devices.data ?? [];
  const chosen = loaded.find(({ name }) => name === view.device) ?? firstDevice(loaded);
  const anchor = useAnchor<HTMLDivElement>(anchors.devices, !devices.isPending);
  return (
    <div ref={anchor} id={anchors.devices} className="min-w-0 scroll-mt-20">
      <Section title={t("readings.devices")} intro={t("readings.devices.intro")}>
        {devices.isPending ? (
          <div aria-busy="true" className="grid gap-3 sm:grid-cols-2">
            {["a", "b", "c", "d"].map((key) => (
              <Skeleton key={key} className="h-34 rounded-12" />
            ))}
          </div>
        ) : devices.isError && !devices.data ? (
          <ErrorState
            title={t("readings.devices.failed")}
            error={devices.error}
            busy={devices.isFetching}
            onRetry={() => devices.refetch()}
          />
        ) : !chosen ? (
          <div className="panel">
            <Empty title={t("readings.devices.empty")}>{t("readings.devices.emptyText")}</Empty>
          </div>
        ) : (
          <div className="flex flex-col gap-3">
            {devices.isError && <Notice look="caution">{t("readings.devices.old")}</Notice>}
            <ul className="grid gap-3 sm:grid-cols-2">
              {loaded.map((device) => (
                <li key={device.name} className="flex">
                  <DeviceCard
                    device={device}
                    chosen={device === chosen}
                    now={now}
                    onChoose={() => view.setDevice(device.name)}
                  />
                </li>
              ))}
            </ul>
            <DevicePanel key={chosen.name} device={chosen} span={view.span} onSpan={view.setSpan} />
          </div>
        )}
      </Section>
    </div>
  );
}
