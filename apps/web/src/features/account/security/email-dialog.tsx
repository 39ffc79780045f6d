import { codeLength } from "@aqua/sdk/api/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { store } from "../../../stored-session.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeField } from "../../../ui/code-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { api } from "../../api.ts";
import { queryKeys } from "../../query-keys.ts";
import { withConfirmation } from "../confirm/with-confirmation.ts";
import { hasCode } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { emailProblem, problems } from "../field-problems.ts";
import { createOnce } from "../once.ts";
import { useForm } from "../use-form.ts";
import { useStepFocus } from "../use-step-focus.ts";

/** Changes the e-mail: asks for the new address, then for the code that proves it. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState<string | null>(null);
  return (
    <Dialog open onClose={onClose} title={t("security.email.change")}>
      <div className="p-5">
        {email === null ? <Address onSent={setEmail} /> : <Code email={email} onDone={onClose} />}
      </div>
    </Dialog>
  );
}

function Address({ onSent }: { onSent: (email: string) => void }) {
  const { form, text, failure, busy } = useForm({
    initial: { email: "" },
    check: ({ email }) => problems({ email: emailProblem(email) }),
    send: async ({ email }) => {
      const address = email.trim();
      await withConfirmation(() => api.sendEmailCode({ email: address }));
      onSent(address);
    },
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField label={t("security.email.new")} type="email" autoComplete="email" readOnly={busy} {...text("email")} />
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("security.email.send")}
      </Button>
    </form>
  );
}

function Code({ email, onDone }: { email: string; onDone: () => void }) {
  const queries = useQueryClient();
  const once = useRef(createOnce());
  const { form, field, set, failure, busy } = useForm({
    initial: { code: "" },
    check: ({ code }) => (code.length === codeLength ? {} : { code: () => t("security.factor.missing") }),
    send: async ({ code }) => {
      const changed = await withConfirmation(() => api.changeEmail({ email, code }, once.current(code)));
      store({ email: changed.email });
      toast({ title: t("security.email.done"), look: "success" });
      onDone();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
    },
    meanings: { conflict: () => t("security.email.taken") },
    problemsOf: (error) =>
      hasCode(error, "code_invalid")
        ? { code: () => t("security.ask.wrongCode") }
        : hasCode(error, "code_expired")
          ? { code: () => t("security.ask.oldCode") }
          : {},
  });
  useStepFocus(form.ref, "input");
  return (
    <form {...form} className="flex flex-col gap-5">
      <CodeField
        label={t("security.email.code")}
        hint={t("security.ask.code.sent", { email })}
        length={codeLength}
        {...field("code")}
        readOnly={busy}
        onCode={(code) => set("code", code)}
      />
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("security.email.change")}
      </Button>
    </form>
  );
}
