import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountText, witnessOf } from "../../src/features/readings/income.ts";
import { Walk } from "../../src/features/readings/walk.tsx";
import { answerApi, renderPage } from "../page-harness.tsx";
import { aDevice, anIncomeCheck, reportHash } from "./fixtures.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the sentence about a report's readings", () => {
  const report = anIncomeCheck().report;

  it.each([
    [anIncomeCheck(), "The readings account for all of the 19.20 tUSD reported."],
    [
      anIncomeCheck({ verdict: "more", other: "0.800000", report: { ...report, delta: "20.000000" } }),
      "20.00 tUSD were reported. The meters counted 500\u00a0kWh, which makes 19.20 tUSD; no meter counted the other 0.80 tUSD. The product’s document does not say why.",
    ],
    [
      anIncomeCheck({
        verdict: "more",
        other: "0.800000",
        other_reason: "Frost.",
        report: { ...report, delta: "20.000000" },
      }),
      /the other 0\.80 tUSD\. The product’s document says why: Frost\.$/,
    ],
    [
      anIncomeCheck({ verdict: "less", other: "-9.200000", report: { ...report, delta: "10.000000" } }),
      "By the readings 19.20 tUSD would have been earned; 10.00 tUSD were reported, 9.20 tUSD less.",
    ],
    [anIncomeCheck({ verdict: "loss", report: { ...report, delta: "-5.000000" } }), /a loss of 5\.00 tUSD/],
    [anIncomeCheck({ verdict: "no_metric", metric: null, expected: null, other: null }), /does not say how/],
    [anIncomeCheck({ verdict: "no_anchor", anchor: null, expected: null, other: null }), /names no batch/],
    [anIncomeCheck({ verdict: "no_readings", expected: null, other: null }), /nothing can be computed/],
    [
      anIncomeCheck({ verdict: "not_kept", expected: null, retained_since: report.time }),
      /no longer kept.* is of \w+ \d/,
    ],
  ])("exists for every verdict (%#)", (check, sentence) => {
    expect(accountText(check, "tUSD")).toMatch(sentence);
  });

  it("names the device that counted most and whose reading is on chain", () => {
    const check = anIncomeCheck();
    expect(witnessOf(check)?.name).toBe("meter-1");
    const [most, other] = check.devices;
    if (!most?.last || !other) throw new Error("two devices");
    const waiting = { ...most, last: { ...most.last, batch: null } };
    expect(witnessOf({ ...check, devices: [waiting, other] })?.name).toBe("meter-2");
    expect(witnessOf({ ...check, devices: [] })).toBeNull();
  });
});

describe("the way from a report back to a reading", () => {
  function open(check = anIncomeCheck()) {
    answerApi({
      "product/solar/devices": { body: { data: [aDevice()] } },
      "product/solar/income": { body: { data: check } },
    });
    renderPage(<Walk shortId="solar" hash={reportHash} unit="tUSD" />, "/", "/");
  }

  it("connects device, reading, batch and report, and shows the sum", async () => {
    open();
    const thread = await screen.findByRole("list", { name: "From the device to your yield" });
    await within(thread).findByText("Array 1, north field");
    for (const words of ["Key in a chip", "1,400.0\u00a0kWh", "No. 3, block 890", "+19.20 tUSD"])
      expect(thread.textContent).toContain(words);
    expect(screen.getByText("500 kWh")).toBeTruthy();
    expect(screen.getByText("at 0.08 tUSD a kWh")).toBeTruthy();
    expect(screen.getByText(/60\.00% of it goes to those who financed/).textContent).toContain("1,000.00 tUSD");
    expect(screen.getByRole("button", { name: "Verify this reading" })).toBeTruthy();
  });

  it("warns where a report claims more than its meters counted, with the reason the document gives", async () => {
    const { report } = anIncomeCheck();
    open(
      anIncomeCheck({
        verdict: "more",
        other: "0.800000",
        other_reason: "The insurer paid an advance.",
        report: { ...report, delta: "20.000000" },
      }),
    );
    const title = await screen.findByText(/^The report of .* claims more than its meters counted$/);
    expect(title.closest("div")?.parentElement?.textContent).toContain("says why: The insurer paid an advance.");
  });

  it("leaves knots without evidence open, and offers nothing to verify there", async () => {
    open(
      anIncomeCheck({ verdict: "no_anchor", anchor: null, devices: [], counted: null, expected: null, other: null }),
    );
    const thread = await screen.findByRole("list", { name: "From the device to your yield" });
    expect(thread.textContent).toContain("the report names none of ours");
    expect(thread.textContent).toContain("none that can be verified");
    expect(screen.queryByRole("button", { name: "Verify this reading" })).toBeNull();
  });
});
