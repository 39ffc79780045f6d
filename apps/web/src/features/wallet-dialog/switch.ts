import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { toast } from "../../ui/toast.tsx";
import { disconnect } from "../../wallet/lazy/island.tsx";
import { linkWallet } from "./link.ts";

/**
 * Makes `address`, the connected wallet, replace `former` in the account, and disconnects it after the server has
 * switched. Never throws.
 */
export async function switchWallet(address: string, former: string): Promise<void> {
  if (!(await linkWallet(former))) return;
  await disconnect();
  toast({
    title: t("dialog.switched", { address: shortenAddress(address) }),
    description: t("dialog.switchedNext"),
    look: "success",
  });
}
