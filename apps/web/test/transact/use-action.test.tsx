import type { ActionStage, Report } from "@aqua/sdk/chain/transaction";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { queryKeys } from "../../src/features/query-keys.ts";
import { reasonText } from "../../src/features/transact/progress/failure-reasons.ts";
import { useAction } from "../../src/features/transact/progress/use-action.ts";
import { storeTransaction, type TrackedTransaction } from "../../src/wallet/transactions.ts";
import { answerCalls, data } from "../account/harness.tsx";

const address = "0x4444444444444444444444444444444444444444";
const other = "0x5555555555555555555555555555555555555555";
const hash = `0x${"a".repeat(64)}` as const;

const pending: TrackedTransaction = {
  id: hash,
  hash,
  scope: "solar",
  chainId: 31337,
  address,
  nonce: 1,
  kind: "deposit",
  shortId: "solar",
  amount: "1.000000",
  symbol: "tUSD",
  assetDecimals: 6,
  shareDecimals: 12,
  shares: null,
  description: "Deposit",
  stage: "pending",
  sentAt: 1,
  block: null,
  reason: null,
  replacedBy: null,
  facts: {},
};

type Props = { owner: `0x${string}` | null };
function mount(owner: `0x${string}` | null, queries = new QueryClient()) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  return renderHook(
    ({ owner }: Props) => useAction({ scope: "solar", shortId: "solar", chainId: 31337, address: owner }),
    { wrapper, initialProps: { owner } },
  );
}

beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null }));
});

test("a pending transaction is followed to its end after a reload, once the wallet is restored", () => {
  storeTransaction(pending);
  const { result, rerender } = mount(null);
  expect(result.current.transaction).toBeNull();
  rerender({ owner: address });
  expect(result.current.transaction?.hash).toBe(hash);
  expect(result.current.busy).toBe(true);
  act(() => storeTransaction({ ...pending, stage: "confirmed", block: 5 }));
  expect(result.current.transaction?.stage).toBe("confirmed");
  expect(result.current.busy).toBe(false);
  act(() => result.current.dismiss());
  expect(result.current.transaction).toBeNull();
});

test("another wallet does not see the first one's transaction", () => {
  storeTransaction(pending);
  const { result, rerender } = mount(address);
  expect(result.current.transaction?.hash).toBe(hash);
  rerender({ owner: other });
  expect(result.current.transaction).toBeNull();
});

test("another part of the page does not show the transaction", () => {
  storeTransaction({ ...pending, scope: "solar/claim" });
  expect(mount(address).result.current.transaction).toBeNull();
});

test("a second press during a wallet prompt starts nothing", async () => {
  const { result } = mount(address);
  let answer: (stage: ActionStage) => void = () => undefined;
  const asking = (report: Report) => {
    report({ stage: "signing", what: "transaction" });
    return new Promise<ActionStage>((resolve) => {
      answer = resolve;
    });
  };
  let first: Promise<boolean> = Promise.resolve(true);
  act(() => {
    first = result.current.start(asking);
  });
  expect(result.current.busy).toBe(true);
  expect(await result.current.start(asking)).toBe(false);
  await act(async () => {
    answer({ stage: "idle" });
    expect(await first).toBe(false);
  });
});

const missing = new TypeError("Failed to fetch dynamically imported module");
test.each([
  ["wallet code that cannot be loaded is reported as a failure", missing, [missing]],
  ["a server that does not say which chains there are is a failure, and no fault of this app", null, []],
])("%s", async (_, error, faults) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
  const { result } = mount(address);
  await act(() => result.current.start(() => Promise.reject(error)));
  expect(result.current.stage).toEqual({ stage: "failed", reason: { code: "walletUnreachable", values: {} } });
  expect(reasonText({ code: "walletUnreachable", values: {} }, "tUSD")).toBe(
    "The wallet did not answer. Check your connection and try again.",
  );
  expect(result.current.busy).toBe(false);
  expect(log.mock.calls).toEqual(faults.map((fault) => [fault]));
  await vi.dynamicImportSettled();
});

test("the data on which an action failed is read again, so that the next press does not fail for the same reason", async () => {
  const queries = new QueryClient();
  const key = [...queryKeys.account(address), "position"];
  queries.setQueryData(key, 1);
  const { result } = mount(address, queries);
  const reason = { code: "overWithdrawable", values: {} };
  await act(async () => void (await result.current.start(async () => ({ stage: "failed", reason }))));
  expect(queries.getQueryState(key)?.isInvalidated).toBe(true);
});

test.each(["with the browser's locks", "without them"])(
  "one action of a wallet runs at a time over all panels, %s",
  async (which) => {
    if (which === "with the browser's locks") {
      const held = new Set<string>();
      const request = async (name: string, _: object, work: (lock: object | null) => Promise<unknown>) => {
        if (held.has(name)) return work(null);
        held.add(name);
        return work({ name }).finally(() => held.delete(name));
      };
      vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { locks: { request } }));
    }
    const [one, two, foreign] = [mount(address), mount(address), mount(other)];
    let finish = (_: ActionStage) => {};
    const prompt = vi.fn((_: Report) => new Promise<ActionStage>((resolve) => (finish = resolve)));
    let first: Promise<boolean> = Promise.resolve(false);
    act(() => {
      first = one.result.current.start(prompt);
    });
    await act(async () => {
      expect(await two.result.current.start(prompt)).toBe(false);
    });
    expect(two.result.current.stage).toEqual({ stage: "failed", reason: { code: "otherAction", values: {} } });
    expect(prompt).toHaveBeenCalledTimes(1);
    // Another wallet can act meanwhile.
    await act(async () => {
      expect(await foreign.result.current.start(async () => ({ stage: "idle" }))).toBe(false);
    });
    expect(foreign.result.current.stage).toEqual({ stage: "idle" });
    await act(async () => {
      finish({ stage: "idle" });
      await first;
    });
    await act(async () => {
      await two.result.current.start(async (report) => {
        report({ stage: "simulating" });
        return { stage: "idle" };
      });
    });
    expect(two.result.current.stage).toEqual({ stage: "simulating" });
    vi.unstubAllGlobals();
  },
);
