import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { formatCount, formatDateTime } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { chainName } from "../products/product-labels.ts";
import { useAudit } from "./audit.ts";
import { NamedSection } from "./named-section.tsx";
import { Answer } from "./query-state.tsx";

type Finding = AuditSummary["findings"][number];

/** A value as it is stored; of a whole row, whether there is one. */
function Value({ finding: { column }, value }: { finding: Finding; value: string | null }) {
  if (column !== null) return <span className="wrap-anywhere font-mono">{value ?? "—"}</span>;
  return value === null ? t("transparency.audit.noRow") : t("transparency.audit.aRow");
}

const columns = (): Column<Finding>[] => [
  {
    key: "value",
    title: t("transparency.audit.value"),
    lead: true,
    render: ({ table, row, column }) => (
      <span className="wrap-anywhere font-mono">{[table, row, column].filter(Boolean).join(" · ")}</span>
    ),
  },
  {
    key: "expected",
    title: t("transparency.audit.expected"),
    render: (finding) => <Value finding={finding} value={finding.expected} />,
  },
  {
    key: "found",
    title: t("transparency.audit.stored"),
    render: (finding) => <Value finding={finding} value={finding.found} />,
  },
  { key: "since", title: t("transparency.audit.since"), render: ({ since }) => formatDateTime(since) },
  {
    key: "healed",
    title: t("transparency.audit.healed"),
    render: ({ healed }) => (healed === null ? t("transparency.audit.open") : formatDateTime(healed)),
  },
];

function linesOf({ chain_id, block, time, whole, open }: AuditSummary["chains"][number]): string[] {
  const network = chainName(chain_id);
  if (block === null || time === null) return [t("transparency.audit.never", { network })];
  const to = { network, block: formatCount(block), time: formatDateTime(time) };
  return [
    ...(whole === null
      ? []
      : [
          t("transparency.audit.whole", {
            network,
            date: formatDateTime(whole.ended),
            figures: formatCount(whole.figures),
          }),
        ]),
    t("transparency.audit.block", to),
    ...(open > 0 ? [t("transparency.audit.differing", { network, count: formatCount(open) })] : []),
  ];
}

/** How far the audit of the stored figures is, and everything that it has found. */
export function AuditRecord() {
  return (
    <NamedSection name="audit" intro={t("transparency.audit.intro")}>
      <Answer
        query={useAudit()}
        failed={t("transparency.audit.failed")}
        skeleton={<Skeleton className="h-24 rounded-12" />}
      >
        {({ chains, log, findings }) => (
          <>
            <ul className="space-y-1 text-14">
              {chains.flatMap(linesOf).map((line) => (
                <li key={line} className="wrap-break-word">
                  {line}
                </li>
              ))}
              {log !== null && <li>{t("transparency.audit.log", { count: formatCount(log.size) })}</li>}
              {findings.length === 0 && chains.some(({ whole }) => whole !== null) && (
                <li>{t("transparency.audit.none")}</li>
              )}
            </ul>
            {findings.length > 0 && (
              <div className="panel mt-4 overflow-hidden">
                <Table
                  width="wide"
                  caption={t("transparency.audit.findings")}
                  columns={columns()}
                  rows={findings}
                  rowKey={({ table, row, column, since }) => `${table} ${row} ${column} ${since}`}
                />
              </div>
            )}
          </>
        )}
      </Answer>
    </NamedSection>
  );
}
