import { t } from "../../i18n/i18n.ts";
import { clearAll } from "../../stored-session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toast.tsx";
import { api } from "../api.ts";
import { withConfirmation } from "./confirm/with-confirmation.ts";
import { hasCode } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { problems } from "./field-problems.ts";
import { useForm } from "./use-form.ts";

/** Requires the password and a typed word, so that nobody deletes an account by accident. */
export function DeleteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={t("profile.delete")}>
      <DeleteForm onClose={onClose} />
    </Dialog>
  );
}

function DeleteForm({ onClose }: { onClose: () => void }) {
  const { form, text, failure, busy } = useForm({
    initial: { word: "", password: "" },
    check: ({ word, password }) =>
      problems({
        word:
          word.trim().toLowerCase() === t("profile.delete.word").toLowerCase()
            ? null
            : () => t("profile.delete.word.wrong", { word: t("profile.delete.word") }),
        password: password === "" ? () => t("forms.password.missing") : null,
      }),
    send: async ({ password }) => {
      await withConfirmation(() => api.deleteAccount({ password }));
      clearAll();
      toast({ title: t("profile.delete.done"), look: "success" });
    },
    problemsOf: (error) =>
      hasCode(error, "login_failed") ? { password: () => t("profile.delete.wrongPassword") } : {},
  });
  return (
    <form {...form} className="flex flex-col gap-5 p-5">
      <div className="flex flex-col gap-2 text-14">
        <p>{t("profile.delete.text")}</p>
        <p className="text-muted">{t("profile.delete.chain")}</p>
      </div>
      <TextField
        label={t("profile.delete.word.label", { word: t("profile.delete.word") })}
        autoComplete="off"
        autoCapitalize="none"
        readOnly={busy}
        {...text("word")}
      />
      <PasswordField
        label={t("forms.password")}
        autoComplete="current-password"
        readOnly={busy}
        {...text("password")}
      />
      <Failure text={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="danger" busy={busy}>
          {t("profile.delete.confirm")}
        </Button>
        <Button look="quiet" disabled={busy} onClick={onClose}>
          {t("profile.cancel")}
        </Button>
      </div>
    </form>
  );
}
