/**
 * A page with nothing but RainbowKit's button, made as its introduction says: the least that any app with this kit sends
 * and runs. bench/support/peer.ts builds it, with the versions of the kit that the app itself has.
 */
import "@rainbow-me/rainbowkit/styles.css";
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from "@rainbow-me/rainbowkit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { WagmiProvider } from "wagmi";
import { arbitrum, base, mainnet, optimism, polygon, zora } from "wagmi/chains";

const config = getDefaultConfig({
  appName: "RainbowKit alone",
  // An invented project; the relay is used only when a phone's wallet is chosen.
  projectId: "00000000000000000000000000000000",
  chains: [mainnet, polygon, optimism, arbitrum, base, zora],
});
const queries = new QueryClient();

function App() {
  return (
    <div style={{ display: "flex", justifyContent: "flex-end", padding: 12 }}>
      <ConnectButton />
    </div>
  );
}

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queries}>
          <RainbowKitProvider>
            <App />
          </RainbowKitProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  );
