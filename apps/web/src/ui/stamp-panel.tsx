import type { ReactNode } from "react";
import { formatCount, formatDateTime } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { cx } from "./class-names.ts";

export interface StampPanelProps {
  block: number;
  /** Time of that block in Unix milliseconds. */
  time: number;
  /** The age as text. */
  age: string;
  state: "fresh" | "late" | "stale";
  from: ReactNode;
}

const notes = {
  late: { text: "ui.stamp.explainLate", tone: "text-caution" },
  stale: { text: "ui.stamp.explainStale", tone: "text-negative" },
} as const;

/** The content of an opened stamp: block, time and age, the source of the figures, and how to check them. */
export default function StampPanel({ block, time, age, state, from }: StampPanelProps) {
  const note = state === "fresh" ? null : notes[state];
  const rows = [
    { term: t("ui.stamp.number"), value: <span className="font-mono">{formatCount(block)}</span> },
    { term: t("ui.stamp.time"), value: formatDateTime(time) },
    { term: t("ui.stamp.age"), value: age },
    { term: t("ui.stamp.from"), value: from ?? t("ui.stamp.chain") },
  ];
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {rows.map(({ term, value }) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note && <p className={cx("mt-3", note.tone)}>{t(note.text)}</p>}
      <p className="mt-3 border-t border-line pt-3 text-muted">{t("ui.stamp.explain")}</p>
    </>
  );
}
