import { passwordLength } from "@aqua/sdk/api/rules";
import { useEffect, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { cx } from "../../ui/class-names.ts";
import { PasswordField } from "../../ui/password-field.tsx";

type Estimate = (password: string, own: string[]) => number;

interface NewPasswordProps {
  name: string;
  value: string;
  error: string | null;
  onChange: (event: { target: { value: string } }) => void;
  readOnly: boolean;
  /** The account's e-mail. A password that contains parts of it is weak. */
  email: string;
}

/** The field for a new password with an estimate of its strength. The estimator loads when the field receives focus. */
export function NewPassword({ email, ...field }: NewPasswordProps) {
  const [estimate, setEstimate] = useState<{ of: Estimate } | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  useEffect(() => {
    if (!isFocused) return;
    let isUnmounted = false;
    // The form works without the estimate.
    import("./strength.ts").then(
      ({ strengthOf }) => {
        if (!isUnmounted) setEstimate({ of: strengthOf });
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [isFocused]);
  const score = estimate && field.value !== "" ? estimate.of(field.value, email.split(/[@.]/)) : null;

  return (
    <div>
      <PasswordField
        label={t("register.password.new")}
        hint={t("register.password.hint", { min: passwordLength.min })}
        autoComplete="new-password"
        onFocus={() => setIsFocused(true)}
        {...field}
      />
      <div className={cx("mt-3 items-center gap-3", score === null ? "hidden" : "flex")}>
        <span aria-hidden="true" className="grid w-32 shrink-0 grid-cols-4 gap-1">
          {[1, 2, 3, 4].map((mark) => (
            <span
              key={mark}
              className={cx(
                "h-1.5 rounded-full transition-colors",
                mark > Math.max(score ?? 0, 1) ? "bg-line" : marks[score ?? 0],
              )}
            />
          ))}
        </span>
        <span role="status" className="text-14">
          {score !== null && t(words[score] ?? words[0])}
        </span>
      </div>
    </div>
  );
}

const words = [
  "register.strength.0",
  "register.strength.1",
  "register.strength.2",
  "register.strength.3",
  "register.strength.4",
] as const;
const marks = ["bg-negative", "bg-negative", "bg-caution", "bg-positive", "bg-positive"];
