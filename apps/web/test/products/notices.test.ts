import { describe, expect, it } from "vitest";
import { earnedText, exitText } from "../../src/features/product/notice-list.tsx";
import { noticesOf } from "../../src/features/product/notices.ts";
import { aDemand, aTime, blockTime } from "./details.ts";

const codes = (product: Parameters<typeof noticesOf>[0]) => noticesOf(product).map(({ code }) => code);
const queue = { address: "0x5FbDB2315678afecb367f032d93F642f64180aa3", shares: "1.0" };

describe("the sentences of a notice", () => {
  const figures = { tvl: "1000.000000", cap_used: "1000.000000" };

  it("say how money can be withdrawn as the contract stands", () => {
    expect(exitText(aDemand({ ...figures, instant_capacity: "1000.000000" }))).toBe(
      "There is enough cash now to withdraw all deposits.",
    );
    const some = aDemand({ ...figures, instant_capacity: "12.500000", vault: { queue } });
    expect(exitText(some)).toBe("12.50 tUSD are available to all depositors now. Larger withdrawals join the queue.");
    const unqueued = aDemand({ ...figures, instant_capacity: "12.500000" });
    expect(exitText(unqueued)).toBe("12.50 tUSD are available to all depositors now.");
    const nothing = aDemand({ ...figures, instant_capacity: "0.000000", vault: { queue } });
    expect(exitText(nothing)).toBe("No cash is available now. Withdrawals join the queue.");
    expect(exitText(aDemand({ ...figures, instant_capacity: "0.000000" }))).toBe("No cash is available now.");
    expect(exitText(aDemand({ tvl: "0.000000" }))).toBeNull();
    expect(exitText(aTime())).toBeNull();
  });

  it("promise no income to a closed product, but name what there was", () => {
    const apy = { window_days: 30, kind: "variable", annualised: true } as const;
    expect(earnedText(aDemand({ apy: { ...apy, value: "0.0000" } }))).toBe(
      "No income reached the share price in the last 30 days.",
    );
    expect(earnedText(aDemand({ apy: { ...apy, value: "0.0512" } }))).toBe("Last 30 days: 5.12% APY.");
    expect(earnedText(aDemand({ apy: { ...apy, value: null } }))).toBeNull();
  });
});

describe("the notices above the figures", () => {
  it("are empty while a product is healthy and open", () => {
    expect(codes(aDemand())).toEqual([]);
    expect(codes(aTime())).toEqual([]);
  });

  it("say what closing means for the type of deposit", () => {
    expect(codes(aDemand({ status: "closed" }))).toEqual(["closedDemand"]);
    expect(codes(aTime({ status: "closed" }))).toEqual(["closedTime"]);
  });

  it("show a pause until it has ended, also for a closed product", () => {
    expect(noticesOf(aTime({ paused_until: blockTime + 1 }))).toEqual([{ code: "pausedTime", until: blockTime + 1 }]);
    expect(codes(aDemand({ paused_until: blockTime }))).toEqual([]);
    expect(codes(aDemand({ paused_until: blockTime + 1, status: "closed" }))).toEqual(["closedDemand", "pausedDemand"]);
  });

  it("show a late report", () => {
    const late = { last_report: blockTime - 86_400_001 };
    expect(codes(aDemand({ vault: late }))).toEqual(["reportLate"]);
    expect(codes(aDemand({ vault: { last_report: blockTime - 86_400_000 } }))).toEqual([]);
  });

  it("show the day after a loss, and no longer", () => {
    expect(codes(aDemand({ vault: { deposits_closed_until: blockTime + 1 } }))).toEqual(["afterLoss"]);
    expect(codes(aDemand({ vault: { deposits_closed_until: blockTime } }))).toEqual([]);
    const until = blockTime + 1;
    const reviewed = { deposits_closed_until: until, loss_reviewed_until: until };
    expect(codes(aDemand({ vault: reviewed }))).toEqual(["lossReview"]);
  });

  it("show a time deposit's loss under review in place of all that may not last, until it is settled", () => {
    const others: Parameters<typeof aTime>[0][] = [{ status: "closed" }, { evidence_until: blockTime }, { terms: [] }];
    for (const until of [blockTime + 1, blockTime])
      for (const also of [{}, ...others])
        expect(codes(aTime({ paused_until: until, loss_reviewed_until: until, ...also }))).toEqual(["lossReviewTime"]);
  });

  it("show evidence from the moment it lapses, and for a time deposit what goes on", () => {
    expect(codes(aDemand({ vault: { evidence_until: blockTime } }))).toEqual(["evidenceLapsed"]);
    expect(codes(aDemand({ vault: { evidence_until: blockTime + 1 } }))).toEqual([]);
    expect(noticesOf(aTime({ evidence_until: blockTime }))).toEqual([{ code: "evidenceLapsedTime", until: blockTime }]);
    expect(codes(aTime({ evidence_until: blockTime + 1 }))).toEqual([]);
  });

  it("distinguish a full cap from closed terms and from terms without capacity", () => {
    expect(codes(aDemand({ cap_used: "1000.000000" }))).toEqual(["capped"]);
    expect(codes(aTime({ cap_used: "1000.000000" }))).toContain("capped");
    // Room for less than the minimum of 10.
    expect(codes(aDemand({ cap_used: "990.000001" }))).toEqual(["capped"]);
    expect(codes(aDemand({ cap_used: "990.000000" }))).toEqual([]);
    expect(codes(aTime({ tvl: "1000.000000", cap_used: "990.000000" }))).toEqual([]);
    expect(codes(aTime({ term: null }))).toEqual(["termless"]);
    const [term] = aTime().terms;
    if (!term) throw new Error("no term");
    expect(codes(aTime({ terms: [{ ...term, room: "9.999999" }] }))).toEqual(["noRoom"]);
    expect(codes(aTime({ terms: [{ ...term, room: "10.000000" }] }))).toEqual([]);
  });

  it("show nothing but a winding down once there is one, except for outdated figures", () => {
    const winding_down = { received: "40.000000", claims: "101.500000" };
    const product = aTime({ status: "closed", term: null, paused_until: blockTime + 1, books: { winding_down } });
    expect(noticesOf(product)).toEqual([{ code: "windingDown", ...winding_down }]);
    expect(codes({ ...product, as_of: { ...product.as_of, stale: true } })).toEqual(["stale", "windingDown"]);
  });
});
