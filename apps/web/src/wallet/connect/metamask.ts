import type { Wallet } from "@rainbow-me/rainbowkit";
import { metaMaskWallet as kitMetaMaskWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";

const deepLink = (uri: string) => `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`;

/**
 * The MetaMask row for a page without MetaMask: on a phone through WalletConnect and the app's link. The kit's own row
 * would load MetaMask's SDK, which is large and whose licence forbids free use.
 */
export function metaMaskWallet(options: Parameters<typeof kitMetaMaskWallet>[0]): Wallet {
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
