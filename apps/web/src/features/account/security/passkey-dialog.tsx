import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { withConfirmation } from "../confirm/with-confirmation.ts";
import { Failure } from "../failure-notice.tsx";
import { problems } from "../field-problems.ts";
import { makePasskey, newPasskeyFailure } from "../passkey.ts";
import { useForm } from "../use-form.ts";

interface PasskeyDialogProps {
  onClose: () => void;
  /** Receives the recovery codes, which exist once the first factor is added. */
  onAdded: (codes: readonly string[]) => Promise<void>;
}

/** Creates a passkey under a name. */
export function PasskeyDialog({ onClose, onAdded }: PasskeyDialogProps) {
  const { form, text, failure, busy } = useForm({
    initial: { name: "" },
    check: ({ name }) => problems({ name: name.trim() === "" ? () => t("security.passkeys.name.missing") : null }),
    send: async ({ name }) => {
      const passkey = await withConfirmation(() => makePasskey(name.trim()));
      toast({ title: t("security.passkeys.added"), look: "success" });
      await onAdded(passkey.codes);
    },
    // A failed call throws no `Error`. An `Error` means that the browser created no passkey.
    problemsOf: (error) => (error instanceof Error ? { name: newPasskeyFailure(error) } : {}),
  });
  return (
    <Dialog open onClose={onClose} title={t("security.passkeys.add")}>
      <form {...form} className="flex flex-col gap-5 p-5">
        <p className="text-14 text-muted">{t("security.passkeys.text")}</p>
        <TextField
          label={t("security.passkeys.name")}
          hint={t("security.passkeys.name.hint")}
          autoComplete="off"
          maxLength={60}
          readOnly={busy}
          {...text("name")}
        />
        <Failure text={failure} />
        <Button type="submit" busy={busy} wide>
          {t("security.passkeys.add")}
        </Button>
      </form>
    </Dialog>
  );
}
