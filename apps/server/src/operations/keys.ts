import { MINUTE_MS } from "@aqua/sdk/durations";
import type { Hex, PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Config } from "../config.ts";

/** A key of this server that pays for transactions, on one chain. */
export interface PayingKey {
  chainId: number;
  name: "attester" | "anchorer";
  address: Hex;
  /** Transactions of `GAS` that its account can pay at the node's price. Null until the node has answered. */
  transactionsLeft: number | null;
}

/** More gas than a record or a batch takes. */
const GAS = 300_000n;
const EVERY_MS = MINUTE_MS;

/**
 * The keys that this process pays with. A call returns the last figures at once, and asks the nodes for new ones a
 * minute after the last time. A node that does not answer leaves the last figures.
 */
export function createPayingKeys(
  { attesterKey, anchoring, roles }: Pick<Config, "attesterKey" | "anchoring" | "roles">,
  chains: readonly { chainId: number; client: PublicClient; deployment: unknown }[],
): () => readonly PayingKey[] {
  // Jobs send the transactions.
  const named = roles.includes("jobs")
    ? ([
        ["attester", attesterKey],
        ["anchorer", anchoring.key],
      ] as const)
    : [];
  const keys = named.flatMap(([name, key]) =>
    key === null
      ? []
      : chains
          .filter(({ deployment }) => deployment !== null)
          .map(({ chainId, client }) => {
            const figure: PayingKey = {
              chainId,
              name,
              address: privateKeyToAccount(key).address,
              transactionsLeft: null,
            };
            return { client, figure };
          }),
  );
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask({ client, figure }: (typeof keys)[number]): Promise<void> {
    const [balance, { maxFeePerGas }] = await Promise.all([
      client.getBalance({ address: figure.address }),
      client.estimateFeesPerGas(),
    ]);
    figure.transactionsLeft = Number(balance / (GAS * (maxFeePerGas > 0n ? maxFeePerGas : 1n)));
  }

  return () => {
    if (performance.now() - askedAt >= EVERY_MS) {
      askedAt = performance.now();
      // The failure is counted in `aqua_rpc_errors_total`, and the chain's state says it.
      for (const key of keys) ask(key).catch(() => {});
    }
    return keys.map(({ figure }) => figure);
  };
}
