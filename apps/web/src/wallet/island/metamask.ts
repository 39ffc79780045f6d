import { getWalletConnectConnector, type Wallet } from "@rainbow-me/rainbowkit";
import { metaMaskWallet as kitMetaMaskWallet } from "@rainbow-me/rainbowkit/wallets";

const deepLink = (uri: string) => `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`;

/**
 * The MetaMask row for a page without MetaMask: a phone through WalletConnect and the app's link. The kit's own row would
 * load MetaMask's SDK here, which is large and whose licence forbids free use.
 */
export function metaMaskWallet({ projectId }: { projectId: string }): Wallet {
  const { qrCode, ...kit } = kitMetaMaskWallet({ projectId });
  return {
    ...kit,
    mobile: { getUri: deepLink },
    qrCode: { getUri: deepLink, ...(qrCode?.instructions ? { instructions: qrCode.instructions } : {}) },
    createConnector: getWalletConnectConnector({ projectId }),
  };
}
