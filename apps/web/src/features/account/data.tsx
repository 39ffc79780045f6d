import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Section } from "../../ui/section.tsx";
import { api } from "../api.ts";
import { withConfirmation } from "./confirm/with-confirmation.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { failureText, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";

const stored = ["account", "identity", "wallets", "sessions", "mails"] as const;

/** Exports or deletes the reader's stored data. */
export function DataSection() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);
  const [deleting, setDeleting] = useState(false);

  async function download() {
    setBusy(true);
    setFailure(null);
    try {
      const response = await withConfirmation(() => api.exportAccount());
      // A response that breaks off is handled like no response.
      saveFile(await response.blob().catch(() => Promise.reject(null)), "aqua-account.json");
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={t("profile.data")}>
      <div className="panel flex flex-col gap-5 p-5">
        <div>
          <p className="text-14 font-strong">{t("profile.data.stored")}</p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-14 text-muted">
            {stored.map((part) => (
              <li key={part}>{t(`profile.data.stored.${part}`)}</li>
            ))}
          </ul>
          <p className="mt-3 text-14 font-strong">{t("profile.data.chain")}</p>
          <p className="mt-1 text-14 text-muted">{t("profile.data.chain.text")}</p>
        </div>
        <Failure text={failure?.() ?? null} />
        <div className="flex flex-col gap-3">
          <Button look="secondary" busy={busy} onClick={download}>
            {t("profile.data.export")}
          </Button>
          <Button look="danger" onClick={() => setDeleting(true)}>
            {t("profile.delete")}
          </Button>
        </div>
      </div>
      <DeleteDialog open={deleting} onClose={() => setDeleting(false)} />
    </Section>
  );
}
