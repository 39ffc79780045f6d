import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { useEmail } from "../session.ts";
import { logOut } from "./log-out.ts";

/** Replaces a log-in or registration form for a visitor who is logged in. */
export default function AlreadyLoggedIn() {
  const email = useEmail();
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 className="text-20">{t("account.already")}</h2>
        {email && <p className="mt-1 text-14 text-muted wrap-anywhere">{email}</p>}
      </div>
      <div className="flex flex-col gap-3">
        <Link to={paths.account} className={buttonClasses({ wide: true })}>
          {t("account.account")}
        </Link>
        <Link to={paths.products} className={buttonClasses({ look: "secondary", wide: true })}>
          {t("account.products")}
        </Link>
        <Button look="quiet" wide onClick={() => logOut()}>
          {t("account.already.logOut")}
        </Button>
      </div>
    </div>
  );
}
