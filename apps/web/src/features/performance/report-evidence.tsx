import type { Performance } from "@aqua/sdk/api/product";
import { useState } from "react";
import { formatCount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Walk } from "../readings/evidence-chain.tsx";

interface EvidenceProps {
  shortId: string;
  report: Performance["reports"][number];
  /** Symbol of the product's asset. */
  unit: string;
}

/** The batch of readings that a report names, and the steps from it back to a signed reading. */
export default function ReportEvidence({ shortId, report, unit }: EvidenceProps) {
  const [open, setOpen] = useState(false);
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2 font-sans">
      <span title={report.evidence_root} className="whitespace-nowrap">
        {report.anchored
          ? t("readings.report.batch", { batch: formatCount(report.anchored.number) })
          : t("readings.report.noBatch")}
      </span>
      <Button
        look="secondary"
        size="small"
        aria-label={t("readings.report.checkOf", { date: formatDate(report.time) })}
        onClick={() => setOpen(true)}
      >
        {t("readings.check")}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("readings.walk")} className="sm:max-w-180">
        {open && <Walk shortId={shortId} hash={report.hash} unit={unit} />}
      </Dialog>
    </span>
  );
}
