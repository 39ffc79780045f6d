import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Verified } from "./proof-verification.ts";
import { type ShownStep, StepList, type StepState } from "./step-list.tsx";

const looks = { pass: "success", fail: "error", unknown: "caution" } as const;

/** Names who answered the chain calls, and says whether this site knows the queried contract. */
function Source({ source, known }: Pick<Verified, "source" | "known">) {
  if (!source) return null;
  return (
    <p className="max-w-[68ch] text-12 text-muted">
      {source.by === "wallet" ? t("readings.source.wallet", { name: source.name }) : t("readings.source.site")}{" "}
      {known ? (
        t("readings.source.contract")
      ) : (
        <span className="block text-caution">{t("readings.source.unknownContract")}</span>
      )}
    </p>
  );
}

interface OutcomeProps extends Pick<Verified, "verdict" | "source" | "known"> {
  steps: readonly ShownStep[];
  /** The explanation if all steps pass. */
  passed: string;
  /** The explanation if a step does not pass; `at` is the first step with this state. */
  stopped: (verdict: Exclude<StepState, "pass">, at: { number: number; step: string }) => string;
}

/** The result of a check: one sentence, each step, and who answered the chain calls. */
export function Outcome({ verdict, steps, passed, stopped, ...source }: OutcomeProps) {
  const first = steps.findIndex(({ state }) => state === verdict);
  const step = steps[first];
  return (
    <>
      <Notice look={looks[verdict]} live="status" title={t(`readings.verified.${verdict}`)}>
        {verdict === "pass" || !step ? passed : stopped(verdict, { number: first + 1, step: step.title })}
      </Notice>
      <StepList label={t("readings.steps")} steps={steps} />
      <Source {...source} />
    </>
  );
}
