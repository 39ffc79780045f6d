import { codeLength } from "@aqua/sdk/api/rules";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { CodeField } from "../../../ui/code-field.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { toast } from "../../../ui/toast.tsx";
import { api } from "../../api.ts";
import { withConfirmation } from "../confirm/with-confirmation.ts";
import { hasCode } from "../failure.ts";
import { Failure } from "../failure-notice.tsx";
import { createOnce } from "../once.ts";
import { useForm } from "../use-form.ts";

interface TotpDialogProps {
  onClose: () => void;
  /** Receives the recovery codes, which exist once the first factor is added. */
  onAdded: (codes: readonly string[]) => Promise<void>;
}

/** Sets up an authenticator app: shows its key, then asks for the first code. */
export function TotpDialog({ onClose, onAdded }: TotpDialogProps) {
  const setup = useQuery({
    // The key is not below the account's, because a change of the account must not create another TOTP key.
    queryKey: ["totp"],
    queryFn: () => withConfirmation(() => api.newTotp()),
    retry: false,
    // Each response contains a new key. A refetch would invalidate the key that the reader has already typed in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Dialog open onClose={onClose} title={t("security.totp.add")}>
      <div className="p-5">
        {setup.data ? (
          <Setup secret={setup.data.secret} uri={setup.data.uri} onAdded={onAdded} />
        ) : setup.isError ? (
          <ErrorState error={setup.error} busy={setup.isFetching} onRetry={() => setup.refetch()} />
        ) : (
          <Loading />
        )}
      </div>
    </Dialog>
  );
}

function Setup({ secret, uri, onAdded }: { secret: string; uri: string; onAdded: TotpDialogProps["onAdded"] }) {
  const once = useRef(createOnce());
  const { form, field, set, failure, busy } = useForm({
    initial: { code: "" },
    check: ({ code }) => (code.length === codeLength ? {} : { code: () => t("security.factor.missing") }),
    send: async ({ code }) => {
      const factor = await withConfirmation(() => api.addTotp({ code }, once.current(code)));
      toast({ title: t("security.totp.added"), look: "success" });
      await onAdded(factor.codes);
    },
    problemsOf: (error) => (hasCode(error, "code_invalid") ? { code: () => t("security.ask.wrongCode") } : {}),
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <p className="text-14">{t("security.totp.step1")}</p>
      <div className="flex flex-wrap items-center gap-3 rounded-6 bg-ground p-3">
        <span className="sr-only">{t("security.totp.key")}</span>
        <code data-testid="totp-key" className="min-w-0 flex-1 font-mono text-14 wrap-anywhere">
          {secret.match(/.{1,4}/g)?.join(" ")}
        </code>
        <CopyButton text={secret} what={t("security.totp.key")} />
      </div>
      <a href={uri} className={buttonClasses({ look: "secondary" })}>
        {t("security.totp.open")}
      </a>
      <CodeField
        label={t("security.totp.step2")}
        length={codeLength}
        {...field("code")}
        readOnly={busy}
        onCode={(code) => set("code", code)}
      />
      <Failure text={failure} />
      <Button type="submit" busy={busy} wide>
        {t("security.totp.activate")}
      </Button>
    </form>
  );
}
