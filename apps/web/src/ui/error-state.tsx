import { t } from "../i18n/i18n.ts";
import { isMissingChunk } from "./boundary.tsx";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { WithheldReason } from "./withheld.tsx";

interface ErrorStateProps {
  /** States what could not be loaded. */
  title?: string;
  /** The thrown value: the body of a failed call, or null if the server did not answer. */
  error: unknown;
  onRetry?: () => void;
  busy?: boolean;
}

function field(error: unknown, name: string): string | null {
  if (typeof error !== "object" || error === null || !(name in error)) return null;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Explains why a call failed: the error text of the response, or a general sentence, for example for an `Error` of our
 * own code.
 */
function errorText(error: unknown): string {
  if (error === null) return t("ui.error.offline");
  if (field(error, "error_code") === "chain_unavailable") return t("ui.error.chain");
  if (error instanceof Error) return t(isMissingChunk(error) ? "shell.broken.newVersion" : "ui.error.request");
  return field(error, "message") ?? field(error, "statusText") ?? t("ui.error.request");
}

/** A block that failed to load, with a retry button. */
export function ErrorState({ title, error, onRetry, busy = false }: ErrorStateProps) {
  const reference = field(error, "request_id");
  const missing = isMissingChunk(error);
  return (
    <Notice
      look="error"
      live="alert"
      title={title ?? t("ui.error.title")}
      actions={
        onRetry && (
          // A browser does not refetch a module that failed to load, so the page is reloaded.
          <Button look="secondary" size="small" busy={busy} onClick={missing ? () => location.reload() : onRetry}>
            {t(missing ? "shell.broken.reload" : "ui.retry")}
          </Button>
        )
      }
    >
      <p>{field(error, "error_code") === "figures_withheld" ? <WithheldReason /> : errorText(error)}</p>
      {reference && <p className="mt-1 font-mono text-12">{t("ui.error.reference", { id: reference })}</p>}
    </Notice>
  );
}
