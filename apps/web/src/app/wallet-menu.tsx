import { findChain } from "@aqua/sdk/chains";
import {
  ChevronDown,
  CircleUser,
  Copy,
  LogIn,
  LogOut,
  Network,
  Receipt,
  TriangleAlert,
  Unplug,
  Wallet,
} from "lucide-react";
import { logOut } from "../features/account/log-out.ts";
import { useNetwork } from "../features/network.ts";
import { withWallet } from "../features/open-wallet.ts";
import { useLoggedIn } from "../features/session.ts";
import { shortenAddress } from "../i18n/format.ts";
import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { WalletFace } from "../ui/wallet-face.tsx";
import { disconnect, openAccount, openNetwork } from "../wallet/lazy/island.tsx";
import { Item, Way } from "./menu-items.tsx";

/** The connected wallet: its address, its menu, and a warning if this server does not serve its network. */
export default function WalletMenu({ address, chainId }: { address: string; chainId: number | null }) {
  const { data: network } = useNetwork();
  const served = network && [...network.chains.map((chain) => chain.chain_id), ...network.node_chains];
  const wrong = served !== undefined && (chainId === null || !served.includes(chainId));
  const loggedIn = useLoggedIn();
  const short = shortenAddress(address);
  return (
    <div className="flex items-center gap-2">
      {wrong && (
        <Button
          size="small"
          look="danger"
          icon={<TriangleAlert aria-hidden="true" className="size-4" strokeWidth={1.75} />}
          onClick={() => withWallet(openNetwork)}
        >
          <span className="max-lg:sr-only">{t("menu.wrongNetwork")}</span>
        </Button>
      )}
      <Disclosure
        align="end"
        label={t("menu.wallet", { address: short })}
        buttonClassName="inline-flex h-9 items-center gap-2 rounded-6 border border-line-strong/60 bg-surface px-2.5 font-mono text-14 whitespace-nowrap hover:border-accent"
        button={
          <>
            <WalletFace address={address} />
            {short}
            <ChevronDown aria-hidden="true" className="size-4 text-muted" strokeWidth={1.75} />
          </>
        }
        panelClassName="w-64 p-1.5"
      >
        {(close) => (
          <ul>
            <Item icon={Copy} onSelect={() => copyText(address)} close={close}>
              {t("menu.copyAddress")}
            </Item>
            {loggedIn ? (
              <Way icon={CircleUser} to={paths.account} close={close}>
                {t("menu.accountDetails")}
              </Way>
            ) : (
              <Way icon={LogIn} to={paths.signIn} close={close}>
                {t("shell.logIn")}
              </Way>
            )}
            <Way icon={Wallet} to={paths.portfolios} close={close}>
              {t("menu.myAssets")}
            </Way>
            <Item icon={Receipt} onSelect={() => withWallet(openAccount)} close={close}>
              {t("menu.details")}
            </Item>
            <Item icon={Network} onSelect={() => withWallet(openNetwork)} close={close}>
              {t("menu.network")}
              <span className="ml-auto truncate text-12 text-muted">
                {wrong ? t("menu.wrongNetwork") : findChain(chainId ?? 0)?.name}
              </span>
            </Item>
            <li aria-hidden="true" className="my-1.5 border-t border-line" />
            <Item icon={Unplug} onSelect={() => withWallet(disconnect)} close={close}>
              {t("menu.disconnect")}
            </Item>
            {loggedIn && (
              <Item icon={LogOut} onSelect={() => logOut()} close={close}>
                {t("menu.logOut")}
              </Item>
            )}
          </ul>
        )}
      </Disclosure>
    </div>
  );
}
