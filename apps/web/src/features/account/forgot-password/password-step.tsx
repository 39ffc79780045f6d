import { useRef } from "react";
import { t } from "../../../i18n/i18n.ts";
import { forgetSession } from "../../../stored-session.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { api } from "../../api.ts";
import type { AfterProof } from "../email-proof.tsx";
import { hasCode } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { newPasswordProblem, problems } from "../field-problems.ts";
import { NewPassword } from "../new-password.tsx";
import { createOnce } from "../once.ts";
import { useForm } from "../use-form.ts";
import { useStepFocus } from "../use-step-focus.ts";

/** The last step: the new password. */
export default function PasswordStep({ email, ticket, onDone, onTicketDead }: AfterProof) {
  const once = useRef(createOnce());
  const { form, text, failure, busy } = useForm({
    initial: { password: "" },
    check: ({ password }) => problems({ password: newPasswordProblem(password) }),
    send: async ({ password }) => {
      try {
        const body = { email, ticket, password };
        const { wallets } = await api.resetPassword(body, once.current(body));
        // The server has ended every session of the account, including this browser's.
        forgetSession();
        onDone(wallets);
      } catch (error) {
        if (!hasCode(error, "code_expired", "code_invalid")) throw error;
        onTicketDead(() => t("register.ticketDead"));
      }
    },
  });
  useStepFocus(form.ref, "input:not([readonly])");

  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField label={t("forms.email")} type="email" autoComplete="username" readOnly value={email} />
      <NewPassword email={email} readOnly={busy} {...text("password")} />
      <p className="text-14 text-muted">{t("register.reset.ends")}</p>
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("register.reset.submit")}
      </Button>
    </form>
  );
}
