import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Outcome } from "../readings/outcome.tsx";
import { Checked } from "./checked.tsx";
import { fileStep } from "./file-words.ts";

interface CheckFileProps {
  /** Tells one file from another. */
  name: string;
  load: (signal: AbortSignal) => Promise<Uint8Array>;
}

/** Checks a whole batch in this browser: each signature, the chain of each device, the tree, and the head on chain. */
export function CheckFile({ name, load }: CheckFileProps) {
  return (
    <Checked
      about={["file", name]}
      check={async (signal) => {
        const [{ checkFile }, file] = await Promise.all([import("./file-check.ts"), load(signal)]);
        return checkFile(file);
      }}
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
            steps={data.steps.map(fileStep)}
            passed={t("evidence.file.pass")}
            stopped={(verdict, at) => t(`evidence.file.${verdict}`, at)}
          />
          <p className="text-12 text-muted">
            {t("evidence.file.command")} <code className="font-mono break-all text-ink">npx aqua verify {name}</code>
          </p>
        </>
      )}
    </Checked>
  );
}
