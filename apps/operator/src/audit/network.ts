import { network } from "@aqua/sdk/api/network";
import { compare } from "@aqua/sdk/audit/compare";
import type { View } from "@aqua/sdk/audit/view";
import { type Address, getAddress, isAddress, type PublicClient } from "viem";
import { CommandError } from "../api.ts";
import { type AuditedChain, identityRegistryOf } from "./chain.ts";
import type { BlockFinding, Checked } from "./check.ts";
import type { Site } from "./site.ts";

/** A site that says it is current may be so far behind its chain. */
const MAX_LAG_MS = 10 * 60_000;

/** What a site says of a chain, and the registry that is believed. */
export interface NamedChain {
  chainId: number;
  namedRegistry: Address;
  registry: Address;
  identityRegistry: Address;
  anchor: Address | null;
  head: { block: number; time: number; stale: boolean } | null;
}

/**
 * The chains of a site. `registries` are product registries that the caller trusts, in the order of the chains; the
 * site's own are believed otherwise.
 * @throws CommandError if the site is none of ours
 */
export async function networkOf(site: Site, registries: readonly Address[]): Promise<NamedChain[]> {
  const { data } = await site.ask("network");
  const read = network.safeParse(data);
  if (!read.success) throw new CommandError("this site does not answer as an Aqua server does");
  if (read.data.chains.length === 0) throw new CommandError("this site has no products on any chain");
  const summary = await site.ask("transparency/summary");
  const { contracts = [] } = (summary.data ?? {}) as {
    contracts?: { chain_id: number; role: string; address: string }[];
  };
  return read.data.chains.map(({ chain_id, identity_registry, product_registry, head }, index) => {
    const anchor = contracts.find((one) => one.chain_id === chain_id && one.role === "telemetry_anchor")?.address;
    return {
      chainId: chain_id,
      namedRegistry: product_registry as Address,
      registry: registries[index] ?? (product_registry as Address),
      identityRegistry: identity_registry as Address,
      anchor: anchor !== undefined && isAddress(anchor, { strict: false }) ? anchor : null,
      head,
    };
  });
}

/** Compares what the site says of its chains with the chains. */
export async function checkNetwork(
  named: readonly NamedChain[],
  from: {
    clients: ReadonlyMap<number, PublicClient>;
    chains: readonly AuditedChain[];
    views: readonly View[];
  },
): Promise<Checked> {
  let count = 0;
  const findings: BlockFinding[] = [];
  for (const [index, one] of named.entries()) {
    const path = `network.chains[${index}]`;
    const view = from.views[index];
    const chain = from.chains[index];
    if (!view || !chain) continue;
    const told = { product_registry: one.namedRegistry, identity_registry: one.identityRegistry };
    const [product] = view.products;
    const client = from.clients.get(one.chainId);
    const asked = product && client && (await identityRegistryOf(client, product.product.address));
    const expected = { product_registry: getAddress(one.registry), identity_registry: asked ?? one.identityRegistry };
    const comparisons = [compare(path, expected, told), await compareHead(path, one, chain)];
    for (const comparison of comparisons) {
      count += comparison.count;
      findings.push(...comparison.findings.map((finding) => ({ ...finding, block: view.block })));
    }
  }
  return { count, findings, rest: [] };
}

/** A site that is behind its chain must say so, and the time of its block is that of the chain. */
async function compareHead(path: string, { head }: NamedChain, chain: AuditedChain) {
  if (head === null) return compare(`${path}.head`, "a block", null);
  const view = await chain.viewAt(head.block);
  const newest = await chain.head();
  const isBehind = newest.time * 1_000 - head.time > MAX_LAG_MS;
  return compare(
    `${path}.head`,
    { time: view === null ? null : view.time * 1_000, ...(isBehind ? { stale: true } : {}) },
    head,
  );
}
