import { ExecutionRevertedError, HttpRequestError } from "viem";
import { afterEach, expect, it } from "vitest";
import type { ChainClient } from "../../src/chain/client.ts";
import type { ProductTerms } from "../../src/chain/product-terms.ts";
import { readTermPosition } from "../../src/chain/term-position.ts";

const owner = "0x4444444444444444444444444444444444444444";
const deposit = {
  principal: 1_000n,
  openedAt: 1_000n,
  maturity: 2_000n,
  termId: 0n,
  status: 0n,
  roll: 2n,
  rollTermId: 1n,
};
/** An Error is thrown. */
const answers: Record<string, unknown> = {
  limits: [0n, 0n, 0n],
  books: { cash: 0n, deployed: 0n, liabilities: 0n, reserved: 0n, claims: 1n },
  termOf: { count: 1, unit: 0, rate: 1n, breakRate: 0n, penalty: 0n, open: true, cap: 0n, principal: 0n },
  receiptOf: [deposit, 600n],
  ownerOf: owner,
  claimable: 14n,
};

const client = {
  readContract: async ({ functionName }: { functionName: string }) => {
    const answer = answers[functionName] ?? 0n;
    if (answer instanceof Error) throw answer;
    return answer;
  },
  getBlock: async () => ({ number: 5n, timestamp: 1n }),
  getBalance: async () => 0n,
  getCode: async () => undefined,
  getGasPrice: async () => 1n,
} as unknown as ChainClient;

afterEach(() => {
  answers.ownerOf = owner;
});

it("a receipt is read with the amount it has drawn in a winding down", async () => {
  const { receipt } = await readTermPosition(client, {
    product: {} as ProductTerms,
    account: owner,
    terms: [],
    receipt: 7n,
  });
  const expected = { id: 7n, owner, principal: 1_000n, paid: 600n, claimable: 14n, roll: "all", rollTermId: 1 };
  expect(receipt).toMatchObject(expected);
});

it("a receipt without an owner is closed, and one whose owner is not known is none", async () => {
  const read = () => readTermPosition(client, { product: {} as ProductTerms, account: owner, terms: [], receipt: 7n });
  answers.ownerOf = new ExecutionRevertedError({});
  expect((await read()).receipt).toMatchObject({ id: 7n, owner: null });
  answers.ownerOf = new HttpRequestError({ url: "http://node" });
  await expect(read()).rejects.toThrow("HTTP request failed");
});
