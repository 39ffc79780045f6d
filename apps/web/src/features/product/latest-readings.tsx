import type { Device, StoredReading } from "@aqua/sdk/api/telemetry";
import { useState } from "react";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { latestOf, useDeviceReadings } from "../readings/device-readings.ts";
import { figureText, momentText } from "../readings/reading-text.ts";
import { type ProofSource, Verify } from "../readings/verify.tsx";

/** Verifies one reading, in a dialog over the page. */
function VerifyDialog({ source, onClose }: { source: ProofSource; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t("readings.verify")} className="sm:max-w-160">
      <div className="p-5">
        <Verify source={source} />
      </div>
    </Dialog>
  );
}

/** Says whether a reading is in a batch and on chain, or why an invalid reading is not counted. */
function Standing({ reading }: { reading: StoredReading }) {
  const { anchored, batch, flaw } = reading;
  return (
    <>
      {anchored
        ? t("readings.anchored", { batch: formatCount(batch) })
        : batch === null
          ? t("readings.waits")
          : t("readings.onItsWay", { batch: formatCount(batch) })}
      {flaw && <span className="block text-12 text-caution">{t(`readings.flaw.${flaw}`)}</span>}
    </>
  );
}

/** Lists a device's latest readings. Each can be verified once its batch is on chain. */
export function LatestReadings({ device }: { device: Device }) {
  const readings = useDeviceReadings(device.short_id, device.name);
  const [verified, setVerified] = useState<StoredReading | null>(null);
  const { rows, left } = latestOf(readings.data ?? []);
  const columns: Column<StoredReading>[] = [
    { key: "time", title: t("readings.measured"), lead: true, render: (row) => momentText(row.time) },
    { key: "value", title: t("readings.value"), figure: true, render: (row) => figureText(row.value, row.unit) },
    { key: "standing", title: t("readings.standing"), render: (row) => <Standing reading={row} /> },
    {
      key: "verify",
      title: t("readings.check"),
      render: (row) =>
        row.anchored ? (
          <Button
            size="small"
            look="secondary"
            aria-label={t("readings.verify.number", { seq: row.seq })}
            onClick={() => setVerified(row)}
          >
            {t("readings.verify")}
          </Button>
        ) : (
          <span className="text-12 text-muted">{t("readings.verify.later")}</span>
        ),
    },
  ];
  return (
    <div className="border-t border-line">
      <h4 className="px-5 pt-4 pb-1 text-14 font-strong">{t("readings.latest")}</h4>
      {readings.isPending ? (
        <TableSkeleton rows={6} />
      ) : readings.isError && !readings.data ? (
        <div className="p-5">
          <ErrorState
            title={t("readings.latest.failed")}
            error={readings.error}
            busy={readings.isFetching}
            onRetry={() => readings.refetch()}
          />
        </div>
      ) : rows.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-14 text-muted">{t("readings.latest.empty")}</p>
      ) : (
        <>
          {left > 0 && <p className="px-5 pb-2 text-12 text-muted">{t("readings.latest.left", { count: left })}</p>}
          <Table caption={t("readings.latest")} columns={columns} rows={rows} rowKey={(row) => String(row.seq)} />
        </>
      )}
      {verified !== null && (
        <VerifyDialog source={{ ...verified, shortId: device.short_id }} onClose={() => setVerified(null)} />
      )}
    </div>
  );
}
