import type { AskedPurpose } from "@aqua/sdk/api/auth";
import { codeLength } from "@aqua/sdk/api/rules";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import { formatDuration } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { api } from "../api.ts";
import { useNetwork } from "../network.ts";
import { failureText, hasCode, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { createOnce } from "./once.ts";
import { sendCode } from "./send-code.ts";
import { useForm } from "./use-form.ts";
import { useStepFocus } from "./use-step-focus.ts";

interface CodeStepProps {
  purpose: AskedPurpose;
  email: string;
  /** The time from which another code may be requested, in Unix milliseconds. */
  resendAt: number;
  /** The reason why this step is shown again; null the first time. */
  reason: LazyText | null;
  onTicket: (ticket: string) => void;
  onResent: (resendAt: number) => void;
  onOtherEmail: () => void;
}

/** Asks for the code from the mail. The form is submitted once the last digit is typed or pasted. */
export default function CodeStep({
  purpose,
  email,
  resendAt,
  reason,
  onTicket,
  onResent,
  onOtherEmail,
}: CodeStepProps) {
  const network = useNetwork();
  const once = useRef(createOnce());
  const { form, field, set, submit, failure, busy } = useForm({
    initial: { code: "" },
    check: ({ code }) =>
      code.length === codeLength ? {} : { code: () => t("register.code.incomplete", { digits: codeLength }) },
    send: async ({ code }) => {
      const body = { email, code, purpose };
      onTicket((await api.verifyEmail(body, once.current(body))).ticket);
    },
    problemsOf: (error) =>
      hasCode(error, "code_invalid")
        ? { code: () => t("register.code.wrong") }
        : hasCode(error, "code_expired")
          ? { code: () => t("register.code.expired") }
          : {},
  });
  useStepFocus(form.ref, "input");

  return (
    <form {...form} className="flex flex-col gap-5">
      <CodeField
        label={t("register.code")}
        hint={t("register.code.hint", { email })}
        length={codeLength}
        {...field("code")}
        readOnly={busy}
        onCode={(code) => {
          set("code", code);
          if (code.length === codeLength && code !== field("code").value) void submit({ code });
        }}
      />
      <Failure text={failure ?? reason?.() ?? null} />
      <Button type="submit" busy={busy} wide>
        {t("register.code.confirm")}
      </Button>
      <Resend
        at={resendAt}
        send={async () => {
          const next = await sendCode(email, purpose);
          set("code", "");
          form.ref.current?.querySelector("input")?.focus();
          onResent(next);
        }}
      >
        <Button look="quiet" size="small" onClick={onOtherEmail}>
          {t("register.code.otherEmail")}
        </Button>
      </Resend>
      {network.data?.demo && (
        <p className="border-t border-line pt-4 text-14 text-muted">
          {t("register.code.demo")}{" "}
          <Link to={paths.devOutbox(email)} target="_blank" rel="noopener" className="link">
            {t("register.code.outbox")}
            <span className="sr-only"> {t("ui.newTab")}</span>
          </Link>
        </p>
      )}
    </form>
  );
}

interface ResendProps {
  /** Unix milliseconds. */
  at: number;
  send: () => Promise<void>;
  children: ReactNode;
}

/** The button "Send a new code", which is enabled after the wait. */
function Resend({ at, send, children }: ResendProps) {
  const now = useNow(1_000);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<LazyText | null>(null);
  const wait = Math.ceil((at - now) / 1000);

  async function resend() {
    setBusy(true);
    setResult(null);
    try {
      await send();
      setResult(() => () => t("register.code.sentAgain"));
    } catch (error) {
      const text = failureText(error);
      setResult(() => text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" size="small" busy={busy} disabled={wait > 0} onClick={resend}>
          {wait > 0 ? t("register.code.resendIn", { wait: formatDuration(wait * 1000) }) : t("register.code.resend")}
        </Button>
        {children}
      </div>
      <p role="status" className={result ? "mt-2 text-14 text-muted" : undefined}>
        {result?.()}
      </p>
    </div>
  );
}
