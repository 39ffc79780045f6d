import type { AuthenticationStatus } from "@rainbow-me/rainbowkit";
import { useEffect } from "react";
import { type Config, type Connector, useAccount, useConfig } from "wagmi";
import { disconnect, getAccount, reconnect, watchAccount } from "wagmi/actions";
import { reportError } from "../../report-error.ts";
import { setWallet } from "../store.ts";

/** Publishes wagmi's account to the rest of the app, and whether a proof is requested. */
export function useShownWallet(authentication: AuthenticationStatus): void {
  const { status, address = null, chainId = null } = useAccount();
  useEffect(() => {
    if (status === "connected")
      setWallet({ status: authentication === "unauthenticated" ? "unauthenticated" : status, address, chainId });
    // A returning visitor is shown as reconnecting until the wallet used last has answered.
    else if (status !== "disconnected" || authentication !== "loading")
      setWallet({ status, address: null, chainId: null });
  }, [status, address, chainId, authentication]);
}

/** Disconnects the wallet in the other tabs too, because a visitor who leaves a computer leaves every tab. */
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

/** Milliseconds to wait for an extension, which may announce itself shortly after the page requested wallets. */
const announcementWait = 1_000;

/** The kit's id of the wallet. WalletConnect connectors have it only in their details. */
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

/** Reconnects the wallet used last and prompts no other wallet. Resolves even if that fails. */
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
