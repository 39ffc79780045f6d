import type { Config, Connector } from "wagmi";
import { type GetAccountReturnType, getAccount, reconnect, watchAccount } from "wagmi/actions";
import { clearWallet, setWallet } from "../store.ts";
import { getAuthentication, restored, subscribeAuthentication } from "./authentication.ts";

/** An extension may announce itself a moment after the page asked for wallets. */
const announcementWait = 1_000;

function publish(account: GetAccountReturnType) {
  if (account.status === "connected") {
    const status = getAuthentication() === "unauthenticated" ? "unauthenticated" : "connected";
    setWallet({ status, address: account.address, chainId: account.chainId });
  } else {
    setWallet({ status: account.status, address: null, chainId: null });
  }
}

/** Mirrors wagmi's account, and whether it is asked for a proof, into the shell's store from now on. */
export function mirrorAccount(config: Config): () => void {
  const stopAuthentication = subscribeAuthentication(() => publish(getAccount(config)));
  const stopAccount = watchAccount(config, {
    onChange(account, before) {
      // wagmi keeps the id after a disconnect; the next visit would load all wallet code for nothing.
      if (account.status === "disconnected" && before.status === "connected") {
        void config.storage?.removeItem("recentConnectorId");
      }
      publish(account);
    },
  });
  return () => {
    stopAuthentication();
    stopAccount();
  };
}

/** The kit connects each wallet under its own name, which those over WalletConnect have in its details alone. */
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

/** Reconnects the wallet used last and asks no other one for anything. Resolves in either case. */
export async function reconnectRecent(config: Config): Promise<void> {
  const connector = await recentConnector(config);
  if (connector === null) {
    restored();
    clearWallet();
    return;
  }
  await reconnect(config, { connectors: [connector] }).catch(() => undefined);
  restored();
  publish(getAccount(config));
}
