import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { storageRefused } from "../browser-storage.ts";
import { useStore } from "../create-store.ts";
import { useIsConfirmationOpen } from "../features/account/confirm/ask.ts";
import { ChatLauncher } from "../features/chat/launcher.tsx";
import { prefetchProduct } from "../features/products/prefetch.ts";
import { releaseClock } from "../i18n/clock.ts";
import { t } from "../i18n/i18n.ts";
import { useAnnouncedTitle } from "../page-title.ts";
import { SkipLink } from "../ui/skip-link.tsx";
import { Loading } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.tsx";
import { ConnectFrame } from "./connect-frame.tsx";
import { PageErrorBoundary, PartBoundary } from "./error-boundary.tsx";
import { Footer } from "./footer.tsx";
import { frameOf } from "./frame-of.ts";
import { Header } from "./header.tsx";
import { watchLinks } from "./link-intent.ts";
import { whenTakenOver } from "./taken-over.ts";
import { withTexts } from "./with-texts.ts";

/** The figures load before the event stream that refreshes them. */
const LiveUpdates = withTexts(() => import("./live-updates.tsx"));

/** Asks the reader to prove to be the account's owner. Any page can open it. */
const ConfirmDialog = withTexts(() => import("../features/account/confirm/dialog.tsx"), "security", "forms");

/** Header, page, footer. `onIntent` gets the path a visitor is about to open. */
export function Layout({ onIntent }: { onIntent: (pathname: string) => void }) {
  const { key, pathname, search, hash } = useLocation();
  const queries = useQueryClient();
  const main = useRef<HTMLElement>(null);
  const previous = useRef({ key, pathname, search });

  // Watches links within the page. Links of the header call `onIntent` themselves.
  useEffect(() => {
    const page = main.current;
    if (page === null) return;
    return watchLinks(page, { onReach: onIntent, onRest: (path) => prefetchProduct(queries, path) });
  }, [onIntent, queries]);

  // Every navigation starts at the top, even to the current page. A filter changes only the search and is not a
  // navigation.
  useEffect(() => {
    const before = previous.current;
    previous.current = { key, pathname, search };
    if (before.key === key || (before.pathname === pathname && before.search !== search)) return;
    // The part of the page that the hash names scrolls itself into view.
    if (before.pathname === pathname && hash !== "") return;
    window.scrollTo(0, 0);
    if (before.pathname !== pathname) main.current?.focus({ preventScroll: true });
  }, [key, pathname, search, hash]);

  const refused = useStore(storageRefused);
  useEffect(() => {
    if (refused) toast({ title: t("shell.storage"), description: t("shell.storage.text"), look: "error" });
  }, [refused]);

  return (
    <div className="flex min-h-dvh flex-col print:block">
      <SkipLink href="#main">{t("shell.skip")}</SkipLink>
      <div id="notices" />
      <Header onIntent={onIntent} />
      <main ref={main} id="main" tabIndex={-1} className="flex-1 outline-none">
        <PageErrorBoundary key={frameOf(pathname)} onRetry={() => queries.resetQueries()}>
          <Suspense
            // The fallback is as high as the window, so that the footer is not visible before the page.
            fallback={
              <div className="min-h-dvh">
                <Loading />
              </div>
            }
          >
            <Outlet />
            <TakenOver />
          </Suspense>
        </PageErrorBoundary>
      </main>
      <PartBoundary part="footer">
        {/* React hydrates the page first, and then the parts that have their own boundary. */}
        <Suspense>
          <Footer />
        </Suspense>
      </PartBoundary>
      <PartBoundary part="chat">
        <Suspense>
          <ChatLauncher />
        </Suspense>
      </PartBoundary>
      <PartBoundary part="live">
        <Suspense>
          <LiveUpdates />
        </Suspense>
      </PartBoundary>
      <PartBoundary part="menu">
        <ConnectFrame />
      </PartBoundary>
      <PartBoundary part="account">
        <Suspense>
          <Confirmation />
        </Suspense>
      </PartBoundary>
      <Announcer />
    </div>
  );
}

/**
 * Mounts together with the page. It switches to the reader's clock after hydration: dates change everywhere at once,
 * and a part that is not hydrated by then would be rendered again.
 */
function TakenOver() {
  useEffect(() => whenTakenOver(showOwnClock), []);
  return null;
}

function showOwnClock() {
  releaseClock();
  // Tests and measurements wait for this attribute. From now on every part of the page is interactive.
  document.documentElement.dataset.takenOver = "";
}

function Confirmation() {
  return useIsConfirmationOpen() && <ConfirmDialog />;
}

/** Announces the new page to screen readers. */
function Announcer() {
  const title = useAnnouncedTitle();
  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  );
}
