import { Link, useLocation } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { DepthLines } from "../../ui/depth-lines.tsx";

const titles = {
  [paths.signIn]: "account.signIn",
  [paths.signUp]: "account.signUp",
  [paths.forgotPassword]: "account.forgotPassword",
  [paths.account]: "account.account",
} as const;

/** Stands at the account routes until accounts exist. */
export default function AccountSoonPage() {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/+$/, "") as keyof typeof titles;
  const title = t(titles[path] ?? "account.account");
  usePageTitle(title);
  return (
    <div className="relative">
      <DepthLines seed="account" className="absolute inset-0 h-full w-full" />
      <div className="page relative grid min-h-[60vh] content-center justify-items-start gap-4 py-16">
        <h1 className="text-28 md:text-44">{title}</h1>
        <p className="max-w-[60ch] text-16">{t("account.soon")}</p>
        <p className="max-w-[60ch] text-muted">{t("account.wallet")}</p>
        <div className="mt-2 flex flex-wrap gap-3">
          <Link to={paths.products} className={buttonClasses()}>
            {t("account.products")}
          </Link>
          <Link to={paths.portfolios} className={buttonClasses({ look: "secondary" })}>
            {t("account.portfolios")}
          </Link>
        </div>
      </div>
    </div>
  );
}
