import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useEmail, useLoggedIn } from "../session.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { logOut } from "./log-out.ts";
import { AccountSkeleton } from "./skeleton.tsx";

const Account = lazy(() =>
  Promise.all([
    import("./account.tsx"),
    loadTexts("profile", "emails", "reasons", "forms", "register", "products", "security"),
  ]).then(([module]) => module),
);

export default function AccountPage() {
  usePageTitle(t("account.account"));
  const loggedIn = useLoggedIn();
  const email = useEmail();
  if (!loggedIn)
    return (
      <EntryFrame title={t("account.account")} lead={t("account.visitor.text")}>
        <Visitor />
      </EntryFrame>
    );
  return (
    <>
      <PageHead
        seed="account"
        title={t("account.account")}
        lead={email && <span className="wrap-anywhere">{email}</span>}
        aside={
          <Button look="secondary" onClick={() => logOut()}>
            {t("account.already.logOut")}
          </Button>
        }
      />
      <div className="page pt-8">
        <Suspense fallback={<AccountSkeleton />}>
          <Account />
        </Suspense>
      </div>
    </>
  );
}

function Visitor() {
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-20">{t("account.visitor")}</h2>
      <div className="flex flex-col gap-3">
        <Link to={paths.signIn} className={buttonClasses({ wide: true })}>
          {t("account.signIn")}
        </Link>
        <Link to={paths.signUp} className={buttonClasses({ look: "secondary", wide: true })}>
          {t("shell.signUp")}
        </Link>
      </div>
    </div>
  );
}
