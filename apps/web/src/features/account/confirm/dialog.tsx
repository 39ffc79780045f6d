import { codeLength } from "@aqua/sdk/api/rules";
import type { ConfirmBody } from "@aqua/sdk/api/security";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeField } from "../../../ui/code-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { api } from "../../api.ts";
import { useEmail } from "../../session.ts";
import { FactorForm } from "../factor-form.tsx";
import { failureText, hasCode, type LazyText } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { createOnce } from "../once.ts";
import { securityOptions, useSecurity } from "../security.ts";
import { useForm } from "../use-form.ts";
import { answerConfirmation } from "./ask.ts";

/** Asks the reader to prove that the account is theirs. */
export default function ConfirmDialog() {
  const security = useSecurity();
  const queries = useQueryClient();
  const once = useRef(createOnce());

  async function confirm(proof: ConfirmBody) {
    await api.confirm(proof, once.current(proof));
    await queries.invalidateQueries(securityOptions());
    answerConfirmation(true);
  }

  return (
    <Dialog open above onClose={() => answerConfirmation(false)} title={t("security.ask.title")}>
      <div className="flex flex-col gap-5 p-5">
        <p className="text-14 text-muted">{t("security.ask.text")}</p>
        {security.data ? (
          security.data.second_factor ? (
            <FactorForm send={(factor) => confirm({ factor })} />
          ) : (
            <ByPassword confirm={confirm} />
          )
        ) : security.isError ? (
          <ErrorState error={security.error} busy={security.isFetching} onRetry={() => security.refetch()} />
        ) : (
          <Loading />
        )}
      </div>
    </Dialog>
  );
}

/** The proof by password or by a code sent in a mail. */
function ByPassword({ confirm }: { confirm: (proof: ConfirmBody) => Promise<void> }) {
  const email = useEmail() ?? "";
  const [mailed, setMailed] = useState(false);
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<LazyText | null>(null);
  const { form, field, text, set, submit, failure, busy } = useForm({
    initial: { password: "", code: "" },
    check: ({ password, code }) => {
      if (mailed) return code.length === codeLength ? {} : { code: () => t("security.factor.missing") };
      return password === "" ? { password: () => t("forms.password.missing") } : {};
    },
    send: ({ password, code }) => confirm(mailed ? { code } : { password }),
    problemsOf: (error) =>
      hasCode(error, "login_failed")
        ? { password: () => t("security.ask.wrongPassword") }
        : hasCode(error, "code_invalid")
          ? { code: () => t("security.ask.wrongCode") }
          : hasCode(error, "code_expired")
            ? { code: () => t("security.ask.oldCode") }
            : {},
  });

  async function mail() {
    setSending(true);
    setRefused(null);
    try {
      await api.sendConfirmCode();
      setMailed(true);
    } catch (error) {
      const text = failureText(error);
      setRefused(() => text);
    } finally {
      setSending(false);
    }
  }

  return (
    <form {...form} className="flex flex-col gap-5">
      {/* A password manager needs the user name to fill in the password of this account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {mailed ? (
        <CodeField
          label={t("security.ask.code")}
          hint={t("security.ask.code.sent", { email })}
          length={codeLength}
          {...field("code")}
          readOnly={busy}
          onCode={(code) => {
            set("code", code);
            if (code.length === codeLength && code !== field("code").value) void submit({ password: "", code });
          }}
        />
      ) : (
        <PasswordField
          label={t("forms.password")}
          autoComplete="current-password"
          readOnly={busy}
          {...text("password")}
        />
      )}
      <Failure text={failure ?? refused?.() ?? null} />
      <Button type="submit" busy={busy} wide>
        {t("security.ask.confirm")}
      </Button>
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" size="small" busy={sending} onClick={() => void mail()}>
          {t("security.ask.mail")}
        </Button>
        {mailed && (
          <Button look="quiet" size="small" onClick={() => setMailed(false)}>
            {t("security.ask.password")}
          </Button>
        )}
      </div>
    </form>
  );
}
