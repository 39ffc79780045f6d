import type { Performance, Range } from "@aqua/sdk/api/product";
import { Download } from "lucide-react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Section } from "../../ui/section.tsx";
import { performanceJson, reportsCsv, seriesCsv } from "../products/performance-export.ts";

const icon = <Download aria-hidden="true" className="size-4" strokeWidth={1.75} />;

interface ExportProps {
  performance: Performance;
  range: Range;
  unit: string;
  /** True while the figures of this range load; the displayed figures then belong to another range. */
  busy: boolean;
}

/** Offers the page's data as files with every digit. The browser generates them from the API's response. */
export function Export({ performance, range, unit, busy }: ExportProps) {
  const name = `aqua-${performance.short_id}-${range}-block-${performance.as_of.block}`;
  const save = (text: string, file: string, type: string) =>
    saveFile(new Blob([text], { type: `${type};charset=utf-8` }), `${name}-${file}`);
  return (
    <Section title={t("performance.export")} intro={t("performance.export.intro")}>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" inactive={busy} onClick={() => save(seriesCsv(performance), "series.csv", "text/csv")}>
          {icon}
          {t("performance.export.series")}
        </Button>
        <Button
          look="secondary"
          inactive={busy || performance.reports.length === 0}
          onClick={() => save(reportsCsv(performance), "reports.csv", "text/csv")}
        >
          {icon}
          {t("performance.export.reports")}
        </Button>
        <Button
          look="secondary"
          inactive={busy}
          onClick={() => save(performanceJson(performance, range, unit), "performance.json", "application/json")}
        >
          {icon}
          {t("performance.export.json")}
        </Button>
      </div>
    </Section>
  );
}
