import type { Network } from "@aqua/sdk/api/network";
import { localChain } from "@aqua/sdk/chains";
import type { Wallet } from "@rainbow-me/rainbowkit";
import { type Config, createConfig, createStorage } from "wagmi";
import { getAccount } from "wagmi/actions";
import { local } from "../../browser-storage.ts";
import { callsOver, connection } from "../../connection.ts";
import { filterAnnouncements } from "./announcements.ts";
import { servedChains, transportsFor } from "./chains.ts";
import { inPageWallet } from "./in-page.ts";
import { lacksWalletConnect, walletConnectors } from "./wallets.ts";

export const appName = "Aqua";

export interface IslandSetup {
  config: Config;
  network: Network;
  /** True if wallets of the list are missing because no WalletConnect project is configured. */
  lacksWalletConnect: boolean;
}

let preparing: Promise<IslandSetup> | null = null;

/** Reads the instance's chains and builds the wallet configuration once. After a failure it can be called again. */
export function prepareIsland(): Promise<IslandSetup> {
  preparing ??= build().catch((error: unknown) => {
    preparing = null;
    throw error;
  });
  return preparing;
}

async function build(): Promise<IslandSetup> {
  const network = await callsOver(connection).network();
  const served = network.chains.map((chain) => chain.chain_id);
  const chains = servedChains(served, network.node_chains);
  filterAnnouncements();
  // Announced before the configuration discovers wallets, so that the demo wallet of a returning visitor is found at
  // once.
  const others: Wallet[] = [];
  if (__DEMO__ && served.includes(localChain.id)) {
    const { announceDemoWallet } = await import("../demo/announce.ts");
    const { id, name, icon, provider } = announceDemoWallet();
    // On phones the kit shows no announced wallets, so this row is needed. On wide screens the announced wallet
    // replaces it.
    others.push(inPageWallet({ id, rdns: id, name, iconUrl: icon, iconBackground: "#006C7A" }, provider));
  }
  const config: Config = createConfig({
    chains,
    transports: transportsFor(chains),
    storage: createStorage({ storage: { getItem: local.get, setItem: local.set, removeItem: local.remove } }),
    connectors: walletConnectors({
      projectId: network.walletconnect_project_id,
      appName,
      others,
      isReconnecting: () => getAccount(config).isReconnecting,
    }),
  });
  return { config, network, lacksWalletConnect: lacksWalletConnect(network.walletconnect_project_id) };
}
