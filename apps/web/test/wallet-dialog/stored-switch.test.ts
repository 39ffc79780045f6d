import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { connected, other } from "./account.ts";

const kept = { from: other, to: connected, message: "m", signature: "0x12", expires: 1 } as const;

/** The module as after a page load. */
async function load() {
  vi.resetModules();
  return import("../../src/features/wallet-dialog/stored-switch.ts");
}
afterEach(() => sessionStorage.clear());

it("a stored switch survives a reload, in any letter case of the wallets, until it is deleted", async () => {
  (await load()).storeSwitch(kept);
  const { useStoredSwitch: useKeptSwitch, dropSwitch } = await load();
  const { result } = renderHook(() => useKeptSwitch(other.toLowerCase(), connected));
  expect(result.current).toEqual(kept);
  act(() => dropSwitch());
  expect(result.current).toBeNull();
  expect(renderHook(() => useKeptSwitch(other, connected)).result.current).toBeNull();
});

it("a stored switch is returned for its two wallets only", async () => {
  const { storeSwitch: keepSwitch, useStoredSwitch: useKeptSwitch } = await load();
  keepSwitch(kept);
  expect(renderHook(() => useKeptSwitch(connected, other)).result.current).toBeNull();
});

it("a stored switch is null when the stored value is something else", async () => {
  for (const text of ["{", "null", '{"from":"0x"}', '"0x"']) {
    sessionStorage.setItem("aqua.switch", text);
    const { useStoredSwitch: useKeptSwitch } = await load();
    expect(renderHook(() => useKeptSwitch(other, connected)).result.current).toBeNull();
  }
});
