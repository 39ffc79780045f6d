import { Menu } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { useLoggedIn } from "../features/session.ts";
import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { reportError } from "../report-error.ts";
import { loadFailure } from "../ui/boundary.tsx";
import { toast } from "../ui/toast.tsx";
import { PartBoundary } from "./error-boundary.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { NewVersion } from "./new-version.tsx";
import { WalletArea } from "./wallet-area.tsx";

/**
 * The logo: drop and waterline. The name beside it is text; on a tablet it is hidden to make room for the navigation.
 */
function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 text-20 font-strong tracking-tight">
      <svg viewBox="0 0 28 28" aria-hidden="true" className="size-7">
        <rect width="28" height="28" rx="7" className="fill-accent" />
        <path
          d="M14 4.8c4 4.4 6.6 7.8 6.6 11.1a6.6 6.6 0 0 1-13.2 0C7.4 12.6 10 9.2 14 4.8Z"
          className="fill-on-accent"
        />
        <path
          d="M9.2 16.3c1.6-1.2 3.2-1.2 4.8 0s3.2 1.2 4.8 0M10.6 19.3c1.1-.8 2.3-.8 3.4 0s2.3.8 3.4 0"
          className="fill-none stroke-accent"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
      </svg>
      <span className="md:max-lg:sr-only">Aqua</span>
    </span>
  );
}

const loadDrawer = () => import("./drawer.tsx");
const Drawer = lazy(loadDrawer);
const AccountMenu = lazy(() => import("./account-menu.tsx"));

/** On narrower screens the account menu contains both links. */
const visitorLink = "rounded-6 px-2 py-2 text-14 whitespace-nowrap text-muted hover:text-ink max-[1279px]:hidden";

export function Header({ onIntent }: { onIntent: (pathname: string) => void }) {
  const [drawer, setDrawer] = useState(false);
  const closedByNavigation = useRef(false);
  const { key } = useLocation();
  const loggedIn = useLoggedIn();
  const close = useCallback(() => setDrawer(false), []);

  // The drawer closes at every route change, even if the link leads to the current page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the trigger
  useEffect(() => {
    if (!drawer) return;
    closedByNavigation.current = true;
    setDrawer(false);
    window.scrollTo(0, 0);
  }, [key]);

  // A closed drawer returns the focus to its button. After a navigation the new page receives the focus instead.
  useEffect(() => {
    if (drawer || !closedByNavigation.current) return;
    closedByNavigation.current = false;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [drawer]);

  async function open() {
    try {
      await loadDrawer();
      setDrawer(true);
    } catch (error) {
      reportError("page", error);
      toast({ title: t("ui.error.title"), description: loadFailure(error), look: "error" });
    }
  }

  return (
    // The header is always visible, so focusing an element in it must not scroll the page. It is slightly transparent
    // because Chromium with software rendering otherwise draws a page's heading a second time below it behind a dialog.
    <header className="sticky top-0 z-40 border-b border-line bg-ground/99 [&_:is(a,button):not(.panel_*)]:scroll-mt-[-80px]">
      <div className="page flex min-h-16 items-center gap-x-2 sm:gap-x-3 md:flex-wrap lg:gap-x-8">
        <Link to={paths.home} aria-label={t("shell.logo")} className="rounded-6">
          <Logo />
        </Link>
        <div className="hidden md:block">
          <Navigation onIntent={onIntent} />
        </div>
        <div className="ml-auto flex min-w-0 items-center gap-1 sm:gap-2">
          <div className="flex items-center max-md:hidden lg:gap-1">
            <LanguageMenu />
            {loggedIn || (
              <>
                <Link to={paths.signIn} data-visitor className={visitorLink}>
                  {t("shell.logIn")}
                </Link>
                <Link to={paths.signUp} data-visitor className={visitorLink}>
                  {t("shell.signUp")}
                </Link>
              </>
            )}
            <div className={loggedIn ? "" : "min-[1280px]:hidden"}>
              <PartBoundary part="account">
                <Suspense fallback={<div className="w-13" />}>
                  <AccountMenu loggedIn={loggedIn} />
                </Suspense>
              </PartBoundary>
            </div>
          </div>
          <WalletArea />
          <button
            type="button"
            aria-label={t("shell.menu.open")}
            aria-haspopup="dialog"
            aria-expanded={drawer}
            onClick={open}
            className="grid size-11 place-items-center rounded-6 text-ink hover:bg-accent/10 md:hidden"
          >
            <Menu aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </button>
        </div>
      </div>
      {drawer && (
        <Suspense>
          <Drawer onClose={close} onIntent={onIntent} />
        </Suspense>
      )}
      <PartBoundary part="version">
        <NewVersion />
      </PartBoundary>
    </header>
  );
}
