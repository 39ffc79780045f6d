import { describe, expect, it } from "vitest";
import { truncateEmail, variantFor } from "../../src/features/wallet-dialog/variant.ts";
import { connected, linked, makeAccount, other } from "./account.ts";

describe("what the wallet dialog offers", () => {
  it("is to register or log in for a visitor", () => {
    expect(variantFor(null, connected)).toEqual({ kind: "visitor" });
  });

  it.each(["unverified", "pending", "rejected", "expired"] as const)(
    "is to verify for a %s account",
    (identity_status) => {
      expect(variantFor(makeAccount({ identity_status, wallets: [linked(other)] }), connected)).toEqual({
        kind: "verify",
      });
    },
  );

  it("is to switch for a verified account, from the first bound wallet", () => {
    const wallets = [linked(other), linked("0x90F79bf6EB2c4f870365E785982E1f101E93b906", false)];
    expect(variantFor(makeAccount({ wallets }), connected)).toEqual({
      kind: "switch",
      email: "ada@example.org",
      linked: other,
    });
  });

  it("is to link where no wallet is bound, or only former ones", () => {
    for (const wallets of [[], [linked(other, false)], [linked(connected, false)]])
      expect(variantFor(makeAccount({ wallets }), connected)).toEqual({ kind: "link", email: "ada@example.org" });
  });

  it("is nothing when the connected wallet is the account's, in any letter case", () => {
    expect(variantFor(makeAccount({ wallets: [linked(connected.toLowerCase())] }), connected)).toBeNull();
  });
});

describe("an e-mail in the dialog", () => {
  it("is cut after 20 characters, with an ellipsis only where something is cut", () => {
    expect(truncateEmail("twenty@characters.co")).toBe("twenty@characters.co");
    expect(truncateEmail("twentyone@character.s")).toBe("twentyone@character.…");
    expect(truncateEmail("a@b.c")).toBe("a@b.c");
  });

  it("is never cut within a surrogate pair", () => {
    expect(truncateEmail("😀".repeat(21))).toBe(`${"😀".repeat(20)}…`);
  });
});
