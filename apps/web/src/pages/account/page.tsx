import { Link } from "react-router";
import AlreadyLoggedIn from "../../features/account/already-logged-in.tsx";
import { EntryFrame } from "../../features/account/entry-frame.tsx";
import { useLoggedIn } from "../../features/session.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";

export default function AccountPage() {
  usePageTitle(t("account.account"));
  const loggedIn = useLoggedIn();
  return (
    <EntryFrame title={t("account.account")} lead={t("profile.visitor.text")}>
      {loggedIn ? <AlreadyLoggedIn /> : <Visitor />}
    </EntryFrame>
  );
}

function Visitor() {
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-20">{t("profile.visitor")}</h2>
      <div className="flex flex-col gap-3">
        <Link to={paths.signIn} className={buttonClasses({ wide: true })}>
          {t("account.signIn")}
        </Link>
        <Link to={paths.signUp} className={buttonClasses({ look: "secondary", wide: true })}>
          {t("account.signUp")}
        </Link>
      </div>
    </div>
  );
}
