import type { Factor } from "@aqua/sdk/api/auth";
import { codeLength } from "@aqua/sdk/api/rules";
import { type ReactNode, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { hasCode, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { askPasskey, passkeyFailure, passkeysPossible } from "./passkey.ts";
import { useForm } from "./use-form.ts";
import { useStepFocus } from "./use-step-focus.ts";

interface FactorFormProps {
  /** Sends the factor. Its error is shown in this form. */
  send: (factor: Factor) => Promise<void>;
  /** Shown beside the buttons. */
  children?: ReactNode;
}

/**
 * Asks for the second factor: a code of the authenticator app, a passkey, or a recovery code. Requires the texts of
 * `security`.
 */
export function FactorForm({ send, children }: FactorFormProps) {
  const [recovery, setRecovery] = useState(false);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<LazyText | null>(null);
  const { form, field, text, set, submit, failure, busy } = useForm({
    initial: { totp: "", recovery: "" },
    check: (values) => {
      const missing = () => t("security.factor.missing");
      if (recovery) return values.recovery.trim() === "" ? { recovery: missing } : {};
      return values.totp.length < codeLength ? { totp: missing } : {};
    },
    send: (values) => send(recovery ? { recovery: values.recovery } : { totp: values.totp }),
    problemsOf: (error) =>
      hasCode(error, "code_invalid") ? { [recovery ? "recovery" : "totp"]: () => t("security.ask.wrongCode") } : {},
  });
  useStepFocus(form.ref, "input");

  async function withPasskey() {
    setAsking(true);
    setRefused(null);
    try {
      await send({ passkey: await askPasskey() });
    } catch (error) {
      const text = passkeyFailure(error);
      setRefused(() => text);
    } finally {
      setAsking(false);
    }
  }

  return (
    <form {...form} className="flex flex-col gap-5">
      {recovery ? (
        <TextField
          label={t("security.factor.recovery")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={busy}
          {...text("recovery")}
        />
      ) : (
        <CodeField
          label={t("security.factor.totp")}
          length={codeLength}
          {...field("totp")}
          readOnly={busy}
          onCode={(code) => {
            set("totp", code);
            if (code.length === codeLength && code !== field("totp").value) void submit({ totp: code, recovery: "" });
          }}
        />
      )}
      <Failure text={failure ?? refused?.() ?? null} />
      <Button type="submit" busy={busy} wide>
        {t("security.ask.confirm")}
      </Button>
      <div className="flex flex-wrap gap-2">
        {passkeysPossible() && (
          <Button look="secondary" size="small" busy={asking} onClick={() => void withPasskey()}>
            {t("security.factor.usePasskey")}
          </Button>
        )}
        <Button look="quiet" size="small" onClick={() => setRecovery(!recovery)}>
          {t(recovery ? "security.factor.useTotp" : "security.factor.useRecovery")}
        </Button>
        {children}
      </div>
    </form>
  );
}
