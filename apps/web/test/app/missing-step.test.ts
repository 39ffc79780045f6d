import { expect, it } from "vitest";
import { missingStep } from "../../src/features/home/missing-step.ts";
import { connected, linked, makeAccount, other } from "../wallet-dialog/account.ts";

const label = (...parts: Parameters<typeof missingStep>) => missingStep(...parts)?.label ?? null;

it("missingStep asks a visitor with an unlinked wallet to log in, and a visitor with a linked wallet for nothing", () => {
  expect(label(null, null, false)).toBeNull();
  expect(label(null, connected, false)).toBe("shell.logIn");
  expect(label(null, connected, true)).toBeNull();
});

it("missingStep asks an unverified account to verify, with and without a wallet", () => {
  for (const address of [null, connected])
    for (const identity_status of ["unverified", "rejected", "expired"] as const)
      expect(label(makeAccount({ identity_status }), address, false)).toBe("home.cta.verify");
  expect(label(makeAccount({ identity_status: "pending" }), null, false)).toBe("home.cta.checking");
});

it("missingStep asks a verified account to link a wallet that is not its own", () => {
  expect(label(makeAccount(), null, false)).toBeNull();
  expect(label(makeAccount(), connected, false)).toBe("home.cta.link");
  expect(label(makeAccount({ wallets: [linked(other), linked(connected, false)] }), connected, true)).toBe(
    "home.cta.link",
  );
  expect(label(makeAccount({ wallets: [linked(connected)] }), connected.toLowerCase(), true)).toBeNull();
});

it("missingStep asks for nothing while the account is loading", () => {
  expect(missingStep(undefined, connected, false)).toBeNull();
});
