import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { RouterProvider } from "react-router/dom";
import { createQueryClient } from "../features/query-client.ts";
import { useLanguage } from "../i18n/i18n.ts";
import { Toaster } from "../ui/toast.tsx";
import { restoreIsland } from "../wallet/island.ts";
import { WalletIslandRoot } from "../wallet/provider.tsx";
import { createRouter } from "./routes.tsx";

export function App() {
  const [queries] = useState(createQueryClient);
  const [router] = useState(createRouter);
  // Texts are read while rendering, so a change of language renders the pages anew; the wallet stays mounted.
  const language = useLanguage();
  useEffect(restoreIsland, []);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider key={language} router={router} />
      <WalletIslandRoot />
      <Toaster />
    </QueryClientProvider>
  );
}
