import { afterEach, expect, test } from "vitest";
import { createConfig, http } from "wagmi";
import { mainnet } from "wagmi/chains";
import { lacksWalletConnect, walletConnectors } from "../../src/wallet/connect/wallets.ts";

interface RainbowDetails {
  rkDetails?: { id: string; name: string; installed?: boolean };
}

function listed(projectId: string | null) {
  const config = createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("/rpc/1") },
    connectors: walletConnectors({ projectId, appName: "Aqua", isReconnecting: () => false }),
    multiInjectedProviderDiscovery: false,
    storage: null,
  });
  return config.connectors.map((connector) => ({
    type: connector.type,
    name: (connector as RainbowDetails).rkDetails?.name,
    installed: (connector as RainbowDetails).rkDetails?.installed,
  }));
}

afterEach(() => {
  Reflect.deleteProperty(window, "ethereum");
});

test("walletConnectors lists the five wallets of the specification in its order with a project id, WalletConnect once", () => {
  const wallets = listed("0123456789abcdef0123456789abcdef");
  expect(wallets.map((wallet) => wallet.name)).toEqual([
    "Trust Wallet",
    "WalletConnect",
    "MetaMask",
    "OKX Wallet",
    "imToken",
  ]);
  expect(wallets.map((wallet) => wallet.type)).toEqual(Array(5).fill("walletConnect"));
  expect(lacksWalletConnect("0123456789abcdef0123456789abcdef")).toBe(false);
});

test("walletConnectors lists installable extensions without a project id, and nothing needs WalletConnect", () => {
  const wallets = listed(null);
  expect(wallets).toEqual([
    { name: "Trust Wallet", type: "injected", installed: false },
    { name: "MetaMask", type: "injected", installed: false },
    { name: "OKX Wallet", type: "injected", installed: false },
  ]);
  expect(lacksWalletConnect(null)).toBe(true);
});

test("an injected MetaMask is used directly, with or without a project id", () => {
  const ethereum = {
    isMetaMask: true,
    request: async () => null,
    on: () => undefined,
    removeListener: () => undefined,
  };
  Object.assign(window, { ethereum });
  for (const projectId of [null, "0123456789abcdef0123456789abcdef"]) {
    expect(listed(projectId)).toContainEqual({ name: "MetaMask", type: "injected", installed: true });
  }
});
