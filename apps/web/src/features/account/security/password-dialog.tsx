import { useQueryClient } from "@tanstack/react-query";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { api } from "../../api.ts";
import { queryKeys } from "../../query-keys.ts";
import { withConfirmation } from "../confirm/with-confirmation.ts";
import { Failure } from "../failure-notice.tsx";
import { newPasswordProblem, problems } from "../field-problems.ts";
import { NewPassword } from "../new-password.tsx";
import { useForm } from "../use-form.ts";

/** Sets a new password while the reader is logged in. */
export function PasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const queries = useQueryClient();
  const { form, text, failure, busy } = useForm({
    initial: { password: "" },
    check: ({ password }) => problems({ password: newPasswordProblem(password) }),
    send: async ({ password }) => {
      await withConfirmation(() => api.changePassword({ password }));
      toast({ title: t("security.password.done"), look: "success" });
      onClose();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
    },
  });
  return (
    <Dialog open onClose={onClose} title={t("security.password.change")}>
      <form {...form} className="flex flex-col gap-5 p-5">
        <p className="text-14 text-muted">{t("security.password.text")}</p>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <NewPassword email={email} readOnly={busy} {...text("password")} />
        <Failure text={failure} />
        <Button type="submit" busy={busy} wide>
          {t("security.password.change")}
        </Button>
      </form>
    </Dialog>
  );
}
