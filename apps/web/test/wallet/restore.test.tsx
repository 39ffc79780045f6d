import type { AuthenticationStatus } from "@rainbow-me/rainbowkit";
import { act, render } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Config, createConfig, http, mock, WagmiProvider } from "wagmi";
import { getAccount } from "wagmi/actions";
import { mainnet } from "wagmi/chains";
import { reportError } from "../../src/report-error.ts";
import { reconnectRecent, useShownWallet } from "../../src/wallet/island/account.ts";
import { setWallet, useWallet, type Wallet } from "../../src/wallet/store.ts";

vi.mock("../../src/report-error.ts");

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const reconnecting = { status: "reconnecting", address: null, chainId: null } as const;

let shown: Wallet;
let setAuthentication: (status: AuthenticationStatus) => void;

function Shown() {
  const [authentication, set] = useState<AuthenticationStatus>("loading");
  setAuthentication = set;
  useShownWallet(authentication);
  shown = useWallet();
  return null;
}

/** Rendered once: wagmi's provider drops all connections whenever it renders again. */
const renderIsland = (config: Config) =>
  render(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <Shown />
    </WagmiProvider>,
  );

const configOf = () =>
  createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("http://localhost/rpc/1") },
    connectors: [mock({ accounts: [address], features: { reconnect: true } })],
  });

beforeEach(() => {
  localStorage.setItem("wagmi.recentConnectorId", JSON.stringify("mock"));
  setWallet(reconnecting);
});
afterEach(() => localStorage.clear());

it("shows a restored wallet, and whether it is asked for a proof, without showing it as disconnected before", async () => {
  const config = configOf();
  renderIsland(config);
  for (const connector of config.connectors) vi.spyOn(connector, "isAuthorized").mockResolvedValue(true);
  await reconnectRecent(config);
  await vi.waitFor(() => expect(shown).toEqual({ status: "connected", address, chainId: mainnet.id }));
  act(() => setAuthentication("unauthenticated"));
  expect(shown).toEqual({ status: "unauthenticated", address, chainId: mainnet.id });
  act(() => setAuthentication("authenticated"));
  expect(shown).toEqual({ status: "connected", address, chainId: mainnet.id });
});

// This test is last, because wagmi does not reconnect again on a page where reconnecting threw.
it("reports a wallet that cannot be restored, and leaves the visitor disconnected", async () => {
  const config = configOf();
  const failure = new Error("the wallet is out of order");
  for (const connector of config.connectors) vi.spyOn(connector, "isAuthorized").mockRejectedValue(failure);
  renderIsland(config);
  expect(shown).toEqual(reconnecting);
  await reconnectRecent(config);
  act(() => setAuthentication("authenticated"));
  expect(reportError).toHaveBeenCalledWith("wallet", failure);
  expect(getAccount(config).status).toBe("disconnected");
  expect(shown).toMatchObject({ status: "disconnected", address: null });
});
