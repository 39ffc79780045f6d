import { t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";

/** Why the server rejects a signed message, for errors that a retry cannot fix. */
const refusals: Record<string, MessageKey> = {
  // The dialog that was closed has loaded the text.
  confirmation_required: "security.notConfirmed",
  conflict: "dialog.refused.conflict",
  identity_required: "dialog.refused.identity",
  login_failed: "dialog.refused.unlinked",
  too_many_requests: "dialog.refused.tooMany",
};

/** The reason as text; null for an error that a retry may fix. Its texts are those of `dialog`. */
export function refusalText(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("error_code" in error)) return null;
  const replaced = "details" in error && isAbout(error.details, "wallet");
  const key = replaced ? "dialog.refused.replaced" : refusals[String(error.error_code)];
  return key === undefined ? null : t(key);
}

function isAbout(details: unknown, path: string): boolean {
  return Array.isArray(details) && details.some((detail) => detail?.path === path);
}
