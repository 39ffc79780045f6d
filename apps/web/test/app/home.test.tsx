import type { FollowedReport, Home } from "@aqua/sdk/api/home";
import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import HomePage from "../../src/features/home/page.tsx";
import { answerApi, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const asOf = { chain_id: 31337, block: 10, time: 1_700_000_000_000, stale: false };
const day = 86_400_000;
const solar = makeProduct();
const named = { short_id: solar.short_id, name: solar.name, symbol: "tUSD" };

const report: FollowedReport = {
  product: { ...named, asset_class: "Irrigation", location: null, instant_capacity: "35322.670000" },
  time: asOf.time - day,
  block: 9,
  hash: "0x2000",
  delta: "12.500000",
  evidence_root: `0x${"ab".repeat(32)}`,
  price_before: "1.000000000000000000",
  price_now: "1.050000000000000000",
  reading: { device: "meter-1", value: "1400.0", unit: "kWh", time: asOf.time - day },
  batch: { number: 3, block: 8 },
};

function aHome(parts: Partial<Home> = {}): Home {
  return {
    open: 1,
    positions: 3,
    last_report: asOf.time - 7_200_000,
    devices_24h: 24,
    as_of: asOf,
    totals: [
      { symbol: "tUSD", deposits: "1234567.890000", income: "4321.500000" },
      { symbol: "EUR", deposits: "7.5", income: null },
    ],
    featured: [solar],
    report,
    events: [
      { key: "1", time: asOf.time - day, product: named, kind: "report", amount: "12.500000" },
      { key: "2", time: asOf.time - 2 * day, product: named, kind: "deposit", amount: "5.000000" },
    ],
    ...parts,
  };
}

function open(parts: Partial<Home> = {}) {
  const calls = answerApi({ "product/home": { body: { data: aHome(parts) } } });
  calls.mockClear();
  renderPage(<HomePage />, "/", "/");
  return calls;
}

beforeEach(() => {
  vi.restoreAllMocks();
});

describe("/home", () => {
  it("asks one call for all that it shows", async () => {
    const calls = open();
    await screen.findByText("Latest events");
    await screen.findByRole("heading", { level: 2, name: solar.name });
    expect(calls.mock.calls.map(([url]) => new URL(String(url), "http://aqua.test").pathname)).toEqual([
      "/api/v2/product/home",
    ]);
  });

  it("follows a report from its reading to what can be withdrawn, with a link at each step", async () => {
    open();
    const thread = await screen.findByRole("list", { name: "Follow an income report" });
    expect([...thread.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      [expect.stringMatching(/^Reading: 1,400\.0\skWh$/), "/product/solar?tab=devices&device=meter-1#devices"],
      ["Anchored: batch 3", "/product/solar?tab=devices#from-device-to-yield"],
      ["Report: +12.50 tUSD", "/performance/solar"],
      ["Share price", "/performance/solar"],
      ["Payout", "/liquidity/solar"],
    ]);
    expect(thread.textContent).toContain("1.000000 at the report, 1.050000 now");
    expect(thread.textContent).toContain("35,322 tUSD available to all depositors now");
  });

  it("does not invent evidence for a report that names none", async () => {
    open({ report: { ...report, evidence_root: null, reading: null, batch: null } });
    const thread = await screen.findByRole("list", { name: "Follow an income report" });
    expect(thread.textContent).toContain("none in this report");
    expect(thread.textContent).not.toContain("Anchored");
  });

  it("says that nothing was reported yet", async () => {
    open({ report: null, events: [], featured: [] });
    await screen.findByText("No income reported yet.");
    await screen.findByText("No deposits, withdrawals or reports yet.");
  });

  it("lists events with a loss labelled as such", async () => {
    open({ events: [{ key: "3", time: asOf.time, product: named, kind: "loss", amount: "-1.000000" }] });
    await screen.findByText("Loss reported");
  });

  it("says on its card that a product's withdrawals wait for more than seven days", async () => {
    const slow = makeProduct({ short_id: "slow", name: "Slow", wait: { p50: 60 * day, p90: 114 * day } });
    open({ featured: [solar, slow] });
    const card = (await screen.findByRole("heading", { level: 2, name: "Slow" })).closest("article") as HTMLElement;
    expect(within(card).getByText("An estimated 90% of withdrawals are paid within 114 days.")).toBeTruthy();
    expect(screen.getAllByText(/^An estimated 90% of withdrawals/)).toHaveLength(1);
  });

  it("shows the sums of the whole instance, one per unit, with the block they were read at", async () => {
    open();
    const figures = await screen.findByRole("region", { name: "Key figures" });
    const figure = (name: string) => within(figures).getByText(name, { selector: "dt" }).parentElement?.textContent;
    await within(figures).findByText(/block/);
    expect(figure("Total assets")).toBe("Total assets1,234,568tUSD8EUR");
    expect(figure("Income paid in")).toBe("Income paid in4,322tUSD");
    expect(figure("Open products")).toBe("Open products1");
    expect(figure("Devices active in 24 h")).toBe("Devices active in 24 h24");
  });

  it("shows an unknown income as a dash with a reason, never as zero", async () => {
    open({ totals: [{ symbol: "tUSD", deposits: "5.0", income: null }] });
    const reason = await screen.findByRole("button", { name: "No income reported yet." });
    expect(reason.closest("dd")?.previousElementSibling?.textContent).toBe("Income paid in");
  });

  it("shows that the figures could not be loaded, and the figures after Retry", async () => {
    let broken = true;
    answerApi({ "product/home": () => (broken ? "unreachable" : { body: { data: aHome() } }) });
    renderPage(<HomePage />, "/", "/");
    await screen.findByText("The figures could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText("4,322");
  });
});
