import { beforeEach, expect, test, vi } from "vitest";

async function freshPage() {
  vi.resetModules();
  return import("../../src/wallet/store.ts");
}
const connected = {
  status: "connected",
  address: "0x4444444444444444444444444444444444444444",
  chainId: 31337,
} as const;

beforeEach(() => localStorage.clear());

test("a first visitor is disconnected, a returning one reconnecting until the island is loaded", async () => {
  expect((await freshPage()).getWallet().status).toBe("disconnected");
  localStorage.setItem("wagmi.recentConnectorId", '"org.aqua.demo"');
  expect((await freshPage()).getWallet()).toEqual({ status: "reconnecting", address: null, chainId: null });
});

test("a change notifies once, the same value not at all", async () => {
  const store = await freshPage();
  const listener = vi.fn();
  const stop = store.subscribeWallet(listener);
  store.setWallet(connected);
  store.setWallet({ ...connected });
  expect(listener).toHaveBeenCalledOnce();
  expect(store.getWallet()).toEqual(connected);
  stop();
  store.clearWallet();
  expect(listener).toHaveBeenCalledOnce();
  expect(store.getWallet().status).toBe("disconnected");
});

test("unreadable storage counts as a first visit", async () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  expect((await freshPage()).getWallet().status).toBe("disconnected");
});
