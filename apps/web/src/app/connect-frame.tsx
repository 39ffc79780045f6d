import { stopConnecting, useWaitsForWallet } from "../features/open-wallet.ts";
import { t } from "../i18n/i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** As many rows as the kit's dialog lists. */
const rows = ["w-28", "w-36", "w-24", "w-20", "w-28", "w-32"];

/** Stands in for the kit's connect dialog until its code is here. Closing it stops the dialog from opening. */
export function ConnectFrame() {
  return (
    <Dialog
      open={useWaitsForWallet()}
      onClose={stopConnecting}
      title={t("shell.wallet.connect")}
      className="sm:max-w-[720px]"
    >
      <div aria-busy="true" className="flex min-h-[min(440px,60dvh)] flex-col gap-5 p-5">
        <p role="status" className="sr-only">
          {t("ui.loading")}
        </p>
        {rows.map((width, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          <span key={row} className="flex items-center gap-3">
            <Skeleton className="size-7" />
            <Skeleton className={`h-4 ${width}`} />
          </span>
        ))}
      </div>
    </Dialog>
  );
}
