import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Walk } from "../../src/features/readings/evidence-chain.tsx";
import { accountText, witnessOf } from "../../src/features/readings/income.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { aDemand } from "../products/details.ts";
import { aDevice, anIncomeCheck, reportHash } from "./fixtures.ts";
import { anchorAnswers, anchorContract, aProof } from "./proofs.ts";

afterEach(() => vi.unstubAllGlobals());

describe("the sentence about a report's readings", () => {
  const report = anIncomeCheck().report;

  it.each([
    [anIncomeCheck(), "The readings explain all of the 19.20 tUSD reported."],
    [
      anIncomeCheck({ verdict: "more", other: "0.800000", report: { ...report, delta: "20.000000" } }),
      "Reported: 20.00 tUSD. The metered income is 500\u00a0kWh, worth 19.20 tUSD. No meter measured the remaining 0.80 tUSD. The product document does not explain this.",
    ],
    [
      anIncomeCheck({
        verdict: "more",
        other: "0.800000",
        other_reason: "Frost.",
        report: { ...report, delta: "20.000000" },
      }),
      /the remaining 0\.80 tUSD\. The product document explains: Frost\.$/,
    ],
    [
      anIncomeCheck({ verdict: "less", other: "-9.200000", report: { ...report, delta: "10.000000" } }),
      "Income by readings: 19.20 tUSD. Reported: 10.00 tUSD, which is 9.20 tUSD less.",
    ],
    [
      anIncomeCheck({ verdict: "loss", report: { ...report, delta: "-5.000000" } }),
      /^The report is a loss of 5\.00 tUSD/,
    ],
    [anIncomeCheck({ verdict: "no_metric", metric: null, expected: null, other: null }), /no income formula/],
    [anIncomeCheck({ verdict: "no_anchor", anchor: null, expected: null, other: null }), /names no known batch/],
    [anIncomeCheck({ verdict: "no_readings", expected: null, other: null }), /are missing/],
    [
      anIncomeCheck({ verdict: "not_kept", expected: null, retained_since: report.time }),
      /only in the batch files.* is of \w+ \d/,
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
    const thread = await screen.findByRole("list", { name: "From device to yield" });
    await within(thread).findByText("Array 1, north field");
    for (const words of ["Key in a chip", "1,400.0\u00a0kWh", "No. 3, block 890", "+19.20 tUSD"])
      expect(thread.textContent).toContain(words);
    expect(screen.getByText("500 kWh")).toBeTruthy();
    expect(screen.getByText("at 0.08 tUSD a kWh")).toBeTruthy();
    expect(screen.getByText(/60\.00% of it goes to those who financed the asset/).textContent).toContain(
      "1,000.00 tUSD",
    );
    expect(screen.getByRole("button", { name: "Verify this reading" })).toBeTruthy();
  });

  it.each<[string, Partial<IncomeCheck>, RegExp]>([
    ["that it computed the same", {}, /^Your browser computed the same/],
    ["a sum that does not follow from the readings", { expected: "20.000000" }, /^This amount does not follow/],
    [
      "a sum that it cannot compute",
      { metric: null, expected: null, other: null, verdict: "no_metric" },
      /^Your browser did not compute/,
    ],
  ])("shows %s", async (_what, parts, text) => {
    open(anIncomeCheck(parts));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("does not accept the proof of a reading of another product", async () => {
    const proof = await aProof();
    const { device: name, seq, time } = proof.reading;
    const [first] = anIncomeCheck().devices;
    const last = { seq, time, value: "1234.7", batch: 1 };
    const answer = anchorAnswers(proof);
    answerApi({
      "product/lagoon/devices": { body: { data: [aDevice()] } },
      "product/lagoon/income": {
        body: {
          data: anIncomeCheck({ short_id: "lagoon", devices: [{ ...first, name, first: null, last, counted: null }] }),
        },
      },
      "transparency/proof": { body: { data: proof } },
      "product/solar": {
        body: {
          data: aDemand({
            short_id: "solar",
            chain_id: 31337,
            contracts: [{ role: "telemetry_anchor", address: anchorContract }],
          }),
        },
      },
    });
    vi.stubGlobal("ethereum", {
      request: async ({ method, params }: { method: string; params?: [{ data: `0x${string}` }] }) =>
        method === "eth_chainId" ? "0x7a69" : answer(params?.[0].data ?? "0x"),
    });
    renderPage(<Walk shortId="lagoon" hash={reportHash} unit="tUSD" />, "/", "/");
    fireEvent.click(await screen.findByRole("button", { name: "Verify this reading" }));
    await screen.findByText("This proof belongs to another reading.");
    expect(screen.queryByText("All checks passed")).toBeNull();
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
    const title = await screen.findByText(/^The report of .* exceeds the metered income$/);
    expect(title.closest("div")?.parentElement?.textContent).toContain("explains: The insurer paid an advance.");
  });

  it("leaves knots without evidence open, and offers nothing to verify there", async () => {
    open(
      anIncomeCheck({ verdict: "no_anchor", anchor: null, devices: [], counted: null, expected: null, other: null }),
    );
    const thread = await screen.findByRole("list", { name: "From device to yield" });
    expect(thread.textContent).toContain("the report names no known batch");
    expect(thread.textContent).toContain("no reading to verify");
    expect(screen.queryByRole("button", { name: "Verify this reading" })).toBeNull();
  });
});
