import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { waitForTransactionReceipt } from "viem/actions";
import { expect, it } from "vitest";
import { createConfig, custom } from "wagmi";
import { mainnet } from "wagmi/chains";
import { getPublicClient } from "../../src/wallet/connect/public-client.ts";

const hash = `0x${"a".repeat(64)}` as const;

it("getPublicClient returns a client that waits for a receipt as the kit does", async () => {
  const answers: Record<string, unknown> = {
    eth_blockNumber: "0x5",
    eth_getTransactionReceipt: { transactionHash: hash, blockNumber: "0x4", status: "0x1", logs: [] },
  };
  const request = async ({ method }: { method: string }) => answers[method] ?? null;
  const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: custom({ request }) } });
  const client = getPublicClient(config);
  expect(await waitForTransactionReceipt({ ...client, uid: "rk-transactions" }, { hash })).toMatchObject({
    status: "success",
  });
});

it("the kit uses getPublicClient only to pass its client to that action", () => {
  const kit = readFileSync(createRequire(import.meta.url).resolve("@rainbow-me/rainbowkit"), "utf8");
  expect(kit.match(/.*PublicClient\(.*/g)?.map((line) => line.trim())).toEqual(["const provider = usePublicClient();"]);
  expect(kit.match(/.*\btransactionProvider\b.*/g)?.map((line) => line.trim())).toEqual([
    "let transactionProvider;",
    "transactionProvider = getTransactionProvider(newProvider);",
    "transactionProvider,",
  ]);
  expect(kit).toMatch(/waitForTransactionReceipt\(\s*transactionProvider,/);
});
