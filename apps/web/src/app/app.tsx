import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { BrowserRouter } from "react-router";
import { createQueryClient } from "../features/query-client.ts";
import { useLanguage } from "../i18n/i18n.ts";
import { Toaster } from "../ui/toast.tsx";
import { restoreIsland } from "../wallet/island.ts";
import { WalletIslandRoot } from "../wallet/provider.tsx";
import { Routes } from "./routes.tsx";

export function App() {
  const [queries] = useState(createQueryClient);
  // Texts are read while rendering, so a change of language renders the pages anew; the wallet stays mounted.
  const language = useLanguage();
  useEffect(restoreIsland, []);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter key={language}>
        <Routes />
      </BrowserRouter>
      <WalletIslandRoot />
      <Toaster />
    </QueryClientProvider>
  );
}
