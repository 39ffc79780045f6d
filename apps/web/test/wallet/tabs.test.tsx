import { render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { createConfig, http, mock, WagmiProvider } from "wagmi";
import { connect, disconnect, getAccount } from "wagmi/actions";
import { mainnet } from "wagmi/chains";
import { useDisconnectEverywhere } from "../../src/wallet/island/account.ts";

const one = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

function Tab() {
  useDisconnectEverywhere();
  return null;
}

async function tabWith(address: `0x${string}`) {
  const config = createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("/rpc/1") },
    connectors: [mock({ accounts: [address] })],
    multiInjectedProviderDiscovery: false,
    storage: null,
  });
  render(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <Tab />
    </WagmiProvider>,
  );
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error("no connector");
  await connect(config, { connector });
  return config;
}

it("a wallet disconnected in one tab is disconnected in the others, and no other wallet is", async () => {
  const tabs = await Promise.all([tabWith(one), tabWith(one), tabWith(other)]);
  const statuses = () => tabs.map((config) => getAccount(config).status);
  expect(statuses()).toEqual(["connected", "connected", "connected"]);
  await disconnect(tabs[0]);
  await vi.waitFor(() => expect(statuses()).toEqual(["disconnected", "disconnected", "connected"]));
});
