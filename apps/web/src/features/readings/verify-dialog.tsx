import { t } from "../../i18n/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { type ProofSource, Verify } from "./verify.tsx";

/** Verifies one reading, in a dialog over the page. */
export function VerifyDialog({ source, onClose }: { source: ProofSource; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t("readings.verify")} className="sm:max-w-160">
      <div className="p-5">
        <Verify source={source} />
      </div>
    </Dialog>
  );
}
