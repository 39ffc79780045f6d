import type { LinkedWallet } from "@aqua/sdk/api/auth";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { api } from "../api.ts";
import { queryKeys } from "../query-keys.ts";
import { withConfirmation } from "./confirm/with-confirmation.ts";
import { failureText, type LazyText } from "./failure.ts";
import { Failure } from "./failure-notice.tsx";
import { useSecurity } from "./security.ts";

/**
 * Removes the account's wallet, so that it can no longer log in. While a switch is pending this is not offered; the
 * switch can be stopped instead.
 */
export function UnlinkWallet({ wallet }: { wallet: LinkedWallet }) {
  const pending = useSecurity().data?.pending_switch;
  const [open, setOpen] = useState(false);
  if (pending !== null) return null;
  return (
    <>
      <Button className="mt-3" look="secondary" size="small" onClick={() => setOpen(true)}>
        {t("profile.unlink")}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("profile.unlink.title")}>
        <Consequences wallet={wallet} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Consequences({ wallet, onClose }: { wallet: LinkedWallet; onClose: () => void }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LazyText | null>(null);
  /** The server delays the next wallet only if a chain has a record of this one. */
  const recorded = wallet.bindings.some(({ state, hash }) => state !== "waiting" || hash !== null);

  async function unlink() {
    setBusy(true);
    setFailure(null);
    try {
      await withConfirmation(() => api.unlinkWallet({ address: wallet.address }));
      toast({ title: t("profile.unlink.done"), look: "success" });
      await queries.invalidateQueries({ queryKey: queryKeys.me });
      onClose();
    } catch (error) {
      const text = failureText(error);
      setFailure(() => text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-5 p-5">
      <div className="flex flex-col gap-2 text-14">
        <p>{t("profile.unlink.text", { address: shortenAddress(wallet.address) })}</p>
        <p className="text-muted">{t("profile.unlink.devices")}</p>
        {recorded && <p className="text-muted">{t("profile.unlink.next")}</p>}
      </div>
      <Failure text={failure?.() ?? null} />
      <div className="flex flex-wrap gap-3">
        <Button look="danger" busy={busy} onClick={() => void unlink()}>
          {t("profile.unlink.confirm")}
        </Button>
        <Button look="quiet" disabled={busy} onClick={onClose}>
          {t("profile.cancel")}
        </Button>
      </div>
    </div>
  );
}
