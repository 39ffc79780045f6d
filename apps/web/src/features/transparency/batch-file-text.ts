import { t } from "../../i18n/i18n.ts";
import type { ShownStep } from "../readings/step-list.tsx";
import type { CheckedStep } from "./batch-file-verification.ts";

/** Steps and reasons that have their own texts for a file. The others use the texts of a proof. */
const own = [
  "shape",
  "form",
  "not_anchored",
  "own_contract",
  "chain_away",
  "stale",
  "unlisted",
  "other_batch",
] as const;
type Own = (typeof own)[number];
const isOwn = (reason: NonNullable<CheckedStep["reason"]>): reason is Own =>
  (own as readonly string[]).includes(reason);

function reasonText(reason: NonNullable<CheckedStep["reason"]>): string {
  return isOwn(reason) ? t(`evidence.file.reason.${reason}`) : t(`readings.reason.${reason}`);
}

/**
 * The text for a step that passed. If this site does not list the batch, there were no published figures to compare.
 */
function holds({ step, skipped }: CheckedStep, listed: boolean): string {
  if (skipped !== undefined) return t("evidence.file.holds.skipped", { count: skipped });
  if (step === "anchored") return t("readings.holds.anchored");
  return step === "batch" && !listed ? t("evidence.file.holds.batchAlone") : t(`evidence.file.holds.${step}`);
}

/** A step of a batch file as text. A failed step names its line. */
export function fileStep(checked: CheckedStep, listed: boolean): ShownStep {
  const { step, state, reason, found, line } = checked;
  const text = reason ? reasonText(reason) : holds(checked, listed);
  return {
    key: step,
    title: t(`evidence.file.step.${step}`),
    state,
    text: line === undefined ? text : t("evidence.file.line", { line, text }),
    details: found ? [{ label: t("readings.detail.found"), value: found }] : [],
  };
}
