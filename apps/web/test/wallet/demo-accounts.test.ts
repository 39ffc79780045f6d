import { beforeEach, expect, test } from "vitest";
import { demoAccount, holderOf, ownAccount } from "../../src/wallet/demo/accounts.ts";

beforeEach(() => localStorage.clear());

test("this browser's account is generated once and found again", () => {
  const made = ownAccount().address;
  expect(ownAccount().address).toBe(made);
  expect(holderOf(made.toLowerCase() as `0x${string}`).address).toBe(made);
  localStorage.clear();
  expect(ownAccount().address).not.toBe(made);
});

test("an invalid key in the browser's storage is replaced", () => {
  localStorage.setItem("aqua-demo-wallet.key", "0x1234");
  expect(ownAccount().address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(localStorage.getItem("aqua-demo-wallet.key")).toMatch(/^0x[0-9a-f]{64}$/);
});

test("an account the wallet no longer has signs nothing: 4100", () => {
  expect(holderOf(demoAccount().address)).toBe(demoAccount());
  expect(() => holderOf("0x5555555555555555555555555555555555555555")).toThrow("does not hold");
});
