import { connectorsForWallets, type Wallet, type WalletDetailsParams } from "@rainbow-me/rainbowkit";
import {
  imTokenWallet,
  metaMaskWallet as kitMetaMaskWallet,
  okxWallet,
  trustWallet,
  walletConnectWallet,
} from "@rainbow-me/rainbowkit/wallets";
import type { CreateConnectorFn } from "wagmi";
import { inPageWallet } from "./in-page.ts";
import { withPairing } from "./walletconnect.ts";

const deepLink = (uri: string) => `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`;

/**
 * The MetaMask row for a page without MetaMask. On a phone it uses WalletConnect and the app's link. The kit's own row
 * would load MetaMask's SDK, which is large and whose licence forbids free use.
 */
function metaMaskWallet(options: Parameters<typeof kitMetaMaskWallet>[0]): Wallet {
  const { qrCode, ...kit } = kitMetaMaskWallet(options);
  return {
    ...kit,
    mobile: { getUri: deepLink },
    qrCode: { getUri: deepLink, ...(qrCode?.instructions ? { instructions: qrCode.instructions } : {}) },
    // Uses the WalletConnect row's connector, since another one would start a second WalletConnect core.
    createConnector: walletConnectWallet({
      projectId: options.projectId,
      ...(options.walletConnectParameters && { options: options.walletConnectParameters }),
    }).createConnector,
  };
}

/** The flags by which wallets identify themselves on window.ethereum. */
type Flagged = Record<string, unknown>;

/** The provider that OKX Wallet adds to window, or null. */
function findOkx(): object | null {
  const { okxwallet } = window as unknown as { okxwallet?: object };
  return okxwallet ?? null;
}

function injectedProviders(): Flagged[] {
  const ethereum = (window as unknown as { ethereum?: Flagged & { providers?: Flagged[] } }).ethereum;
  if (ethereum === undefined) return [];
  return Array.isArray(ethereum.providers) ? ethereum.providers : [ethereum];
}

/** The injected provider with one of `flags`, or null. */
function findInjected(flags: readonly string[]): Flagged | null {
  return injectedProviders().find((provider) => flags.some((flag) => provider[flag] === true)) ?? null;
}

type CreateWallet = (options: { projectId: string }) => Wallet;

interface Entry {
  create: CreateWallet;
  /** Finds the provider that an extension or the wallet's own browser injects into this page. Null if there is none. */
  find: () => object | null;
  /** True if the wallet has a browser extension, which can be installed even without WalletConnect. */
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

/** True if wallets of the list are left out because no WalletConnect project is configured. */
export function lacksWalletConnect(projectId: string | null): boolean {
  return projectId === null && entries.some((entry) => entry.find() === null);
}

/**
 * Connectors for the kit; `others` come first. Without a project id it creates only wallets that are or can be in this
 * browser, since the kit throws on the others. The kit adds a second WalletConnect connector with its own modal and
 * telemetry, which is removed.
 */
export function walletConnectors({
  projectId,
  appName,
  others = [],
  isReconnecting,
}: {
  projectId: string | null;
  appName: string;
  others?: readonly Wallet[];
  /** True while wagmi reconnects the wallet used last. */
  isReconnecting: () => boolean;
}): CreateConnectorFn[] {
  const withModal = new WeakSet<CreateConnectorFn>();
  const usable: CreateWallet[] = others.map((wallet) => () => wallet);
  for (const { create, find, extension } of entries) {
    const provider = find();
    if (provider !== null || (projectId === null && extension))
      usable.push((options) => inPageWallet(create(options), provider));
    else if (projectId !== null) usable.push(create);
  }
  const wallets = usable.map((create) => (options: { projectId: string }) => {
    const wallet = withPairing(create(options), isReconnecting);
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
