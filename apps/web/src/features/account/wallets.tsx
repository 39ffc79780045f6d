import type { AccountInfo, LinkedWallet, WalletBinding } from "@aqua/sdk/api/auth";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { formatDate, shortenAddress } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { useWallet } from "../../wallet/store.ts";
import { connectWallet, prefetchWallet } from "../open-wallet.ts";
import { useHoldings } from "../portfolio/holdings.ts";
import { chainName, explorerOf } from "../products/product-labels.ts";
import { queryKeys } from "../query-keys.ts";
import { linkWallet } from "../wallet-dialog/link.ts";
import { useStoredSwitch } from "../wallet-dialog/stored-switch.ts";
import { LinkWallet } from "./link-wallet.tsx";
import { PendingSwitchNotice } from "./pending-switch.tsx";
import { bindingReason } from "./reasons.ts";
import { UnlinkWallet } from "./unlink-wallet.tsx";

const MoveHoldings = lazy(() =>
  Promise.all([import("./move-holdings.tsx"), loadTexts("move", "transact")]).then(([module]) => module),
);

/** Lists the account's wallets and the actions for the connected one. */
export function WalletsSection({ account }: { account: AccountInfo }) {
  const { address } = useWallet();
  const connected = address?.toLowerCase();
  const current = account.wallets.find((wallet) => wallet.current);
  const isCurrent = current !== undefined && current.address.toLowerCase() === connected;
  /** A former wallet that is connected to transfer its holdings is not offered as a new wallet. */
  const holds = (useHoldings(isCurrent ? null : address).data?.items.length ?? 0) > 0;
  const handsOver = useStoredSwitch(connected ?? "", current?.address ?? "") !== null && holds;
  return (
    <Section anchor="wallets" title={t("profile.wallets")} intro={t("profile.wallets.intro")}>
      <PendingSwitchNotice />
      <div className="panel mt-4 first:mt-0">
        {account.wallets.length === 0 ? (
          <Empty
            title={t("profile.wallets.none")}
            actions={
              address === null && (
                <Button onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
                  {t("shell.wallet.connect")}
                </Button>
              )
            }
          >
            {t("profile.wallets.none.text")}
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {account.wallets.map((wallet) => (
              <WalletRow
                key={wallet.address}
                wallet={wallet}
                connected={wallet.address.toLowerCase() === connected}
                verified={account.identity_status === "verified"}
                current={current}
              />
            ))}
          </ul>
        )}
        {address !== null && !isCurrent && !handsOver && <LinkWallet account={account} address={address} />}
        {address === null && account.wallets.length > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-4">
            <p className="min-w-0 flex-1 basis-60 text-14 text-muted">{t("profile.wallets.connect")}</p>
            <Button look="secondary" onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
              {t("shell.wallet.connect")}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

interface WalletRowProps {
  wallet: LinkedWallet;
  connected: boolean;
  verified: boolean;
  /** The account's current wallet. */
  current: LinkedWallet | undefined;
}

function WalletRow({ wallet, connected, verified, current }: WalletRowProps) {
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Address address={wallet.address} what={t("profile.wallets.address")} full />
        <Badge look={wallet.current ? "positive" : "plain"}>
          {t(wallet.current ? "profile.wallets.current" : "profile.wallets.former")}
        </Badge>
        {connected && <Badge look="accent">{t("profile.wallets.connected")}</Badge>}
      </div>
      <p className="mt-1 text-12 text-muted">{t("profile.wallets.since", { date: formatDate(wallet.create_time) })}</p>
      {wallet.bindings.length > 0 && (
        <ul
          aria-label={t("profile.record.list", { address: shortenAddress(wallet.address) })}
          className="mt-3 flex flex-col gap-2 border-l-2 border-line pl-4"
        >
          {wallet.bindings.map((binding) => (
            <BindingRow key={binding.chain_id} binding={binding} verified={verified} />
          ))}
        </ul>
      )}
      {wallet.current && connected && wallet.bindings.some(({ reason }) => reason === "signature_used") && (
        <SignAgain />
      )}
      {wallet.current && <UnlinkWallet wallet={wallet} />}
      {!wallet.current && current && (
        <Suspense>
          <MoveHoldings former={wallet} current={current} verified={verified} />
        </Suspense>
      )}
    </li>
  );
}

/** Links the connected wallet with a new signature. The chain requires one after it revoked the record. */
function SignAgain() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  /** The wallet's dialogs and toasts report failures. */
  async function sign() {
    setBusy(true);
    await linkWallet();
    await queries.invalidateQueries({ queryKey: queryKeys.me });
    setBusy(false);
  }
  return (
    <Button className="mt-3" size="small" busy={busy} onClick={sign}>
      {t("profile.record.signAgain")}
    </Button>
  );
}

/** The state of the record on one chain as text, with the transaction that wrote it. */
function BindingRow({ binding, verified }: { binding: WalletBinding; verified: boolean }) {
  const { state, chain_id, hash, reason } = binding;
  const waitsForCheck = state === "waiting" && !verified;
  return (
    <li className="text-14">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-strong">{chainName(chain_id)}</span>
        <span className={state === "failed" ? "text-negative" : "text-muted"}>
          {waitsForCheck ? t("profile.record.waitingForCheck") : t(`profile.record.${state}`)}
        </span>
        {hash && <Address address={hash} kind="tx" what={t("profile.record.hash")} explorer={explorerOf(chain_id)} />}
      </p>
      {reason && <p className="text-muted">{bindingReason(reason)}</p>}
    </li>
  );
}
