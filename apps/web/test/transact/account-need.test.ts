import type { BindingReason } from "@aqua/sdk/api/auth";
import { describe, expect, it } from "vitest";
import { accountNeed } from "../../src/features/transact/eligibility/account-need.ts";
import { connected, linked, makeAccount, other } from "../wallet-dialog/account.ts";

const chain = 31337;
const bound = (state: "waiting" | "sent" | "bound" | "failed", reason: BindingReason | null = null) => ({
  ...linked(connected),
  bindings: [{ chain_id: chain, state, hash: null, reason }],
});

describe("what a wallet without a verified record needs", () => {
  it("is an account for a visitor", () => {
    expect(accountNeed(null, connected, chain)).toEqual({ code: "visitor" });
  });

  it("is not shown while the account is loading, or when it cannot be loaded", () => {
    expect(accountNeed("loading", connected, chain)).toEqual({ code: "loading" });
    expect(accountNeed("error", connected, chain)).toEqual({ code: "unavailable" });
  });

  it.each(["unverified", "rejected", "expired"] as const)(
    "is the identity check for a %s account, linked or not",
    (status) => {
      for (const wallets of [[], [linked(connected)], [linked(other)]])
        expect(accountNeed(makeAccount({ identity_status: status, wallets }), connected, chain)).toEqual({
          code: "verify",
          status,
          reason: null,
        });
    },
  );

  it("includes the reason of a rejection", () => {
    const account = makeAccount({ identity_status: "rejected", identity_reason: "The picture is blurred." });
    expect(accountNeed(account, connected, chain)).toMatchObject({ reason: "The picture is blurred." });
  });

  it("is to wait while the identity is checked", () => {
    expect(accountNeed(makeAccount({ identity_status: "pending" }), connected, chain)).toEqual({ code: "checking" });
  });

  it("is to link for a verified account without a wallet, to switch for one with another", () => {
    expect(accountNeed(makeAccount(), connected, chain)).toEqual({ code: "link" });
    expect(accountNeed(makeAccount({ wallets: [linked(connected, false)] }), connected, chain)).toEqual({
      code: "link",
    });
    const wallets = [linked(other), linked(connected, false)];
    expect(accountNeed(makeAccount({ wallets }), connected, chain)).toEqual({ code: "switch" });
  });

  it.each(["waiting", "sent", "bound"] as const)(
    "is to wait while the record is %s but not visible on chain",
    (state) => {
      expect(accountNeed(makeAccount({ wallets: [bound(state)] }), connected.toLowerCase(), chain)).toEqual({
        code: "recording",
      });
    },
  );

  it("is to wait when no record of this chain exists yet, and shows a reason when it has failed", () => {
    expect(accountNeed(makeAccount({ wallets: [bound("failed", "retired")] }), connected, 1)).toEqual({
      code: "recording",
    });
    expect(accountNeed(makeAccount({ wallets: [bound("failed", "retired")] }), connected, chain)).toEqual({
      code: "recordFailed",
      reason: "retired",
    });
  });

  it("is a new signature when the chain used the stored one before", () => {
    expect(accountNeed(makeAccount({ wallets: [bound("failed", "signature_used")] }), connected, chain)).toEqual({
      code: "signAgain",
    });
  });
});
