import type { Transaction } from "@aqua/sdk/api/portfolio";
import type { Performance, ProductSummary } from "@aqua/sdk/api/product";
import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { mergeEvents, summariseReports } from "../../src/features/home/instance.ts";
import { newestGain } from "../../src/features/home/newest-gain.ts";
import HomePage from "../../src/pages/home/page.tsx";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { anIncomeCheck } from "../readings/fixtures.ts";

const asOf = { chain_id: 31337, block: 10, time: 1_700_000_000_000, stale: false };
const solar = makeProduct();
const hydro = makeProduct({ short_id: "hydro", name: "Alpine Hydropower" });
const unknown = { gross_price: null, rate: null, coverage: null };
const zero = `0x${"0".repeat(64)}`;

function report(time: number, delta: string, root = `0x${"ab".repeat(32)}`): Performance["reports"][number] {
  return {
    time,
    block: time / 1000,
    hash: `0x${time}`,
    delta,
    fee: "0",
    taken_back: null,
    as_of_time: time,
    evidence_root: root,
    anchored: null,
  };
}
function performance(shortId: string, reports: Performance["reports"]): Performance {
  return {
    short_id: shortId,
    type: "demand_deposit",
    share_price: "1.050000",
    apy: [],
    max_drawdown: "0",
    series: [
      { time: 1000, share_price: "1.000000", tvl: "10", ...unknown },
      { time: 3000, share_price: "1.040000", tvl: "10", ...unknown },
    ],
    reports,
    as_of: asOf,
  };
}
const reported = (...all: [typeof solar, Performance["reports"]][]) =>
  summariseReports(all.map(([product, reports]) => ({ product, performance: performance(product.short_id, reports) })));

it("the followed report is the newest gain, never a loss, with the price at its time", () => {
  const gain = newestGain(reported([solar, [report(1000, "5"), report(3000, "-1")]], [hydro, [report(2000, "3")]]));
  expect(gain?.report.product.short_id).toBe("hydro");
  expect(gain?.before).toBe("1.000000");
  expect(gain?.now).toBe("1.050000");
  expect(newestGain(reported([solar, [report(3000, "-1")]]))).toBeNull();
});

it("the events of all products are one list, newest first, with losses labelled as such", () => {
  const moved = { chain_id: 1, hash: "0x1", log_index: 0, time: 2000, kind: "deposit", amount: "5" } as Transaction;
  const { reports } = reported([solar, [report(1000, "5"), report(3000, "-1")]]);
  const events = mergeEvents([{ product: hydro, items: [moved] }], reports);
  expect(events.map(({ kind, time }) => [kind, time])).toEqual([
    ["loss", 3000],
    ["deposit", 2000],
    ["report", 1000],
  ]);
});

const summary: ProductSummary = {
  open: 1,
  positions: 3,
  last_report: asOf.time - 7_200_000,
  devices_24h: 24,
  as_of: asOf,
  totals: [
    { symbol: "tUSD", deposits: "1234567.890000", income: "4321.500000" },
    { symbol: "EUR", deposits: "7.5", income: null },
  ],
};

describe("/home", () => {
  const answers = {
    "product/list": list([solar]),
    "product/summary": { body: { data: summary } },
    [`product/${solar.short_id}/performance`]: {
      body: { data: performance(solar.short_id, [report(2_000, "12.500000", zero)]) },
    },
    [`product/${solar.short_id}/transactions`]: list([]),
  };

  it("shows the reported gain with a link at each knot, and does not invent evidence", async () => {
    answerApi(answers);
    renderPage(<HomePage />, "/", "/");
    const thread = await screen.findByRole("list", { name: "One report, followed" });
    const knots = [...thread.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    const at = (page: string) => `/${page}/${solar.short_id}`;
    expect(knots).toEqual([at("product"), at("product"), at("performance"), at("performance"), at("liquidity")]);
    expect(thread.textContent).toContain("none named in this report");
    expect(thread.textContent).toContain("1.0000 at the report, 1.0500 now");
    await screen.findByText("Latest events");
  });

  it("traces a report that names a batch back to its reading, with a link at each knot", async () => {
    const reportHash = "0x2000";
    answerApi({
      ...answers,
      [`product/${solar.short_id}/performance`]: {
        body: { data: performance(solar.short_id, [report(2_000, "12.500000")]) },
      },
      [`product/${solar.short_id}/income/${reportHash}`]: { body: { data: anIncomeCheck() } },
    });
    renderPage(<HomePage />, "/", "/");
    await screen.findByText("Reading: 1,400.0 kWh");
    const thread = screen.getByRole("list", { name: "One report, followed" });
    const [reading, batch] = [...thread.querySelectorAll("a")];
    expect(reading?.getAttribute("href")).toBe(`/product/${solar.short_id}?device=meter-1#devices`);
    expect(batch?.textContent).toBe("Anchored: batch 3");
    expect(batch?.getAttribute("href")).toBe(`/product/${solar.short_id}#from-device-to-yield`);
  });

  it("shows the sums of the whole instance, one per unit, with the block they were read at", async () => {
    const calls = answerApi(answers);
    renderPage(<HomePage />, "/", "/");
    const figures = await screen.findByRole("region", { name: "Figures of this instance" });
    const figure = (name: string) => within(figures).getByText(name, { selector: "dt" }).parentElement?.textContent;
    await within(figures).findByText(/block/);
    expect(figure("Total deposits")).toBe("Total deposits1,234,568tUSD8EUR");
    expect(figure("Income reported")).toBe("Income reported4,322tUSD");
    expect(figure("Open products")).toBe("Open products1");
    expect(figure("Positions held")).toBe("Positions held3");
    expect(figure("Devices heard in 24 h")).toBe("Devices heard in 24 h24");
    expect(figure("Last income report")).toBe("Last income report2 hr. ago");
    expect(calls.mock.calls.filter(([url]) => String(url).includes("product/summary"))).toHaveLength(1);
  });

  it("shows an unknown income as a dash with a reason, never as zero", async () => {
    const unreported = { ...summary, last_report: null, totals: [{ symbol: "tUSD", deposits: "5.0", income: null }] };
    answerApi({ ...answers, "product/summary": { body: { data: unreported } } });
    renderPage(<HomePage />, "/", "/");
    const reasons = await screen.findAllByRole("button", { name: "No income has been reported yet." });
    expect(reasons.map((reason) => reason.closest("dd")?.previousElementSibling?.textContent)).toEqual([
      "Income reported",
      "Last income report",
    ]);
  });

  it("shows that the figures could not be loaded, and the figures after Retry", async () => {
    let broken = true;
    answerApi({ ...answers, "product/summary": () => (broken ? "unreachable" : answers["product/summary"]) });
    renderPage(<HomePage />, "/", "/");
    await screen.findByText("The figures could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText("4,322");
  });

  it("shows the sums of any number of products, and follows no report when there are too many products", async () => {
    const many = Array.from({ length: 25 }, (_, index) => makeProduct({ short_id: `p${index}` }));
    const calls = answerApi({ ...answers, "product/list": list(many), "product/p": list([]) });
    renderPage(<HomePage />, "/", "/");
    await screen.findByText("4,322");
    await screen.findByText("Latest events");
    expect(calls.mock.calls.filter(([url]) => String(url).includes("/performance"))).toEqual([]);
  });
});
