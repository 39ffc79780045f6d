import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useTransparency } from "./summary.ts";

/**
 * Parses a hash pasted from a statement. Quotes and commas of a file around it are ignored. Null if the text is not a
 * hash.
 */
export function pastedHash(text: string): string | null {
  const [, hash] = /^[\s"',]*(0x[0-9a-f]{64})[\s"',]*$/i.exec(text) ?? [];
  return hash?.toLowerCase() ?? null;
}

interface AskLineProps {
  typed: string;
  onType: (typed: string) => void;
  onAsk: (hash: string, summary: TransparencySummary) => void;
}

/** Asks for the transaction whose lines are checked. */
export function AskLine({ typed, onType, onAsk }: AskLineProps) {
  const summary = useTransparency();
  const [wrong, setWrong] = useState(false);
  const { data } = summary;
  if (data === undefined)
    return summary.isError ? (
      <ErrorState error={summary.error} busy={summary.isFetching} onRetry={() => summary.refetch()} />
    ) : (
      <Skeleton className="h-32" />
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const hash = pastedHash(typed);
        setWrong(hash === null);
        if (hash !== null) onAsk(hash, data);
      }}
      className="grid max-w-160 gap-4"
    >
      <TextField
        label={t("evidence.line.hash")}
        hint={t("evidence.line.hash.hint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="0x…"
        value={typed}
        error={wrong ? t("evidence.line.malformed") : null}
        onChange={(event) => {
          setWrong(false);
          onType(event.target.value);
        }}
      />
      <div>
        <Button type="submit" disabled={typed.trim() === ""}>
          {t("evidence.verify.check")}
        </Button>
      </div>
    </form>
  );
}
