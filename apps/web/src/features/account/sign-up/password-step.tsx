import { useRef } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { api } from "../../api.ts";
import { logIn } from "../../session.ts";
import { CountryField } from "../country-field.tsx";
import type { AfterProof } from "../email-proof.tsx";
import { hasCode } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { newPasswordProblem, problems } from "../field-problems.ts";
import { mailLanguage } from "../mail-language.ts";
import { NewPassword } from "../new-password.tsx";
import { createOnce } from "../once.ts";
import { useForm } from "../use-form.ts";
import { useStepFocus } from "../use-step-focus.ts";

/** The last step: a password and the country. */
export default function PasswordStep({ email, ticket, onDone, onTicketDead }: AfterProof) {
  const once = useRef(createOnce());
  const { form, field, text, set, failure, busy } = useForm({
    initial: { password: "", country: "" },
    check: ({ password, country }) =>
      problems({
        password: newPasswordProblem(password),
        country: country === "" ? () => t("register.country.missing") : null,
      }),
    send: async ({ password, country }) => {
      const body = { email, password, ticket, country, ...mailLanguage() };
      try {
        const session = await api.register(body, once.current(body));
        onDone();
        logIn(session);
      } catch (error) {
        if (!hasCode(error, "code_expired", "code_invalid")) throw error;
        onTicketDead(() => t("register.ticketDead"));
      }
    },
    meanings: { conflict: () => t("register.conflict") },
  });
  useStepFocus(form.ref, "input:not([readonly])");

  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField label={t("forms.email")} type="email" autoComplete="username" readOnly value={email} />
      <NewPassword email={email} readOnly={busy} {...text("password")} />
      <CountryField
        label={t("register.country")}
        hint={t("register.countryHint")}
        disabled={busy}
        {...field("country")}
        onChange={(country) => set("country", country)}
      />
      <p className="text-14 text-muted">{t("register.risk")}</p>
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("register.submit")}
      </Button>
    </form>
  );
}
