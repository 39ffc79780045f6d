import { Check, CircleQuestionMark, X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { cx } from "../../ui/class-names.ts";

export type StepState = "pass" | "fail" | "unknown";

export interface ShownStep {
  key: string;
  title: string;
  state: StepState;
  /** One sentence. */
  text: string;
  /** The compared values, so that a reader can repeat the check. */
  details: { label: string; value: string }[];
}

const marks: Record<StepState, { icon: typeof Check; look: string }> = {
  pass: { icon: Check, look: "border-positive text-positive" },
  fail: { icon: X, look: "border-negative text-negative" },
  unknown: { icon: CircleQuestionMark, look: "border-caution text-caution" },
};

function Step({ step, number, children }: { step: ShownStep; number: number; children?: ReactNode }) {
  const { icon: Icon, look } = marks[step.state];
  return (
    <li className="flex gap-3 py-3">
      <span className={cx("grid size-6 shrink-0 place-items-center rounded-full border-2 bg-surface", look)}>
        <Icon aria-hidden="true" className="size-3.5" strokeWidth={2.25} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-14">
          <span className="font-strong">
            {number}. {step.title}
          </span>
          <span className={cx("text-12", look)}>{t(`readings.step.${step.state}`)}</span>
        </p>
        <p className="text-14 text-muted">{step.text}</p>
        {children}
      </div>
    </li>
  );
}

/** The steps of a proof in order: what each one shows, whether it passes, and its inputs. */
export function StepList({ label, steps }: { label: string; steps: readonly ShownStep[] }) {
  return (
    <ol aria-label={label} className="divide-y divide-line">
      {steps.map((step, index) => (
        <Step key={step.key} step={step} number={index + 1}>
          {step.details.length > 0 && (
            <details className="mt-1">
              <summary className="w-fit py-1 text-12 text-muted hover:text-ink">{t("readings.step.details")}</summary>
              <dl className="mt-1 flex flex-col gap-2 rounded-6 bg-ground p-3 text-12">
                {step.details.map(({ label: name, value }) => (
                  <div key={name}>
                    <dt className="text-muted">{name}</dt>
                    <dd className="font-mono break-all">{value}</dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </Step>
      ))}
    </ol>
  );
}
