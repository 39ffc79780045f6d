import type { AnchoredBatch } from "@aqua/sdk/api/telemetry";
import { Download } from "lucide-react";
import { useState } from "react";
import { api } from "../../features/api.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";

/** The time a batch answers for, and its file to keep. */
export function BatchFile({ batch }: { batch: AnchoredBatch }) {
  const { short_id, number, from, to } = batch;
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  async function save() {
    setState("busy");
    try {
      const response = await api.batchFile(short_id, number);
      saveFile(await response.blob(), `aqua-batch-${short_id}-${number}.ndjson`);
      setState("idle");
    } catch {
      setState("failed");
    }
  }
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
          <Button
            size="small"
            look="quiet"
            busy={state === "busy"}
            onClick={save}
            aria-label={t("evidence.anchors.downloadOf", { number })}
            icon={<Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
          >
            {t("evidence.anchors.download")}
          </Button>
        ) : (
          <span className="text-12 text-muted">{t("evidence.anchors.noFile")}</span>
        )}
      </div>
    </div>
  );
}
