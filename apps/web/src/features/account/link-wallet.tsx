import type { AccountInfo } from "@aqua/sdk/api/auth";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatAmount, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { readSuccessor } from "../../wallet/lazy/operations.ts";
import { useNetwork } from "../network.ts";
import { useTotalHoldValue } from "../portfolio/value.ts";
import { queryKeys } from "../query-keys.ts";
import { linkWallet } from "../wallet-dialog/link.ts";
import { switchWallet } from "../wallet-dialog/switch.ts";

interface LinkWalletProps {
  account: AccountInfo;
  /** The connected wallet, which differs from the account's current one. */
  address: string;
}

/** Links the connected wallet, or switches to it after showing the holdings that move. */
export function LinkWallet({ account, address }: LinkWalletProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const linked = account.wallets.find((wallet) => wallet.current);
  const successor = useSuccessor(account, address);

  /** The wallet's dialogs and toasts report failures. */
  async function run(action: () => Promise<unknown>) {
    setBusy(true);
    await action();
    await queries.invalidateQueries({ queryKey: queryKeys.me });
    setBusy(false);
    setIsConfirming(false);
  }

  if (!linked)
    return (
      <Row text={t("profile.link.text", { address: shortenAddress(address) })}>
        <Button busy={busy} onClick={() => run(() => linkWallet())}>
          {t("profile.link")}
        </Button>
      </Row>
    );
  if (successor)
    return (
      <Row
        text={t("profile.switch.replaced", { address: shortenAddress(address), successor: shortenAddress(successor) })}
      />
    );
  if (account.identity_status !== "verified")
    return <Row text={t("profile.link.verifyFirst", { address: shortenAddress(address) })} />;
  if (!isConfirming)
    return (
      <Row text={t("profile.switch.text", { address: shortenAddress(address) })}>
        <Button look="secondary" onClick={() => setIsConfirming(true)}>
          {t("profile.switch")}
        </Button>
      </Row>
    );
  return (
    <div className="flex flex-col gap-4 border-t border-line px-5 py-4">
      <h3 className="text-16">{t("profile.switch.preview")}</h3>
      <ul className="flex max-w-[68ch] list-disc flex-col gap-1.5 pl-5 text-14 text-muted">
        <li>{t("profile.switch.deposits", { address: shortenAddress(address) })}</li>
        <li>
          {t("profile.switch.stays", { address: shortenAddress(linked.address) })} <Holdings address={linked.address} />
        </li>
        <li>{t("profile.switch.signIn")}</li>
        <li>{t("profile.switch.disconnects")}</li>
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => run(() => switchWallet(address, linked.address))}>
          {t("profile.switch.confirm")}
        </Button>
        <Button look="quiet" disabled={busy} onClick={() => setIsConfirming(false)}>
          {t("profile.cancel")}
        </Button>
      </div>
    </div>
  );
}

function Row({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-4">
      <p className="min-w-0 flex-1 basis-60 text-14 text-muted">{text}</p>
      {children}
    </div>
  );
}

/** The wallet's current holdings, or a note that they are unknown. */
function Holdings({ address }: { address: string }) {
  const value = useTotalHoldValue(address);
  if (value.data)
    return (
      <span className="font-strong text-ink">
        {t("profile.switch.value", { value: formatAmount(value.data.total), currency: value.data.unit })}
      </span>
    );
  return value.isError ? (
    <span>{t("profile.switch.valueUnknown")}</span>
  ) : (
    <Skeleton className="inline-block h-4 w-24 align-middle" />
  );
}

/** The successor of a former wallet of the account on any chain. Null if there is none or if it is unknown. */
function useSuccessor(account: AccountInfo, address: string): string | null {
  const former = account.wallets.some((wallet) => wallet.address.toLowerCase() === address.toLowerCase());
  const chains = useNetwork().data?.chains;
  const query = useQuery({
    queryKey: [...queryKeys.account(address), "successor"],
    queryFn:
      former && chains
        ? async () => {
            const all = await Promise.all(
              chains.map((chain) =>
                readSuccessor(chain.chain_id, chain.identity_registry as `0x${string}`, address as `0x${string}`),
              ),
            );
            return all.find((successor) => successor !== null) ?? null;
          }
        : skipToken,
  });
  return query.data ?? null;
}
