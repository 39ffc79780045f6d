import { afterEach, expect, it, vi } from "vitest";
import type { Config } from "wagmi";
import { followOnceConnected } from "../../src/wallet/island/follow-once-connected.ts";
import { island, prefetchIsland } from "../../src/wallet/lazy/island.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";

const { prepare, followTransactions, stop, reportError } = vi.hoisted(() => {
  const stop = vi.fn();
  return {
    prepare: vi.fn(async () => {}),
    followTransactions: vi.fn(() => stop),
    stop,
    reportError: vi.fn(),
  };
});
vi.mock("../../src/wallet/island/entry.tsx", () => ({ prepare, Island: () => null }));
vi.mock("../../src/wallet/island/follow.ts", () => ({ followTransactions }));
vi.mock("../../src/report-error.ts", () => ({ reportError }));

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const config = {} as Config;

afterEach(() => {
  clearWallet();
  vi.clearAllMocks();
});

it("prepares the wallet's configuration with its code, and mounts nothing before a press", async () => {
  prefetchIsland();
  await vi.waitFor(() => expect(prepare).toHaveBeenCalledTimes(1));
  expect(island.get()).toBeNull();
});

it("follows transactions from the first connected wallet on", async () => {
  const end = followOnceConnected(config);
  setWallet({ status: "connecting", address: null, chainId: null });
  await Promise.resolve();
  expect(followTransactions).not.toHaveBeenCalled();
  setWallet({ status: "connected", address, chainId: 1 });
  await vi.waitFor(() => expect(followTransactions).toHaveBeenCalledTimes(1));
  setWallet({ status: "connected", address, chainId: 5 });
  end();
  expect(followTransactions).toHaveBeenCalledTimes(1);
  expect(stop).toHaveBeenCalledTimes(1);
});

it("follows nothing where it is stopped while the code is on its way", async () => {
  const end = followOnceConnected(config);
  setWallet({ status: "connected", address, chainId: 1 });
  end();
  await vi.dynamicImportSettled();
  expect(followTransactions).not.toHaveBeenCalled();
});

it("reports why transactions are not followed, and tries until they are", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const error = new Error("error loading dynamically imported module");
  followTransactions.mockImplementationOnce(() => {
    throw error;
  });
  const end = followOnceConnected(config);
  setWallet({ status: "connected", address, chainId: 1 });
  await vi.dynamicImportSettled();
  expect(reportError.mock.calls).toEqual([["wallet", error]]);
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.dynamicImportSettled();
  expect(followTransactions).toHaveBeenCalledTimes(2);
  end();
  expect(stop).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
