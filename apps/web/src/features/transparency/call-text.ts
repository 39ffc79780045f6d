import type { DecodedCall } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { type TextContext, textValues } from "./text-values.ts";

/**
 * Calls with their own words: all calls that may need an announcement. Those of the AccessManager's admin come last.
 */
const namedCalls = [
  "setCap",
  "setMinDeposit",
  "unpause",
  "setQueue",
  "setCustodian",
  "setTreasury",
  "setEvidence",
  "list",
  "open",
  "setMetadata",
  "unfreeze",
  "addTerm",
  "setTerm",
  "setLimits",
  "grantRole",
  "revokeRole",
  "labelRole",
  "setRoleAdmin",
  "setRoleGuardian",
  "setGrantDelay",
  "setTargetFunctionRole",
  "setTargetAdminDelay",
  "setTargetClosed",
  "updateAuthority",
] as const;

/**
 * Describes as a phrase what a scheduled call would change. A call without its own words is described by the function's
 * name.
 */
export function callText({ name, args, parts }: DecodedCall, context: TextContext): string {
  if (parts.length > 0) return parts.map((part) => callText({ ...part, parts: [] }, context)).join(" · ");
  const named = namedCalls.find((candidate) => candidate === name);
  if (!named) return t("transparency.call.other", { name });
  const values = textValues(args, { ...context, short_id: context.short_id ?? args.shortId ?? null });
  if (named === "setTerm")
    return t(args.isOpen === "true" ? "transparency.call.setTerm.open" : "transparency.call.setTerm.closed", values);
  if (named === "setTargetClosed")
    return t(
      args.closed === "true" ? "transparency.call.setTargetClosed.closed" : "transparency.call.setTargetClosed.open",
      values,
    );
  return t(`transparency.call.${named}`, values);
}
