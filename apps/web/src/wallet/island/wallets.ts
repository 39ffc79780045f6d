import { connectorsForWallets, type Wallet, type WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { imTokenWallet, okxWallet, trustWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import { type CreateConnectorFn, createConnector } from "wagmi";
import { injected } from "wagmi/connectors";
import { hasInjected } from "./injected.ts";
import { metaMaskWallet } from "./metamask.ts";
import { quietWalletConnect } from "./walletconnect.ts";

type CreateWallet = (options: { projectId: string }) => Wallet;

interface Entry {
  create: CreateWallet;
  /** Whether the wallet stands in this page by itself and needs no WalletConnect. */
  injected: () => boolean;
  /** It exists as a browser extension, so without WalletConnect it can still be installed. */
  extension: boolean;
}

/** The wallets of the specification, in its order. */
const entries: readonly Entry[] = [
  { create: trustWallet, injected: () => hasInjected(["isTrust", "isTrustWallet"]), extension: true },
  { create: walletConnectWallet, injected: () => false, extension: false },
  { create: metaMaskWallet, injected: () => hasInjected(["isMetaMask"]), extension: true },
  { create: okxWallet, injected: () => "okxwallet" in window, extension: true },
  { create: imTokenWallet, injected: () => false, extension: false },
];

/** Whether wallets of the list had to be left out because no WalletConnect project is configured. */
export function lacksWalletConnect(projectId: string | null): boolean {
  return projectId === null && entries.some((entry) => !entry.injected());
}

/** The row of a wallet that is not here: the kit leads from it to the extension and how to install it. */
function notInstalled(create: CreateWallet): CreateWallet {
  return (options) => {
    const { mobile: _mobile, qrCode: _qrCode, ...wallet } = create(options);
    return {
      ...wallet,
      installed: false,
      createConnector: (details: WalletDetailsParams) =>
        createConnector((config) => ({
          ...injected({ target: () => ({ id: wallet.id, name: wallet.name, provider: () => undefined }) })(config),
          ...details,
        })),
    };
  };
}

/**
 * Connectors for the kit. Without a project id only wallets that are or can be in this browser are made: the kit throws
 * on the others. The kit adds a second WalletConnect connector with a modal and telemetry of its own; that is dropped.
 */
export function walletConnectors(projectId: string | null, appName: string): CreateConnectorFn[] {
  const withModal = new WeakSet<CreateConnectorFn>();
  const usable = entries.flatMap(({ create, injected: present, extension }) => {
    if (projectId !== null || present()) return [create];
    return extension ? [notInstalled(create)] : [];
  });
  const wallets = usable.map((create) => (options: { projectId: string }) => {
    const wallet = create(options);
    const createQuietly = (details: WalletDetailsParams) => {
      const connector = quietWalletConnect(wallet.createConnector(details));
      if (details.rkDetails.isWalletConnectModalConnector === true) withModal.add(connector);
      return connector;
    };
    return { ...wallet, createConnector: createQuietly };
  });
  return connectorsForWallets([{ groupName: "Popular", wallets }], { appName, projectId: projectId ?? "none" }).filter(
    (connector) => !withModal.has(connector),
  );
}
