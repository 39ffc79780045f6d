import { connectorsForWallets, type Wallet, type WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { imTokenWallet, okxWallet, trustWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import type { CreateConnectorFn } from "wagmi";
import { hasInjected } from "./injected.ts";
import { metaMaskWallet } from "./metamask.ts";
import { quietWalletConnect } from "./walletconnect.ts";

type CreateWallet = (options: { projectId: string }) => Wallet;

interface Entry {
  create: CreateWallet;
  /** Whether the wallet stands in this page by itself and needs no WalletConnect. */
  injected: () => boolean;
}

/** The wallets of the specification, in its order. */
const entries: readonly Entry[] = [
  { create: trustWallet, injected: () => hasInjected(["isTrust", "isTrustWallet"]) },
  { create: walletConnectWallet, injected: () => false },
  { create: metaMaskWallet, injected: () => hasInjected(["isMetaMask"]) },
  { create: okxWallet, injected: () => "okxwallet" in window },
  { create: imTokenWallet, injected: () => false },
];

/** Whether wallets of the list had to be left out because no WalletConnect project is configured. */
export function lacksWalletConnect(projectId: string | null): boolean {
  return projectId === null && entries.some((entry) => !entry.injected());
}

/**
 * Connectors for the kit. Without a project id only wallets that are in the page are made: the kit throws on the others.
 * The kit adds a second WalletConnect connector with a modal and telemetry of its own; that one is dropped.
 */
export function walletConnectors(projectId: string | null, appName: string): CreateConnectorFn[] {
  const withModal = new WeakSet<CreateConnectorFn>();
  const usable = entries.filter((entry) => projectId !== null || entry.injected());
  if (usable.length === 0) return [];
  const wallets = usable.map((entry) => (options: { projectId: string }) => {
    const wallet = entry.create(options);
    const createConnector = (details: WalletDetailsParams) => {
      const connector = quietWalletConnect(wallet.createConnector(details));
      if (details.rkDetails.isWalletConnectModalConnector === true) withModal.add(connector);
      return connector;
    };
    return { ...wallet, createConnector };
  });
  return connectorsForWallets([{ groupName: "Popular", wallets }], { appName, projectId: projectId ?? "none" }).filter(
    (connector) => !withModal.has(connector),
  );
}
