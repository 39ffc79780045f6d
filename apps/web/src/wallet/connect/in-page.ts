import type { Wallet, WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { createConnector } from "wagmi";
import { injected } from "wagmi/connectors";

/**
 * A wallet injected into this page, connected through `provider`; null for a wallet that is not installed, whose row
 * then offers its extension.
 */
export function inPageWallet(wallet: Omit<Wallet, "createConnector">, provider: object | null): Wallet {
  const { mobile: _mobile, qrCode: _qrCode, ...row } = wallet;
  return {
    ...row,
    installed: provider !== null,
    createConnector: (details: WalletDetailsParams) =>
      createConnector((config) => ({
        ...injected({
          target: () => ({ id: row.id, name: row.name, provider: () => (provider ?? undefined) as never }),
        })(config),
        ...details,
      })),
  };
}
