import type { AnchoredBatch } from "@aqua/sdk/api/telemetry";
import { Download } from "lucide-react";
import { useState } from "react";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useDownload } from "../../ui/download.ts";
import { api } from "../api.ts";
import { CheckFile } from "./batch-file-check.tsx";

/** Shows the period that a batch covers, and its file to download or to verify here. */
export function BatchFile({ batch }: { batch: AnchoredBatch }) {
  const { short_id, number, from, to } = batch;
  const [open, setOpen] = useState(false);
  const name = `aqua-batch-${short_id}-${number}.ndjson`;
  const { state, download } = useDownload(name, () => api.batchFile(short_id, number));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="text-12 text-muted">
        {t("evidence.anchors.span", { from: formatDateTime(from * 1_000), to: formatDateTime(to * 1_000) })}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {state === "failed" && (
          <span role="alert" className="text-12 text-negative">
            {t("evidence.anchors.downloadFailed")}
          </span>
        )}
        {batch.file ? (
          <>
            <Button
              size="small"
              look="secondary"
              busy={state === "busy"}
              onClick={download}
              aria-label={t("evidence.anchors.downloadOf", { number })}
              icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
            >
              {t("evidence.anchors.download")}
            </Button>
            <Button
              size="small"
              look="secondary"
              onClick={() => setOpen(true)}
              aria-label={t("evidence.anchors.checkOf", { number })}
            >
              {t("evidence.anchors.check")}
            </Button>
          </>
        ) : (
          <span className="text-12 text-muted">{t("evidence.anchors.noFile")}</span>
        )}
      </div>
      {open && (
        <Dialog
          open
          onClose={() => setOpen(false)}
          title={t("evidence.anchors.number", { number: formatCount(number) })}
          className="sm:max-w-160"
        >
          <div className="p-5">
            <CheckFile
              name={name}
              expected={{ short_id, number }}
              load={async (signal) => {
                const response = await api.batchFile(short_id, number, signal);
                return new Uint8Array(await response.arrayBuffer());
              }}
            />
          </div>
        </Dialog>
      )}
    </div>
  );
}
