import { type AquaChain, allChains } from "@aqua/sdk/chains";
import type { Chain } from "@rainbow-me/rainbowkit";
import { type HttpTransport, http } from "viem";
import { mainnet } from "viem/chains";
import { rpcUrl } from "../rpc-url.ts";

const svg = (body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">${body}</svg>`)}`;

/** Icons for chains that the kit has no icon for: plain letters in circles, not the networks' logos. */
const icons: Record<number, { iconUrl: string; iconBackground: string }> = {
  133: {
    iconUrl: svg(
      '<circle cx="14" cy="14" r="14" fill="#4B5FB8"/><path d="M9 8v12M19 8v12M9 14h10" stroke="#fff" stroke-width="2.6" fill="none"/>',
    ),
    iconBackground: "#4B5FB8",
  },
  300: {
    iconUrl: svg(
      '<circle cx="14" cy="14" r="14" fill="#8F4A9B"/><path d="M8 11h9l-3-3M20 17h-9l3 3" stroke="#fff" stroke-width="2.4" fill="none"/>',
    ),
    iconBackground: "#8F4A9B",
  },
  31337: {
    iconUrl: svg(
      '<circle cx="14" cy="14" r="14" fill="#006C7A"/><path d="M5 12c3-3 6-3 9 0s6 3 9 0M5 18c3-3 6-3 9 0s6 3 9 0" stroke="#fff" stroke-width="2.2" fill="none"/>',
    ),
    iconBackground: "#006C7A",
  },
};

function toKitChain(chain: AquaChain): Chain {
  return {
    id: chain.id,
    name: chain.name,
    nativeCurrency: chain.native,
    // All nodes are reached through our own server, so that third parties do not learn the visitor's addresses. Our
    // server knows them anyway.
    rpcUrls: { default: { http: [rpcUrl(chain.id)] } },
    testnet: chain.testnet,
    // The kit resolves ENS names on mainnet if mainnet is served.
    ...(chain.id === mainnet.id ? { contracts: { ensUniversalResolver: mainnet.contracts.ensUniversalResolver } } : {}),
    ...(chain.explorer === null ? {} : { blockExplorers: { default: { name: "Explorer", url: chain.explorer } } }),
    ...icons[chain.id],
  };
}

/**
 * The specification's chains that this server serves, in the specification's order. Chains with our contracts come
 * first, and the kit moves a wallet that is on no served chain to the first of them. Chains with only a node follow.
 * Chains without a proxy are left out, since every read would fail. Throws RangeError if no chain is supported.
 */
export function servedChains(withContracts: readonly number[], nodeOnly: readonly number[]): [Chain, ...Chain[]] {
  const supported = (ids: readonly number[]) => allChains.filter((chain) => ids.includes(chain.id)).map(toKitChain);
  const [first, ...others] = [...supported(withContracts), ...supported(nodeOnly)];
  if (first === undefined) throw new RangeError("The server serves no chain that this app supports");
  return [first, ...others];
}

/**
 * The number of calls per batch. A panel's whole read fits into one batch. The server accepts batches of 50, and some
 * calls count more than others.
 */
const batchSize = 25;

export function transportsFor(chains: readonly Chain[]): Record<number, HttpTransport> {
  const options = { retryCount: 1, batch: { batchSize } };
  return Object.fromEntries(chains.map((chain) => [chain.id, http(rpcUrl(chain.id), options)]));
}
