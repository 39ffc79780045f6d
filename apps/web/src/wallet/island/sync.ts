import type { Config, Connector } from "wagmi";
import { disconnect, type GetAccountReturnType, getAccount, reconnect, watchAccount } from "wagmi/actions";
import { reportError } from "../../report-error.ts";
import { clearWallet, setWallet } from "../store.ts";
import { getAuthentication, restored, subscribeAuthentication } from "./authentication.ts";

/** An extension may announce itself shortly after the page requested wallets. */
const announcementWait = 1_000;

function publish(account: GetAccountReturnType) {
  if (account.status === "connected") {
    const status = getAuthentication() === "unauthenticated" ? "unauthenticated" : "connected";
    setWallet({ status, address: account.address, chainId: account.chainId });
  } else {
    setWallet({ status: account.status, address: null, chainId: null });
  }
}

/**
 * Mirrors wagmi's account, and whether a proof is requested, into the shell's store from now on. A disconnected wallet is
 * disconnected in the other tabs too: whoever leaves a computer leaves all of them.
 */
export function mirrorAccount(config: Config): () => void {
  const tabs = new BroadcastChannel("aqua.disconnected");
  tabs.onmessage = ({ data: address }: MessageEvent<unknown>) => {
    if (getAccount(config).address === address) void disconnect(config);
  };
  const stopAuthentication = subscribeAuthentication(() => publish(getAccount(config)));
  const stopAccount = watchAccount(config, {
    onChange(account, before) {
      // wagmi keeps the id after a disconnect, so the next visit would load all wallet code unnecessarily.
      if (account.status === "disconnected" && before.status === "connected") {
        void config.storage?.removeItem("recentConnectorId");
        tabs.postMessage(before.address);
      }
      publish(account);
    },
  });
  return () => {
    stopAuthentication();
    stopAccount();
    tabs.close();
  };
}

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
  if (connector === null) {
    restored();
    clearWallet();
    return;
  }
  try {
    await reconnect(config, { connectors: [connector] });
  } catch (error) {
    reportError("wallet", error);
    // wagmi would stay at "connecting".
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: "disconnected" }));
  }
  restored();
  publish(getAccount(config));
}
