import { getWalletConnectConnector, type Wallet, type WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { metaMaskWallet as kitMetaMaskWallet } from "@rainbow-me/rainbowkit/wallets";
import { createConnector } from "wagmi";
import { injected } from "wagmi/connectors";
import { findInjected } from "./injected.ts";

const deepLink = (uri: string) => `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`;

/**
 * The MetaMask row without MetaMask's SDK (large, and its licence forbids free use): the extension through what it puts
 * into the page, a phone through WalletConnect and the app's link. An extension announced by EIP-6963 takes this row's
 * place by its rdns.
 */
export function metaMaskWallet({ projectId }: { projectId: string }): Wallet {
  const { qrCode, ...kit } = kitMetaMaskWallet({ projectId });
  const provider = findInjected(["isMetaMask"]);
  if (provider === null) {
    return {
      ...kit,
      mobile: { getUri: deepLink },
      qrCode: { getUri: deepLink, ...(qrCode?.instructions ? { instructions: qrCode.instructions } : {}) },
      createConnector: getWalletConnectConnector({ projectId }),
    };
  }
  return {
    ...kit,
    installed: true,
    mobile: {},
    createConnector: (details: WalletDetailsParams) =>
      createConnector((config) => ({
        ...injected({ target: () => ({ id: kit.id, name: kit.name, provider: provider as never }) })(config),
        ...details,
      })),
  };
}
