import { ExecutionRevertedError, HttpRequestError } from "viem";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Config, createConfig, http, mock } from "wagmi";
import { connect } from "wagmi/actions";
import { mainnet } from "wagmi/chains";
import { followTransactions } from "../../src/wallet/island/follow.ts";
import { getTransactions, nonceUnknown, storeTransaction } from "../../src/wallet/transactions.ts";

const address = `0x${"4".repeat(40)}` as const;
const hash = `0x${"a".repeat(64)}` as const;
const missing = (name: string) => async () => {
  throw Object.assign(new Error("not found"), { name });
};
const { client } = vi.hoisted(() => ({ client: { current: {} as Record<string, unknown> } }));
vi.mock("../../src/wallet/chain/client.ts", () => ({ chainClient: () => client.current }));

let config: Config;
let end: () => void;
beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  client.current = {
    pollingInterval: 2_000,
    getTransactionReceipt: missing("TransactionReceiptNotFoundError"),
    getTransactionCount: async () => 7,
  };
  config = createConfig({
    chains: [mainnet],
    transports: { [mainnet.id]: http("/rpc/1") },
    connectors: [mock({ accounts: [address] })],
    multiInjectedProviderDiscovery: false,
    storage: null,
  });
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error("no connector");
  await connect(config, { connector });
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

/** Follows a transaction for six minutes after it was sent, and returns what is then stored. */
async function afterSixMinutes() {
  storeTransaction({
    ...{ id: hash, hash, scope: "solar", chainId: 31337, address, nonce: nonceUnknown, kind: "deposit" },
    ...{ shortId: "solar", amount: "1.000000", symbol: "tUSD", assetDecimals: 6, shareDecimals: 12, shares: null },
    ...{ description: "Deposit", stage: "pending", sentAt: Date.now(), block: null, reason: null, replacedBy: null },
    facts: {},
  });
  end = followTransactions(config);
  await vi.advanceTimersByTimeAsync(360_000);
  return getTransactions(address)[0];
}

it("a transaction that the node does not have is dropped after 300 seconds", async () => {
  client.current.getTransaction = missing("TransactionNotFoundError");
  expect(await afterSixMinutes()).toMatchObject({ stage: "dropped", nonce: nonceUnknown });
});

it("a node that fails when asked decides nothing about the transaction", async () => {
  client.current.getTransaction = missing("HttpRequestError");
  expect((await afterSixMinutes())?.stage).toBe("pending");
});

it("an error that prevents following a transaction is logged", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ data: {} }));
  const fault = new TypeError("x is undefined");
  client.current = Object.defineProperty({ ...client.current }, "pollingInterval", {
    get: () => {
      throw fault;
    },
  });
  expect((await afterSixMinutes())?.stage).toBe("pending");
  expect(log.mock.calls).toEqual([[fault]]);
  await vi.dynamicImportSettled();
});

it("the nonce is stored once a node has the transaction", async () => {
  client.current.getTransaction = async () => ({ hash, nonce: 7, from: address, to: address, input: "0x", value: 0n });
  expect(await afterSixMinutes()).toMatchObject({ stage: "pending", nonce: 7 });
});

it.each<[string, () => Promise<unknown>, unknown]>([
  [
    "is the contract's",
    () => Promise.reject(new ExecutionRevertedError({})),
    { code: "reverted", values: { detail: "" } },
  ],
  [
    "is not the node's, which does not answer",
    () => Promise.reject(new HttpRequestError({ url: "http://node" })),
    null,
  ],
  ["is not known where the call would have succeeded before", () => Promise.resolve({}), null],
])("the reason of a failed transaction %s", async (_, replayed, reason) => {
  const receipt = { transactionHash: hash, status: "reverted", blockNumber: 9n, logs: [] };
  client.current.getTransactionReceipt = async () => receipt;
  client.current.getTransaction = async () => ({ hash, nonce: 7, from: address, to: address, input: "0x", value: 0n });
  client.current.call = replayed;
  expect(await afterSixMinutes()).toMatchObject({ stage: "failed", block: 9, reason });
});
