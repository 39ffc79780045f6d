import { ChevronDown, CircleUser, LogIn, LogOut, Settings, UserPlus, UserRound, Wallet } from "lucide-react";
import { logOut } from "../features/account/log-out.ts";
import { useEmail } from "../features/session.ts";
import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { Item, Way } from "./menu-items.tsx";

/** The account menu of the header. Visitors see it with and without a wallet. */
export default function AccountMenu({ loggedIn }: { loggedIn: boolean }) {
  const email = useEmail();
  return (
    <Disclosure
      align="end"
      label={loggedIn ? t("menu.account", { email: email ?? "" }) : t("menu.visitor")}
      buttonClassName="flex h-9 items-center gap-1 rounded-6 px-2 text-muted hover:bg-accent/10 hover:text-ink"
      button={
        <>
          <CircleUser aria-hidden="true" className="size-5" strokeWidth={1.75} />
          <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.75} />
        </>
      }
      panelClassName="w-64 p-1.5"
    >
      {(close) => (
        <>
          {loggedIn && email !== null && (
            <p className="mb-1.5 truncate border-b border-line px-3 py-2 text-14 text-muted" title={email}>
              {email}
            </p>
          )}
          <ul>{loggedIn ? <OwnItems close={close} /> : <VisitorItems close={close} />}</ul>
        </>
      )}
    </Disclosure>
  );
}

/** Menu items for a visitor who is not logged in. */
export function VisitorItems({ close }: { close: () => void }) {
  return (
    <>
      <Way icon={LogIn} to={paths.signIn} close={close}>
        {t("shell.logIn")}
      </Way>
      <Way icon={UserPlus} to={paths.signUp} close={close}>
        {t("shell.signUp")}
      </Way>
    </>
  );
}

/** Menu items of the logged-in account. */
export function OwnItems({ close }: { close: () => void }) {
  return (
    <>
      <Way icon={CircleUser} to={paths.account} close={close}>
        {t("menu.myAccount")}
      </Way>
      <Way icon={UserRound} to={`${paths.account}#profile`} close={close}>
        {t("menu.profile")}
      </Way>
      <Way icon={Settings} to={`${paths.account}#settings`} close={close}>
        {t("menu.settings")}
      </Way>
      <Way icon={Wallet} to={paths.portfolios} close={close}>
        {t("menu.myAssets")}
      </Way>
      <Item icon={LogOut} onSelect={() => void logOut()} close={close}>
        {t("menu.logOut")}
      </Item>
    </>
  );
}
