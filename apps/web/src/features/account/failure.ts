import type { ErrorBody, ErrorCode } from "@aqua/sdk/api/envelope";
import { formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { reportFault } from "../../report-error.ts";

/** A text that is evaluated on render, so that it follows a change of language. */
export type LazyText = () => string;

/** A form's own texts for error codes, where they are more specific than the general ones. */
export type Meanings = Partial<Record<ErrorCode, LazyText>>;

export function isErrorBody(error: unknown): error is ErrorBody {
  return typeof error === "object" && error !== null && "error_code" in error;
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return isErrorBody(error) && codes.includes(error.error_code);
}

/**
 * Explains in the reader's language why a call failed. The client throws null if the server did not answer. Any other
 * `Error` is a fault of the page and is reported.
 */
export function failureText(error: unknown, meanings: Meanings = {}): LazyText {
  if (error instanceof Error) {
    reportFault("page", error);
    return () => t("forms.failed.page");
  }
  if (!isErrorBody(error)) return () => t(error === null ? "forms.failed.offline" : "ui.error.request");
  const meaning = meanings[error.error_code];
  if (meaning) return meaning;
  switch (error.error_code) {
    case "too_many_requests": {
      const wait = error.retry_after;
      if (wait === undefined) return () => t("forms.failed.tooManySoon");
      return () => t("forms.failed.tooMany", { wait: formatDuration(roundedUp(wait) * 1000) });
    }
    case "confirmation_required":
      // The dialog that the reader closed has loaded this text.
      return () => t("security.notConfirmed");
    case "token_error":
      return () => t("forms.failed.loggedOut");
    case "record_differs":
      return () => t("forms.failed.recordDiffers", { id: error.request_id });
    case "payload_too_large":
      return () => t("forms.failed.tooLarge");
    case "internal_error":
    case "chain_unavailable":
      return () => t("forms.failed.broken", { id: error.request_id });
    default:
      return () => t("forms.failed.refused", { reason: error.message });
  }
}

/** Rounds seconds up to the displayed minute or hour, so that the stated wait is never too short. */
function roundedUp(seconds: number): number {
  const unit = seconds > 3600 ? 3600 : seconds > 60 ? 60 : 1;
  return Math.ceil(seconds / unit) * unit;
}

/** Texts for fields that the server rejects although the form accepted them. */
const fieldTexts: Record<string, LazyText> = {
  email: () => t("forms.email.invalid"),
  password: () => t("register.password.known"),
  country: () => t("register.country.missing"),
};

/**
 * The fields that a response names as invalid, with the reason. If we have no text for a field, the reason is the
 * server's message.
 */
export function namedFields(error: unknown): [field: string, why: LazyText][] {
  if (!isErrorBody(error) || error.error_code !== "validation_error") return [];
  return (error.details ?? []).map(({ path, message }) => [path, fieldTexts[path] ?? (() => message)]);
}
