import { expect, it } from "vitest";
import { createConfig, custom } from "wagmi";
import { mainnet } from "wagmi/chains";
import { getPublicClient } from "../../src/wallet/connect/public-client.ts";

const hash = `0x${"a".repeat(64)}` as const;

it("waits for the receipt of a transaction, the one action that the kit asks of it", async () => {
  const answers: Record<string, unknown> = {
    eth_blockNumber: "0x5",
    eth_getTransactionReceipt: { transactionHash: hash, blockNumber: "0x4", status: "0x1", logs: [] },
  };
  const request = async ({ method }: { method: string }) => answers[method] ?? null;
  const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: custom({ request }) } });
  const client = getPublicClient(config);
  expect(await client?.waitForTransactionReceipt({ hash })).toMatchObject({ status: "success" });
});

it("has no client of a chain that is not served", () => {
  const config = createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: custom({ request: async () => null }) },
  });
  expect(getPublicClient(config, { chainId: 5 as 1 })).toBeUndefined();
});
