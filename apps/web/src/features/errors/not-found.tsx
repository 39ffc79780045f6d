import { Link, useLocation } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { DepthLines } from "../../ui/depth-lines.tsx";

/** The 404 page: the address, and two links. */
export function NotFound() {
  const { pathname } = useLocation();
  usePageTitle(t("shell.notFound.title"));
  return (
    <div className="relative">
      <DepthLines
        seed="uncharted"
        className="absolute inset-0 h-full w-full mask-[linear-gradient(black_60%,transparent)]"
      />
      <div className="page relative grid min-h-[60vh] content-center justify-items-start gap-4 py-16">
        <p className="font-mono text-14 text-muted">404</p>
        <h1 className="text-28 md:text-44">{t("shell.notFound.title")}</h1>
        <p className="max-w-[68ch] wrap-anywhere text-muted">{t("shell.notFound.text", { path: pathname })}</p>
        <div className="mt-2 flex flex-wrap gap-3">
          <Link to={paths.home} className={buttonClasses()}>
            {t("shell.notFound.home")}
          </Link>
          <Link to={paths.products} className={buttonClasses({ look: "secondary" })}>
            {t("shell.notFound.products")}
          </Link>
        </div>
      </div>
    </div>
  );
}
