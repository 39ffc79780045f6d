import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect } from "react";
import { restoreWallet } from "../features/open-wallet.ts";
import { useOwnClock } from "../i18n/clock.ts";
import { useLanguage } from "../i18n/i18n.ts";
import { Toaster } from "../ui/toast.tsx";
import { WalletIslandRoot } from "../wallet/lazy/island.tsx";
import { PageErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";

interface AppProps {
  queries: QueryClient;
  /** The router: the browser's, or the static one of a page that the server renders. */
  Router: ComponentType<{ children: ReactNode }>;
}

export function App({ queries, Router }: AppProps) {
  // Texts and dates are read on render. A change of language therefore re-renders everything without unmounting.
  useLanguage();
  useOwnClock();
  useEffect(restoreWallet, []);
  useEffect(() => {
    delete document.documentElement.dataset.returning;
  }, []);
  return (
    <QueryClientProvider client={queries}>
      <PageErrorBoundary onRetry={() => queries.resetQueries()}>
        <Router>
          <Routes />
        </Router>
      </PageErrorBoundary>
      <WalletIslandRoot />
      <Toaster />
    </QueryClientProvider>
  );
}
