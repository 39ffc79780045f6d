import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { type ComponentProps, useState } from "react";
import { formatAmount, formatCount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Thread } from "../../ui/thread.tsx";
import { Unknown } from "../../ui/unknown.tsx";
import { useDevices } from "./devices.ts";
import { accountText, type SummedCheck, unknownText, useIncomeCheck, witnessOf } from "./income.ts";
import { figureText, momentText, trustText } from "./reading-text.ts";
import { Verify } from "./verify.tsx";

type Knots = ComponentProps<typeof Thread>["knots"];
const open = "open" as const;

/** The knots device, reading, batch and report with their known details. A knot without evidence stays open. */
function useKnots(check: IncomeCheck, unit: string): Knots {
  const devices = useDevices(check.short_id).data;
  const witness = witnessOf(check);
  const device = devices?.find(({ name }) => name === witness?.name);
  const { anchor, report, metric } = check;
  return [
    {
      key: "device",
      label: device?.place ?? witness?.name ?? t("readings.device"),
      ...(witness ? { note: device && trustText(device) } : { note: t("readings.walk.noDevice"), state: open }),
    },
    {
      key: "reading",
      label: t("readings.value"),
      ...(witness && metric
        ? {
            note: (
              <>
                <span className="block font-mono">{figureText(witness.reading.value, metric.unit)}</span>
                {momentText(witness.reading.time)}
              </>
            ),
          }
        : { note: t("readings.walk.noReading"), state: open }),
    },
    {
      key: "batch",
      label: t("readings.walk.batch"),
      ...(anchor
        ? {
            note: t("readings.walk.batchNote", { batch: formatCount(anchor.number), block: formatCount(anchor.block) }),
          }
        : { note: t("readings.walk.noBatch"), state: open }),
    },
    {
      key: "report",
      label: t("readings.walk.report"),
      note: (
        <>
          <span className="block font-mono">{`${formatAmount(report.delta, { signed: true })} ${unit}`}</span>
          {formatDate(report.time)}
        </>
      ),
    },
  ];
}

/** Shows the formula from counted units to the gain, with the document's factors and the name of each figure. */
function Sum({ check, unit }: { check: IncomeCheck; unit: string }) {
  const { metric, counted, proceeds, assets, expected } = check;
  if (!metric) return null;
  const money = (value: string) => `${formatAmount(value)} ${unit}`;
  return (
    <dl className="grid gap-x-6 gap-y-4 border-t border-line p-5 sm:grid-cols-3">
      <Figure
        size="small"
        label={t("readings.sum.counted")}
        note={t("readings.sum.window", { from: formatDate(check.report.from), to: formatDate(check.report.to) })}
      >
        {counted === null ? <Unknown reason={unknownText(check)} /> : figureText(counted, metric.unit)}
      </Figure>
      <Figure
        size="small"
        label={t("readings.sum.proceeds")}
        note={t("readings.sum.price", {
          price: formatAmount(metric.price, { digits: 6, minDigits: 2 }),
          unit,
          per: metric.unit,
        })}
      >
        {proceeds === null ? <Unknown reason={unknownText(check)} /> : money(proceeds)}
      </Figure>
      <Figure
        size="small"
        label={t("readings.sum.expected")}
        note={t("readings.sum.share", {
          share: formatRate(metric.share),
          assets: money(assets),
          financed: money(metric.financed),
        })}
      >
        {expected === null ? <Unknown reason={unknownText(check)} /> : money(expected)}
      </Figure>
    </dl>
  );
}

/** Says whether this browser computed the same result as the site. The inputs come from the site in either case. */
function Follows({ follows }: Pick<SummedCheck, "follows">) {
  if (follows === false)
    return <Notice look="error" live="status" className="mt-5 max-w-[72ch]" title={t("readings.sum.wrong")} />;
  return (
    <p className="mt-2 max-w-[68ch] text-12 text-muted">
      {t(follows === null ? "readings.sum.unchecked" : "readings.sum.follows")}
    </p>
  );
}

function IncomeWalk({ check, unit }: { check: SummedCheck; unit: string }) {
  const knots = useKnots(check, unit);
  const witness = witnessOf(check);
  const [verifying, setVerifying] = useState(false);
  return (
    <>
      <div className="p-5">
        <Thread label={t("readings.walk")} knots={knots} />
        {check.verdict === "more" ? (
          <Notice
            look="caution"
            className="mt-5 max-w-[72ch]"
            title={t("readings.above", { date: formatDate(check.report.time) })}
          >
            {accountText(check, unit)}
          </Notice>
        ) : (
          <p className="mt-5 max-w-[68ch] text-14">{accountText(check, unit)}</p>
        )}
        <Follows follows={check.follows} />
      </div>
      <Sum check={check} unit={unit} />
      {witness && (
        <div className="border-t border-line p-5">
          {verifying ? (
            <Verify
              source={{
                device: witness.name,
                seq: witness.reading.seq,
                shortId: check.short_id,
                time: witness.reading.time,
                value: witness.reading.value,
                lastBatch: check.anchor?.number,
              }}
            />
          ) : (
            <Button size="small" onClick={() => setVerifying(true)}>
              {t("readings.verify")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface WalkProps {
  shortId: string;
  /** Hash of the report's transaction. */
  hash: string;
  /** Symbol of the product's asset. */
  unit: string;
}

/** Traces an income report back to the signed readings it is based on, and shows how much of it they account for. */
export function Walk({ shortId, hash, unit }: WalkProps) {
  const check = useIncomeCheck(shortId, hash);
  if (check.data) return <IncomeWalk check={check.data} unit={unit} />;
  if (!check.isError) return <Skeleton className="m-5 h-40" />;
  return (
    <div className="p-5">
      <ErrorState
        title={t("readings.walk.failed")}
        error={check.error}
        busy={check.isFetching}
        onRetry={() => check.refetch()}
      />
    </div>
  );
}
