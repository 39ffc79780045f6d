import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SwitchFailure } from "../../src/wallet/island/switch-failure.tsx";

const queries = new QueryClient();
const reopen = vi.fn();
const island = () => (
  <QueryClientProvider client={queries}>
    <SwitchFailure open={false} reopen={reopen} />
  </QueryClientProvider>
);

/** Runs a failing network switch of the kit, as a mutation like that of wagmi's hook. */
async function switchThatFails(error: unknown, key = "switchChain") {
  const mutation = queries.getMutationCache().build(queries, {
    mutationKey: [key],
    mutationFn: () => Promise.reject(error),
  });
  await mutation.execute(undefined).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(100);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  reopen.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  queries.clear();
});

it("opens the network dialog again for each switch that the wallet could not make, and logs why", async () => {
  render(island());
  const failure = new Error("Unsupported method");
  await switchThatFails(failure);
  expect(reopen).toHaveBeenCalledTimes(1);
  expect(console.warn).toHaveBeenCalledWith("The wallet did not switch the network", failure);
  await switchThatFails(failure);
  expect(reopen).toHaveBeenCalledTimes(2);
});

it("says nothing of a switch that its owner rejected, and of other calls of the wallet", async () => {
  render(island());
  await switchThatFails(Object.assign(new Error("User rejected"), { code: 4001 }));
  await switchThatFails(new Error("Unsupported method"), "connect");
  expect(reopen).not.toHaveBeenCalled();
});

it("says nothing of a switch that failed before the kit crashed and was mounted again", async () => {
  const { unmount } = render(island());
  await switchThatFails(new Error("Unsupported method"));
  unmount();
  await vi.advanceTimersByTimeAsync(1_000);
  render(island());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reopen).toHaveBeenCalledTimes(1);
});
