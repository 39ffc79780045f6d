import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { BrowserRouter } from "react-router";
import { restoreWallet } from "../features/open-wallet.ts";
import { createQueryClient } from "../features/query-client.ts";
import { useLanguage } from "../i18n/i18n.ts";
import { Toaster } from "../ui/toast.tsx";
import { WalletIslandRoot } from "../wallet/lazy/provider.tsx";
import { PageErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";

export function App() {
  const [queries] = useState(createQueryClient);
  // Texts are read on render: a change of language re-renders everything without unmounting.
  useLanguage();
  useEffect(restoreWallet, []);
  return (
    <QueryClientProvider client={queries}>
      <PageErrorBoundary onRetry={() => queries.resetQueries()}>
        <BrowserRouter>
          <Routes />
        </BrowserRouter>
      </PageErrorBoundary>
      <WalletIslandRoot />
      <Toaster />
    </QueryClientProvider>
  );
}
