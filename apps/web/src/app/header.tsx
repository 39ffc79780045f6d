import { Menu } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { t } from "../i18n/i18n.ts";
import { paths } from "../paths.ts";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { WalletArea } from "./wallet-area.tsx";

const Drawer = lazy(() => import("./drawer.tsx"));

export function Header({ onIntent }: { onIntent: (pathname: string) => void }) {
  const [drawer, setDrawer] = useState(false);
  const { key } = useLocation();

  // The drawer closes at every route change, also when the link leads to where one already is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the trigger
  useEffect(() => {
    setDrawer(false);
    if (drawer) window.scrollTo(0, 0);
  }, [key]);

  return (
    <header className="sticky top-0 z-40 border-b border-line bg-ground/92 backdrop-blur-sm">
      <div className="page flex h-16 items-center gap-3 md:gap-8">
        <Link to={paths.home} aria-label={t("shell.logo")} className="rounded-6">
          <Logo />
        </Link>
        <div className="hidden md:block">
          <Navigation onIntent={onIntent} />
        </div>
        <div className="ml-auto flex items-center gap-2">
          <WalletArea />
          <button
            type="button"
            aria-label={t("shell.menu.open")}
            aria-haspopup="dialog"
            onClick={() => setDrawer(true)}
            className="grid size-11 place-items-center rounded-6 text-ink hover:bg-accent/10 md:hidden"
          >
            <Menu aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </button>
        </div>
      </div>
      {drawer && (
        <Suspense>
          <Drawer onClose={() => setDrawer(false)} onIntent={onIntent} />
        </Suspense>
      )}
    </header>
  );
}
