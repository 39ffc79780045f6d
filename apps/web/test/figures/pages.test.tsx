import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import LiquidityPage from "../../src/features/liquidity/page.tsx";
import PerformancePage from "../../src/features/performance/page.tsx";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import {
  demandLiquidity,
  demandPerformance,
  demandProduct,
  places,
  timeLiquidity,
  timePerformance,
  timeProduct,
  wallet,
} from "./fixtures.ts";

const failure = { status: 503, body: { error_code: "chain_unavailable", message: "down", request_id: "r1" } };
const stale = { chain_id: 31337, block: 9, time: 1_700_000_000_000, stale: true };
const data = (body: unknown) => ({ body: { data: body } });
const queue = (items: unknown[], total = items.length) => data({ items, total, page: 1, page_size: 12 });

beforeEach(() => {
  clearWallet();
});

const openPerformance = (search = "", shortId = "solar") =>
  renderPage(<PerformancePage />, "/performance/:shortId", `/performance/${shortId}${search}`);
const openLiquidity = (shortId = "solar") =>
  renderPage(<LiquidityPage />, "/liquidity/:shortId", `/liquidity/${shortId}`);

describe("/performance/:shortId", () => {
  it("fetches the range in its address, and stores the chosen one there", async () => {
    const calls = answerApi({
      "product/solar/performance": data(demandPerformance()),
      "product/solar": data(demandProduct()),
    });
    openPerformance("?range=30d");
    fireEvent.click(await screen.findByRole("radio", { name: "7D" }));
    await waitFor(() => expect(screen.getByLabelText("address").textContent).toBe("/performance/solar?range=7d"));
    const asked = () => calls.mock.calls.map(([url]) => new URL(String(url), "http://aqua.test").search);
    await waitFor(() => expect(asked()).toContain("?range=7d"));
    expect(asked()).toContain("?range=30d");
  });

  it("begins with the current value of 1,000 deposited at the first price of the range", async () => {
    const performance = demandPerformance();
    const prices = ["1.000000000000000000", null, "1.250000000000000000"];
    const series = performance.series
      .slice(0, 3)
      .map((point, index) => ({ ...point, share_price: prices[index] ?? null }));
    answerApi({
      "product/solar/performance": data({ ...performance, series }),
      "product/solar": data(demandProduct()),
    });
    openPerformance();
    expect(
      await screen.findByText(/^1,000 tUSD deposited on .* would be worth 1,250\.00 tUSD now, after fees\.$/),
    ).toBeTruthy();
  });

  it("shows one chart at a time, the one its address names, and stores the chosen one there", async () => {
    answerApi({
      "product/solar/performance": data(demandPerformance()),
      "product/solar": data(demandProduct()),
    });
    openPerformance("?chart=deposits");
    await screen.findByRole("application", { name: "Total assets in tUSD" });
    expect(screen.getAllByRole("application")).toHaveLength(1);
    fireEvent.click(screen.getByRole("tab", { name: "Growth of 1,000" }));
    await screen.findByRole("application", { name: /^Growth of 1,000 tUSD/ });
    await waitFor(() => expect(screen.getByLabelText("address").textContent).toBe("/performance/solar?chart=growth"));
    expect(screen.getAllByRole("application")).toHaveLength(1);
  });

  it("names the worst past loss as the panel beside it does, and shows none as 0.00%", async () => {
    for (const [max_drawdown, shown, max_drawdown_taken_back] of [
      ["0.004100", "−0.41%", null],
      ["0.000041", "−0.0041%", null],
      ["0.000000", "0.00%", null],
      ["0.014700", "−1.47%from peak to low; reversed Jan 3, 2026", Date.UTC(2026, 0, 3)],
    ] as const) {
      answerApi({
        "product/solar/performance": data(demandPerformance({ max_drawdown, max_drawdown_taken_back })),
        "product/solar": data(demandProduct()),
      });
      const { unmount } = openPerformance();
      const [label] = await screen.findAllByText("Worst past loss", { selector: "dt, dt *" });
      expect(label?.closest("div")?.textContent).toContain(shown);
      unmount();
    }
  });

  it("leaves the deposits of a time deposit to the head of the page", async () => {
    answerApi({
      "product/term/performance": data(timePerformance()),
      "product/term": data(timeProduct()),
    });
    openPerformance("", "term");
    const figures = (await screen.findByText("Average rate")).closest("dl") as HTMLElement;
    expect(within(figures).queryByText("Total assets")).toBeNull();
  });

  it("describes each report in the chart, gain or loss", async () => {
    answerApi({
      "product/solar/performance": data(demandPerformance()),
      "product/solar": data(demandProduct()),
    });
    openPerformance();
    const chart = await screen.findByRole("application", { name: "Share price in tUSD" });
    fireEvent.keyDown(chart, { key: "End" });
    expect(within(chart).getByText(/gain of 1,204.56 tUSD/)).toBeTruthy();
    for (let step = 0; step < 77; step += 1) fireEvent.keyDown(chart, { key: "ArrowLeft" });
    expect(within(chart).getByText(/loss of 3,120.25 tUSD/)).toBeTruthy();
  });

  it("sums gains, losses and fees of the reports to the last digit", async () => {
    const { reports } = demandPerformance();
    answerApi({
      "product/solar/performance": data(demandPerformance({ reports: reports.slice(10, 12) })),
      "product/solar": data(demandProduct()),
    });
    openPerformance();
    expect((await screen.findByText("Total gains")).nextSibling?.textContent).toBe("+1,234.56tUSD");
    expect(screen.getByText("Total losses").nextSibling?.textContent).toBe("−3,120.25tUSD");
    expect(screen.getAllByTitle("-3120.250001 tUSD")).toHaveLength(2);
    expect(screen.getByText("Performance fees").nextSibling?.textContent).toBe("120.46tUSD");
  });

  it("saves the displayed data under a name with product, range and block", async () => {
    const saved: { name: string; text: Promise<string> }[] = [];
    const createObjectURL = (blob: Blob) => {
      saved.push({ name: "", text: blob.text() });
      return "blob:x";
    };
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL, revokeObjectURL() {} }));
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      const last = saved.at(-1);
      if (last) last.name = this.download;
    });
    answerApi({
      "product/solar/performance": data(demandPerformance()),
      "product/solar": data(demandProduct()),
    });
    openPerformance("?range=90d");
    fireEvent.click(await screen.findByRole("button", { name: "Everything, JSON" }));
    expect(saved[0]?.name).toBe("aqua-solar-90d-block-1204551-performance.json");
    expect(JSON.parse((await saved[0]?.text) ?? "").share_price).toBe("1.052341876543210987");
    fireEvent.click(screen.getByRole("button", { name: "Reports, CSV" }));
    expect(await saved[1]?.text).toContain(",-3120.250001,");
  });

  it("shows a time deposit by rate, deposits and coverage, without rounding coverage up", async () => {
    answerApi({ "product/term/performance": data(timePerformance()), "product/term": data(timeProduct()) });
    openPerformance("", "term");
    await screen.findByText("APY for 30 days");
    expect(screen.getByText("APY for 6 months")).toBeTruthy();
    expect(screen.queryByText("APY for 1 year")).toBeNull();
    expect(screen.queryByText("Share price")).toBeNull();
    const figure = screen.getAllByText("Coverage ratio").find((element) => element.tagName === "DT");
    expect(figure?.nextSibling?.textContent).toBe("99.99%");
  });

  it("says that receipts are not paid at maturity in a winding down, and offers no term", async () => {
    const product = timeProduct();
    if (product.type !== "time_deposit") throw new Error("no time deposit");
    const winding_down = { claims: "99000.000000", received: "40000.000000" };
    answerApi({
      "product/term/performance": data(timePerformance()),
      "product/term": data({ ...product, books: { ...product.books, winding_down } }),
    });
    openPerformance("", "term");
    expect(await screen.findByText("This product is being wound down")).toBeTruthy();
    expect(screen.getByText(/not at maturity. .*first gets the same part of its principal/)).toBeTruthy();
    expect(screen.queryByText(/^APY for/)).toBeNull();
    expect(screen.queryByText(/Quoted APY/)).toBeNull();
  });

  it("offers no term of a closed product", async () => {
    answerApi({
      "product/term/performance": data(timePerformance()),
      "product/term": data({ ...timeProduct(), status: "closed" }),
    });
    openPerformance("", "term");
    await screen.findByText("Closed for new deposits");
    expect(screen.queryByText(/^APY for/)).toBeNull();
  });

  it("shows what is missing, and never 0, before the first report", async () => {
    answerApi({
      "product/solar/performance": data(
        demandPerformance({
          share_price: null,
          max_drawdown: null,
          series: [],
          reports: [],
          apy: [{ window_days: 7, value: null, annualised: false }],
        }),
      ),
      "product/solar": data(demandProduct()),
    });
    openPerformance();
    await screen.findByText("No income reported yet");
    const tabs = screen.getAllByRole("tab");
    expect(tabs.map(({ textContent }) => textContent)).toHaveLength(5);
    expect(await screen.findByText("Too little history in this range")).toBeTruthy();
    expect(screen.queryByText(/deposited on/)).toBeNull();
    expect(screen.queryByText("0.00%")).toBeNull();
    expect(screen.getByRole("button", { name: "Reports, CSV" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("shows a failure, and the figures after Retry", async () => {
    let broken = true;
    answerApi({
      "product/solar/performance": () => (broken ? failure : data(demandPerformance())),
      "product/solar": data(demandProduct()),
    });
    openPerformance();
    await screen.findByText("This could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText("APY since start");
  });

  it("shows that its figures are outdated, and that the product is closed", async () => {
    answerApi({
      "product/solar/performance": data(demandPerformance({ as_of: stale })),
      "product/solar": data(demandProduct({ status: "closed" })),
    });
    openPerformance();
    await screen.findByText("These figures are old");
    expect(await screen.findByText("Closed for new deposits")).toBeTruthy();
  });
});

describe("/liquidity/:shortId", () => {
  const demand = (liquidity = demandLiquidity(), queued = queue(places())) =>
    answerApi({
      "product/solar/liquidity": data(liquidity),
      "product/solar/queue": queued,
      "product/solar": data(demandProduct()),
    });

  it("compares idle money with the required minimum", async () => {
    demand();
    openLiquidity();
    const [said] = await screen.findAllByText(/Cash is below the buffer of 192,400.05 tUSD/);
    expect(said).toBeTruthy();
    expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toContain("16.7% in cash");
  });

  it("shows the income that is idle or deployed but not in the price yet, so that its figures add up", async () => {
    demand(demandLiquidity({ total_assets: "961988.250000", unstreamed: "12.000000" }));
    openLiquidity();
    expect(await screen.findByText(/^plus 12(\.00)? tUSD of reported income not yet in the price$/)).toBeTruthy();
    expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toContain("16.7% in cash");
  });

  it("shows how long an exit takes, and how accurate past estimates were", async () => {
    demand();
    openLiquidity();
    await screen.findByText(/^Estimates checked: 42\. Paid by the 50% date: 52%/);
    const said = (label: string) =>
      screen.getAllByText(label).find((element) => element.tagName === "DT")?.nextSibling?.textContent;
    expect(said("50% paid within")).toBe("2 days");
    expect(said("90% paid within")).toBe("6 days");
  });

  it("answers when an amount would be paid, and keeps what was typed through an error", async () => {
    demand();
    openLiquidity();
    const amount = await screen.findByRole("textbox", { name: "If you withdraw" });
    expect(screen.getByText("paid now")).toBeTruthy();
    fireEvent.change(amount, { target: { value: "200,000" } });
    expect(screen.getByText(/^50% by \w{3} \d+, 90% by \w{3} \d+$/)).toBeTruthy();
    fireEvent.change(amount, { target: { value: "99,000,000,000" } });
    expect(screen.getByText("more than the product’s total assets")).toBeTruthy();
    fireEvent.change(amount, { target: { value: "ten" } });
    await screen.findByText("Enter an amount like 1,000.50.");
    expect((amount as HTMLInputElement).value).toBe("ten");
  });

  it("draws the cash expected by when, beside what the queue needs", async () => {
    demand(demandLiquidity({ idle: "50000.000000" }));
    openLiquidity();
    const ahead = await screen.findByRole("application", { name: /^Cash expected, in/ });
    fireEvent.keyDown(ahead, { key: "End" });
    const spoken = screen.getAllByRole("status").map((region) => region.textContent);
    expect(spoken.some((text) => text?.includes("At least, in 50% of cases 364,000"))).toBe(true);
    expect(spoken.some((text) => text?.includes("Needed by the queue 50,000"))).toBe(true);
  });

  it("shows what is paid at once and what waits when many exit", async () => {
    demand();
    openLiquidity();
    const card = (await screen.findByRole("heading", { name: "30% withdraw" })).closest("li") as HTMLElement;
    expect(card.textContent).toContain("Paid now61,250.25 tUSD");
    expect(card.textContent).toContain("Queued227,349.82 tUSD");
    const half = screen.getByRole("heading", { name: "50% withdraw" }).closest("li") as HTMLElement;
    expect(half.textContent).toContain("There is not enough history");
  });

  it("requests the visitor's queue requests first and marks them", async () => {
    setWallet({ status: "connected", address: wallet, chainId: 31337 });
    const calls = demand(demandLiquidity(), queue(places(), 40));
    openLiquidity();
    const table = await screen.findByRole("table", { name: "Requests in the queue" });
    const [, first, second] = within(table).getAllByRole("row");
    expect(within(first as HTMLElement).getByText("yours")).toBeTruthy();
    expect(within(second as HTMLElement).queryByText("yours")).toBeNull();
    const asked = () => calls.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("/queue"));
    expect(asked()[0]).toContain(`wallets=${wallet}`);
    fireEvent.click(screen.getByRole("button", { name: "Next page" }));
    await waitFor(() => expect(asked().at(-1)).toContain("page=2"));
  });

  it("shows that the queue is empty, and that it could not be loaded", async () => {
    demand(
      demandLiquidity({
        queue: { requests: 0, shares: "0", value: "0.000000", ready_shares: "0", oldest: null, claimable: "0.000000" },
        track_record: null,
        wait: null,
      }),
      queue([]),
    );
    const first = openLiquidity();
    await screen.findByText("No requests are waiting.");
    expect(screen.getByText(/^No estimate has been checked/)).toBeTruthy();
    expect(screen.queryByText("0%")).toBeNull();
    first.unmount();
    answerApi({
      "product/solar/liquidity": data(demandLiquidity()),
      "product/solar/queue": failure,
      "product/solar": data(demandProduct()),
    });
    openLiquidity();
    await screen.findByText("The queue could not be loaded");
  });

  it("rounds the ready part of the queue down: nearly all is not all", async () => {
    const { queue: whole } = demandLiquidity();
    if (!whole) throw new Error("no queue");
    demand(demandLiquidity({ queue: { ...whole, shares: "1000.000000000000", ready_shares: "999.999999999999" } }));
    openLiquidity();
    expect(await screen.findByText(/99%/)).toBeTruthy();
    expect(screen.queryByText(/100%/)).toBeNull();
  });

  it("shows what the queue needs beside the cash of each week", async () => {
    demand(demandLiquidity({ idle: "20000.000000" }));
    openLiquidity();
    const chart = await screen.findByRole("application", { name: /^Cash expected/ });
    fireEvent.keyDown(chart, { key: "Home" });
    fireEvent.keyDown(chart, { key: "ArrowRight" });
    const spoken = screen.getAllByRole("status").map((region) => region.textContent);
    expect(spoken).toContainEqual(expect.stringMatching(/14,000, .* 9,000, Needed by the queue 80,000$/));
  });

  it("shows that there is no queue", async () => {
    demand(demandLiquidity({ queue: null }));
    openLiquidity();
    await screen.findByText("No queue");
    expect(screen.queryByText("Requests in the queue")).toBeNull();
  });

  it("shows a time deposit's cash, its maturities and how far the cash reaches", async () => {
    answerApi({ "product/term/liquidity": data(timeLiquidity()), "product/term": data(timeProduct()) });
    openLiquidity("term");
    await screen.findByText("Matures within 4 weeks");
    expect(screen.getByText(/Cash covers maturities before Nov 24, 2026/)).toBeTruthy();
    const chart = await screen.findByRole("application", { name: /Maturities and expected inflow/ });
    fireEvent.keyDown(chart, { key: "End" });
    const spoken = screen.getAllByRole("status").map((region) => region.textContent);
    expect(spoken).toContainEqual(expect.stringMatching(/^Jan 5, 2027, Matures 19,500,/));
    expect(screen.queryByText("No queue")).toBeNull();
  });

  it("shows no maturity or early exit in a winding down", async () => {
    const liquidity = timeLiquidity({ winding_down: true, weeks: [], buffer: "0.000000" });
    answerApi({ "product/term/liquidity": data(liquidity), "product/term": data(timeProduct()) });
    openLiquidity("term");
    await screen.findByText("This product is being wound down");
    expect(screen.getByText(/^More cash follows when the custodian repays/)).toBeTruthy();
    const ahead = await screen.findByRole("region", { name: "Maturities by week" });
    expect(ahead.textContent).toContain("no deposit is paid at maturity");
    expect(screen.queryByText(/at maturity, and|lower rate|No deposit matures/)).toBeNull();
  });

  it("shows a failure, and the figures after a Retry", async () => {
    let broken = true;
    answerApi({
      "product/solar/liquidity": () => (broken ? failure : data(demandLiquidity())),
      "product/solar/queue": queue(places()),
      "product/solar": data(demandProduct()),
    });
    openLiquidity();
    await screen.findByText("This could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByRole("heading", { name: "10% withdraw" });
  });
});
