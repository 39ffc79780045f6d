import { afterEach, beforeEach, expect, it, vi } from "vitest";

const original = Object.getOwnPropertyDescriptor(window, "localStorage");

beforeEach(() => vi.resetModules());
afterEach(() => {
  if (original) Object.defineProperty(window, "localStorage", original);
  vi.restoreAllMocks();
  localStorage.clear();
});

function denyStorage() {
  Object.defineProperty(window, "localStorage", {
    configurable: true,
    get() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
  });
}

function fillStorage() {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
}

it.each([
  ["forbids storage", denyStorage],
  ["has no room left", fillStorage],
])("a log-in lasts for this tab if the browser %s, and the visitor is told", async (_, refuse) => {
  refuse();
  const { store, stored, forgetSession } = await import("../src/stored-session.ts");
  const { storageRefused } = await import("../src/browser-storage.ts");
  store({ token: "t-1", email: "ada@example.com" });
  expect([stored("token"), stored("email")]).toEqual(["t-1", "ada@example.com"]);
  expect(storageRefused.get()).toBe(true);
  forgetSession();
  expect(stored("token")).toBeNull();
});

it("BrowserStorage preserves stored data after the browser has run out of space", async () => {
  localStorage.setItem("app-language", "fr-FR");
  const { local, storageRefused } = await import("../src/browser-storage.ts");
  expect(storageRefused.get()).toBe(false);
  fillStorage();
  local.set("token", "t-1");
  expect(local.keys().sort()).toEqual(["app-language", "token"]);
  expect(local.get("app-language")).toBe("fr-FR");
  // Libraries that use the browser's own storage also work again.
  vi.restoreAllMocks();
  localStorage.setItem("rk-recent", "[]");
  expect(local.get("rk-recent")).toBe("[]");
});

it("the wallet's configuration is built if the browser forbids storage", async () => {
  denyStorage();
  const { local } = await import("../src/browser-storage.ts");
  const { createConfig, createStorage, http } = await import("wagmi");
  const { localhost } = await import("viem/chains");
  const storage = createStorage({ storage: { getItem: local.get, setItem: local.set, removeItem: local.remove } });
  const config = createConfig({ chains: [localhost], transports: { [localhost.id]: http() }, storage });
  await config.storage?.setItem("recentConnectorId", "org.aqua.demo");
  expect(await config.storage?.getItem("recentConnectorId")).toBe("org.aqua.demo");
});
