import { connectorsForWallets, type Wallet, type WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { imTokenWallet, okxWallet, trustWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import type { CreateConnectorFn } from "wagmi";
import { inPageWallet } from "./in-page.ts";
import { findInjected, findOkx } from "./injected.ts";
import { metaMaskWallet } from "./metamask.ts";
import { withPairing } from "./walletconnect.ts";

type CreateWallet = (options: { projectId: string }) => Wallet;

interface Entry {
  create: CreateWallet;
  /** Its provider, when an extension or the wallet's own browser injects it into this page. */
  find: () => object | null;
  /** Whether there is a browser extension, which can be installed even without WalletConnect. */
  extension: boolean;
}

/** The wallets of the specification, in its order. */
const entries: readonly Entry[] = [
  { create: trustWallet, find: () => findInjected(["isTrust", "isTrustWallet"]), extension: true },
  { create: walletConnectWallet, find: () => null, extension: false },
  { create: metaMaskWallet, find: () => findInjected(["isMetaMask"]), extension: true },
  { create: okxWallet, find: findOkx, extension: true },
  { create: imTokenWallet, find: () => findInjected(["isImToken"]), extension: false },
];

/** Whether wallets of the list are left out because no WalletConnect project is configured. */
export function lacksWalletConnect(projectId: string | null): boolean {
  return projectId === null && entries.some((entry) => entry.find() === null);
}

/**
 * Connectors for the kit, `others` first. Without a project id only wallets that are or can be in this browser are
 * created, since the kit throws on the others. The kit adds a second WalletConnect connector with a modal and telemetry
 * of its own; that is removed.
 */
export function walletConnectors(
  projectId: string | null,
  appName: string,
  others: readonly Wallet[] = [],
): CreateConnectorFn[] {
  const withModal = new WeakSet<CreateConnectorFn>();
  const usable: CreateWallet[] = others.map((wallet) => () => wallet);
  for (const { create, find, extension } of entries) {
    const provider = find();
    if (provider !== null || (projectId === null && extension))
      usable.push((options) => inPageWallet(create(options), provider));
    else if (projectId !== null) usable.push(create);
  }
  const wallets = usable.map((create) => (options: { projectId: string }) => {
    const wallet = withPairing(create(options));
    const createConnector = (details: WalletDetailsParams) => {
      const connector = wallet.createConnector(details);
      if (details.rkDetails.isWalletConnectModalConnector === true) withModal.add(connector);
      return connector;
    };
    return { ...wallet, createConnector };
  });
  return connectorsForWallets([{ groupName: "Popular", wallets }], { appName, projectId: projectId ?? "none" }).filter(
    (connector) => !withModal.has(connector),
  );
}
