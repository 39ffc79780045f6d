import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dismissOffer, isOfferDismissed } from "../../src/features/wallet-dialog/dismissed.ts";
import { store } from "../../src/stored-session.ts";

const one = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const other = "0x00000000000000000000000000000000000000A1";

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 23, 59) });
});
afterEach(() => vi.useRealTimers());

describe("a dismissed offer for a new wallet", () => {
  it("stays dismissed for that wallet today, in any letter case", () => {
    dismissOffer(one);
    expect(isOfferDismissed(one.toLowerCase() as typeof one)).toBe(true);
  });

  it("returns for another wallet, and the first stays dismissed beside it", () => {
    dismissOffer(one);
    expect(isOfferDismissed(other)).toBe(false);
    dismissOffer(other);
    expect([isOfferDismissed(one), isOfferDismissed(other)]).toEqual([true, true]);
  });

  it("returns on another day", () => {
    dismissOffer(one);
    vi.setSystemTime(new Date(2026, 10, 24, 0, 1));
    expect(isOfferDismissed(one)).toBe(false);
  });

  it("returns once logged in, when the options differ", () => {
    dismissOffer(one);
    store({ token: "t-1", email: "ada@example.org" });
    expect(isOfferDismissed(one)).toBe(false);
    dismissOffer(one);
    expect(JSON.stringify({ ...localStorage, email: "" })).not.toContain("ada@example.org");
  });

  it("returns when the stored value cannot be read", () => {
    localStorage.setItem("aqua.dismissedWallets", "{");
    expect(isOfferDismissed(one)).toBe(false);
  });
});
