import { t } from "../i18n/i18n.ts";
import type { TermName } from "./term-name.ts";
import { Tooltip } from "./tooltip.tsx";

export function ExplainedTerm({ name, children }: { name: TermName; children: string }) {
  return (
    <Tooltip text={t(`glossary.${name}.text`)}>
      <button
        type="button"
        className="min-h-6 cursor-help rounded-6 text-left underline decoration-dotted underline-offset-4 hover:text-ink"
      >
        {children}
      </button>
    </Tooltip>
  );
}
