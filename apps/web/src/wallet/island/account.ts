import type { AuthenticationStatus } from "@rainbow-me/rainbowkit";
import { useEffect } from "react";
import { type Config, type Connector, useAccount, useConfig } from "wagmi";
import { disconnect, getAccount, reconnect, watchAccount } from "wagmi/actions";
import { reportError } from "../../report-error.ts";
import { setWallet } from "../store.ts";

/** Shows the rest of the app wagmi's account, and whether a proof is requested. */
export function useShownWallet(authentication: AuthenticationStatus): void {
  const { status, address = null, chainId = null } = useAccount();
  useEffect(() => {
    if (status === "connected")
      setWallet({ status: authentication === "unauthenticated" ? "unauthenticated" : status, address, chainId });
    // Until the wallet used last was asked, a returning visitor is shown as reconnecting.
    else if (status !== "disconnected" || authentication !== "loading")
      setWallet({ status, address: null, chainId: null });
  }, [status, address, chainId, authentication]);
}

/** A disconnected wallet is disconnected in the other tabs too: whoever leaves a computer leaves all of them. */
export function useDisconnectEverywhere(): void {
  const config = useConfig();
  useEffect(() => {
    const tabs = new BroadcastChannel("aqua.disconnected");
    tabs.onmessage = ({ data: address }: MessageEvent<unknown>) => {
      if (getAccount(config).address === address) void disconnect(config);
    };
    const stop = watchAccount(config, {
      onChange({ status }, before) {
        if (status !== "disconnected" || before.status !== "connected") return;
        // wagmi keeps the id after a disconnect, so the next visit would load all wallet code unnecessarily.
        void config.storage?.removeItem("recentConnectorId");
        tabs.postMessage(before.address);
      },
    });
    return () => {
      stop();
      tabs.close();
    };
  }, [config]);
}

/** An extension may announce itself shortly after the page requested wallets. */
const announcementWait = 1_000;

/** The kit connects each wallet under its own id, which WalletConnect connectors only have in their details. */
function walletId(connector: Connector & { rkDetails?: { id?: string } }): string {
  return connector.rkDetails?.id ?? connector.id;
}

async function recentConnector(config: Config) {
  const id = await config.storage?.getItem("recentConnectorId");
  if (id === null || id === undefined) return null;
  const find = () => config.connectors.find((connector) => walletId(connector) === id);
  const until = Date.now() + announcementWait;
  while (find() === undefined && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  return find() ?? null;
}

/** Reconnects the wallet used last and prompts no other one. Resolves in either case. */
export async function reconnectRecent(config: Config): Promise<void> {
  const connector = await recentConnector(config);
  if (connector === null) return;
  try {
    await reconnect(config, { connectors: [connector] });
  } catch (error) {
    reportError("wallet", error);
    // wagmi would stay at "connecting".
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: "disconnected" }));
  }
}
