import { useId, useState } from "react";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Outcome } from "../readings/verification-outcome.tsx";
import type { Checked as SoFar } from "./batch-file-task.ts";
import { fileStep } from "./batch-file-text.ts";
import type { NamedBatch } from "./batch-file-verification.ts";
import { Checked } from "./check-panel.tsx";

interface CheckFileProps {
  /** Identifies the file. */
  name: string;
  load: (signal: AbortSignal) => Promise<Uint8Array>;
  /** The batch that the file should contain; omitted to accept any batch. */
  expected?: NamedBatch | null;
}

/** Progress of a long check. */
function Progress({ checked, of }: SoFar) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <p id={id} className="text-12 text-muted tabular-nums">
        {t("evidence.file.progress", { checked: formatCount(checked), of: formatCount(of) })}
      </p>
      <progress aria-labelledby={id} max={of} value={checked} className="h-2 w-full accent-accent" />
    </div>
  );
}

/**
 * Verifies a whole batch in this browser: each signature, the chain of readings of each device, the tree, and the head
 * on chain.
 */
export function CheckFile({ name, load, expected = null }: CheckFileProps) {
  const [soFar, setSoFar] = useState<SoFar | null>(null);
  return (
    <Checked
      about={["file", name]}
      check={async (signal) => {
        setSoFar(null);
        const [{ checkFile }, file] = await Promise.all([import("./batch-file-verification.ts"), load(signal)]);
        return checkFile(file, { expected, signal, onChecked: setSoFar });
      }}
      progress={soFar && <Progress {...soFar} />}
      failed={t("evidence.file.failed")}
      checking={t("evidence.file.checking")}
    >
      {(data) => (
        <>
          {data.batch && (
            <p className="text-14">
              {t("evidence.file.about", {
                number: formatCount(data.batch.number),
                product: data.batch.short_id,
                count: data.batch.count,
              })}
            </p>
          )}
          <Outcome
            {...data}
            steps={data.steps.map((step) => fileStep(step, data.listed))}
            passed={t("evidence.file.pass")}
            stopped={(verdict, at) =>
              t(verdict === "fail" ? "evidence.file.fail" : "readings.verified.unknown.text", at)
            }
          />
          <p className="text-12 text-muted">
            {t("evidence.file.command")}{" "}
            <code className="font-mono break-all text-ink">npm run aqua -- verify {name}</code>
          </p>
        </>
      )}
    </Checked>
  );
}
