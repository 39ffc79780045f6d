import { Counter, type Registry } from "prom-client";

/** Who called a node: this server itself, or a visitor's wallet through `/rpc`. */
export type NodeCaller = "server" | "wallet";

export interface NodeFailures {
  note(chainId: number, url: string, caller: NodeCaller): void;
  register(registry: Registry): void;
}

/** Counts calls that a chain's node did not answer. A label is the node's host alone, because URLs may hold keys. */
export function createNodeFailures(chains: readonly { chainId: number; rpcUrls: readonly string[] }[]): NodeFailures {
  const failures = new Counter({
    name: "aqua_rpc_errors_total",
    help: "Calls that a chain's node did not answer, or answered with an error of its own",
    labelNames: ["chain_id", "host", "caller"],
    registers: [],
  });
  const labels = (chainId: number, url: string, caller: NodeCaller) => ({
    chain_id: chainId,
    host: new URL(url).host,
    caller,
  });
  for (const { chainId, rpcUrls } of chains) {
    for (const url of rpcUrls)
      for (const caller of ["server", "wallet"] as const) failures.inc(labels(chainId, url, caller), 0);
  }
  return {
    note: (chainId, url, caller) => failures.inc(labels(chainId, url, caller)),
    register: (registry) => registry.registerMetric(failures as never),
  };
}
