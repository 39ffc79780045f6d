import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";

async function freshPage() {
  vi.resetModules();
  return import("../../src/wallet/store.ts");
}
const shownOn = ({ useWallet }: Awaited<ReturnType<typeof freshPage>>) => renderHook(useWallet).result.current;
const connected = {
  status: "connected",
  address: "0x4444444444444444444444444444444444444444",
  chainId: 31337,
} as const;

beforeEach(() => localStorage.clear());

test("a first visitor is disconnected, a returning one reconnecting until the island is loaded", async () => {
  expect(shownOn(await freshPage()).status).toBe("disconnected");
  localStorage.setItem("wagmi.recentConnectorId", '"org.aqua.demo"');
  expect(shownOn(await freshPage())).toEqual({ status: "reconnecting", address: null, chainId: null });
});

test("a change notifies once, the same value not at all", async () => {
  const store = await freshPage();
  const render = vi.fn(() => store.useWallet());
  const { result, unmount } = renderHook(render);
  act(() => store.setWallet(connected));
  act(() => store.setWallet({ ...connected }));
  expect(render).toHaveBeenCalledTimes(2);
  expect(result.current).toEqual(connected);
  unmount();
  store.clearWallet();
  expect(render).toHaveBeenCalledTimes(2);
  expect(shownOn(store).status).toBe("disconnected");
});

test("unreadable storage counts as a first visit", async () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  expect(shownOn(await freshPage()).status).toBe("disconnected");
});
