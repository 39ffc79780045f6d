import type { AskedPurpose } from "@aqua/sdk/api/auth";
import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Failure } from "./failure-notice.tsx";
import { emailProblem, problems } from "./field-problems.ts";
import { sendCode } from "./send-code.ts";
import { useForm } from "./use-form.ts";

interface EmailStepProps {
  purpose: AskedPurpose;
  email: string;
  hint: string;
  /** Called when the reader starts to fill in the form. */
  onReach: () => void;
  onSent: (email: string, resendAt: number) => void;
  children?: ReactNode;
}

/** Asks for an e-mail address and sends a code to it. */
export function EmailStep({ purpose, email, hint, onReach, onSent, children }: EmailStepProps) {
  const { form, text, failure, busy } = useForm({
    initial: { email },
    check: (values) => problems({ email: emailProblem(values.email) }),
    send: async (values) => {
      const address = values.email.trim();
      onSent(address, await sendCode(address, purpose));
    },
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField
        label={t("forms.email")}
        type="email"
        autoComplete="username"
        hint={hint}
        readOnly={busy}
        onFocus={onReach}
        {...text("email")}
      />
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("account.sendCode")}
      </Button>
      {children}
    </form>
  );
}
