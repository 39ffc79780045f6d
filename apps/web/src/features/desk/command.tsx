import { t } from "../../i18n/i18n.ts";
import { CopyButton } from "../../ui/copy-button.tsx";

/** A command line to copy. `does` says what the command does. */
export function Command({ line, does }: { line: string; does?: string }) {
  return (
    <div className="min-w-0">
      {does && <p className="mb-1 text-12 text-muted">{does}</p>}
      <div className="flex min-w-0 items-center justify-between gap-2 rounded-6 border border-line bg-ground pr-1 pl-3">
        <code translate="no" className="min-w-0 py-2 text-left font-mono text-12 wrap-anywhere">
          {line}
        </code>
        <CopyButton text={line} what={t("desk.command")} />
      </div>
    </div>
  );
}
