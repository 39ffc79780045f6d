import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "@aqua/sdk/durations";
import type { Hex, PublicClient } from "viem";
import { accountOf } from "../accountKey.ts";
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
const ANSWER_MS = 3_000;

export interface PayingChain {
  chainId: number;
  client: PublicClient;
  deployment: unknown;
}

export interface PayingKeys {
  /** Returns the last figures at once, and asks the nodes for new ones a minute after the last time. */
  last(): readonly PayingKey[];
  /** Asks the nodes. A node that does not answer in time leaves the last figure. */
  refresh(): Promise<readonly PayingKey[]>;
}

/** The keys of the settings, on every chain with contracts. */
export function createPayingKeys(
  { attesterKey, anchoring }: Pick<Config, "attesterKey" | "anchoring">,
  chains: readonly PayingChain[],
): PayingKeys {
  const named = [
    ["attester", attesterKey],
    ["anchorer", anchoring.key],
  ] as const;
  const keys = named.flatMap(([name, key]) =>
    key === null
      ? []
      : chains
          .filter(({ deployment }) => deployment !== null)
          .map(({ chainId, client }) => {
            const figure: PayingKey = {
              chainId,
              name,
              address: accountOf(key).address,
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

  async function refresh(): Promise<readonly PayingKey[]> {
    askedAt = performance.now();
    // A failure is counted in `aqua_rpc_errors_total`, and the state of the chain shows it.
    const asked = Promise.all(keys.map((key) => ask(key).catch(() => {})));
    await Promise.race([asked, sleep(ANSWER_MS, undefined, { ref: false })]);
    return keys.map(({ figure }) => figure);
  }

  return {
    refresh,
    last() {
      if (performance.now() - askedAt >= EVERY_MS) void refresh();
      return keys.map(({ figure }) => figure);
    },
  };
}
