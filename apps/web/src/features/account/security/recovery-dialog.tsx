import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { saveFile } from "../../../ui/save-file.ts";

/** Shows the recovery codes once, after they were created. */
export function RecoveryDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t("security.recovery.title")}>
      <div className="flex flex-col gap-5 p-5">
        <p className="text-14">{t("security.recovery.text")}</p>
        <ul className="grid grid-cols-1 gap-2 rounded-6 bg-ground p-4 font-mono text-14 min-[400px]:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          <Button
            look="secondary"
            onClick={() =>
              saveFile(new Blob([`${codes.join("\n")}\n`], { type: "text/plain" }), "aqua-recovery-codes.txt")
            }
          >
            {t("security.recovery.save")}
          </Button>
          <Button onClick={onClose}>{t("security.close")}</Button>
        </div>
      </div>
    </Dialog>
  );
}
