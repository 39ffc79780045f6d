import type { BindingReason } from "@aqua/sdk/api/auth";
import { isRejectionCode } from "@aqua/sdk/api/rules";
import { t } from "../../i18n/i18n.ts";

/** Explains why a wallet's record waits or failed. Requires the texts of `reasons`. */
export function bindingReason(reason: BindingReason): string {
  return t(`reasons.record.${reason}`);
}

/**
 * Explains why a submission was rejected: the code in the reader's language, or the operator's own text. Requires the
 * texts of `reasons`.
 */
export function rejectionReason(reason: string): string {
  return isRejectionCode(reason) ? t(`reasons.identity.${reason}`) : reason;
}
