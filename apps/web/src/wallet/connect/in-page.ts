import type { Wallet, WalletDetailsParams } from "@rainbow-me/rainbowkit";
import { createConnector } from "wagmi";
import { injected } from "wagmi/connectors";
import { withStandardErrors } from "./provider-errors.ts";

/**
 * A wallet that is injected into this page and connected through `provider`. If `provider` is null, the wallet is not
 * installed and its row offers its extension.
 */
export function inPageWallet(wallet: Omit<Wallet, "createConnector">, provider: object | null): Wallet {
  const { mobile: _mobile, qrCode: _qrCode, downloadUrls = {}, ...row } = wallet;
  // The kit would offer the wallet's app by a QR code, with which it cannot connect afterwards.
  const { qrCode: _download, ...downloads } = downloadUrls;
  const standard =
    provider === null ? undefined : withStandardErrors(provider as Parameters<typeof withStandardErrors>[0]);
  return {
    ...row,
    downloadUrls: downloads,
    installed: provider !== null,
    createConnector: (details: WalletDetailsParams) =>
      createConnector((config) => ({
        ...injected({
          target: () => ({ id: row.id, name: row.name, provider: () => standard as never }),
        })(config),
        ...details,
      })),
  };
}
