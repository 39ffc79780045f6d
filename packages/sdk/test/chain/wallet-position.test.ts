import { expect, it } from "vitest";
import type { ChainClient } from "../../src/chain/client.ts";
import type { ProductTerms } from "../../src/chain/product-terms.ts";
import { readWallet } from "../../src/chain/wallet-position.ts";

const account = `0x${"4".repeat(40)}` as const;

const clientOf = (balance: bigint, code: string | undefined) =>
  ({
    getBlock: async () => ({ number: 7n, timestamp: 1n }),
    readContract: async ({ functionName }: { functionName: string }) => (functionName === "statusOf" ? 1 : 5n),
    getBalance: async () => balance,
    getCode: async () => code,
    getGasPrice: async () => 1n,
  }) as unknown as ChainClient;

it.each([
  ["a key without coins", 0n, undefined, true],
  ["a key with coins", 1n, undefined, false],
  ["a contract wallet without coins, whose executor pays", 0n, "0x6080", false],
  ["a key that acts by a contract (EIP-7702), which may be sponsored", 0n, `0xef0100${"1".repeat(40)}`, false],
])("readWallet finds whether the network fee can be paid: %s", async (_, balance, code, noGas) => {
  const { wallet } = await readWallet(clientOf(balance, code), {} as ProductTerms, account);
  expect(wallet).toMatchObject({ block: 7, status: "verified", assetBalance: 5n, noGas });
});
