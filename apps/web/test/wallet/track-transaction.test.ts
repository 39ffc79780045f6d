import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { trackTransaction } from "../../src/wallet/track-transaction.ts";

const hash = `0x${"a".repeat(64)}` as const;
const sent = {
  ...({ id: hash, hash, scope: "solar", chainId: 31337, address: `0x${"4".repeat(40)}`, nonce: 7 } as const),
  ...({ kind: "deposit", shortId: "solar", amount: "1.000000", symbol: "tUSD", assetDecimals: 6 } as const),
  ...({ shareDecimals: 12, shares: null, description: "Deposit", stage: "pending", sentAt: 1, block: null } as const),
  ...{ reason: null, replacedBy: null, facts: {} },
};

const addRecentTransaction = vi.hoisted(() => vi.fn());
vi.mock("../../src/wallet/lazy/island.tsx", () => ({ islandControls: async () => ({ addRecentTransaction }) }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("logs a transaction that the server did not accept in three attempts, and why", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const refusal = { error_code: "chain_unavailable", message: "The chain does not answer", request_id: "r" };
  const calls = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async (input) =>
      String(input).includes("client/error") ? Response.json({ data: {} }) : Response.json(refusal, { status: 503 }),
    );
  trackTransaction(sent);
  await vi.advanceTimersByTimeAsync(10_000);
  const message = `Transaction ${hash} was not reported to the server; the portfolio shows it once it is indexed`;
  expect(log.mock.calls).toEqual([[expect.objectContaining({ message, cause: refusal })]]);
  await vi.dynamicImportSettled();
  expect(calls.mock.calls.filter(([url]) => !String(url).includes("client/error"))).toHaveLength(3);
});

it("logs nothing of a transaction that the server accepted at the second attempt", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const calls = vi
    .spyOn(globalThis, "fetch")
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockImplementation(async () => Response.json({ data: {} }));
  trackTransaction(sent);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log).not.toHaveBeenCalled();
  expect(addRecentTransaction).toHaveBeenCalledWith({
    ...{ hash, address: sent.address, chainId: 31337, description: "Deposit" },
  });
  expect(calls).toHaveBeenCalledTimes(2);
});
