import { act, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { FollowOnceConnected } from "../../src/wallet/island/following.tsx";
import { prefetchIsland, WalletIslandRoot } from "../../src/wallet/lazy/island.tsx";

const { prepare, account, reportError } = vi.hoisted(() => ({
  prepare: vi.fn(async () => ({})),
  account: { address: undefined as string | undefined },
  reportError: vi.fn(),
}));
vi.mock("../../src/wallet/island/entry.tsx", () => ({ prepare, Island: () => "the island" }));
vi.mock("wagmi", () => ({ useAccount: () => account }));
vi.mock("../../src/report-error.ts", () => ({ reportError }));

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A page whose code to follow transactions is loaded by `load`. */
async function page(load: () => object) {
  vi.resetModules();
  vi.doMock("../../src/wallet/island/follow.ts", load);
  const { FollowOnceConnected: Component } = await import("../../src/wallet/island/following.tsx");
  return Component satisfies typeof FollowOnceConnected as typeof FollowOnceConnected;
}

afterEach(() => {
  account.address = undefined;
  vi.useRealTimers();
});

it("the page prepares the wallet's configuration with its code, and mounts nothing before a press", async () => {
  const { container } = render(<WalletIslandRoot />);
  prefetchIsland();
  await vi.waitFor(() => expect(prepare).toHaveBeenCalledTimes(1));
  await vi.dynamicImportSettled();
  expect(container.textContent).toBe("");
});

it("the page follows transactions from the first connected wallet on, also after it is disconnected", async () => {
  const load = vi.fn(() => ({ default: () => "follows" }));
  const Follow = await page(load);
  const { container, rerender } = render(<Follow />);
  await vi.dynamicImportSettled();
  expect(load).not.toHaveBeenCalled();
  account.address = address;
  rerender(<Follow />);
  await vi.waitFor(() => expect(container.textContent).toBe("follows"));
  account.address = undefined;
  rerender(<Follow />);
  expect(container.textContent).toBe("follows");
});

it("the page reports why transactions are not followed, and retries until they are", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const error = new Error("error loading dynamically imported module");
  const load = vi.fn<() => object>(() => ({ default: () => "follows" }));
  load.mockImplementationOnce(() => {
    throw error;
  });
  const Follow = await page(load);
  account.address = address;
  const { container } = render(<Follow />);
  await vi.dynamicImportSettled();
  expect(reportError).toHaveBeenCalledTimes(1);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  await vi.dynamicImportSettled();
  await act(async () => undefined);
  expect(load).toHaveBeenCalledTimes(2);
  expect(container.textContent).toBe("follows");
});
