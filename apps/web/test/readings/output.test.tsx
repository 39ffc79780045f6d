import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import OutputChart from "../../src/features/performance/output-chart.tsx";
import ReportsAbove from "../../src/features/performance/reports-above.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { anIncomeCheck } from "./fixtures.ts";

beforeEach(async () => {
  await Promise.all([loadTexts("readings"), loadTexts("performance")]);
});

it("a loss is stated as text, and bars show gains only, whose scale it would dominate", async () => {
  const day = 86_400_000;
  const report = (n: number, expected: string | null, delta: string, other: string | null = null) => ({
    from: n * day,
    to: (n + 1) * day,
    counted: "500.0",
    proceeds: "70.000000",
    expected,
    delta,
    other,
    other_reason: other && "The insurer paid an advance.",
    hash: `0x${String(n).repeat(64)}`,
  });
  const items = [
    report(1, "41.000000", "41.000000"),
    report(2, null, "-8483.620000"),
    report(3, "44.000000", "44.000000", "0.000000"),
    report(4, "44.000000", "46.500000", "2.500000"),
  ];
  answerApi({
    "product/solar/income": { body: { data: { short_id: "solar", metric: anIncomeCheck().metric, items } } },
  });
  const of = { shortId: "solar", unit: "tUSD", range: "all" } as const;
  const parts = (
    <>
      <OutputChart {...of} />
      <ReportsAbove {...of} />
    </>
  );
  const { container } = renderPage(parts, "/", "/");
  const chart = await screen.findByRole("application", { name: "Device output and income" });
  fireEvent.keyDown(chart, { key: "End" });
  fireEvent.keyDown(chart, { key: "ArrowLeft" });
  fireEvent.keyDown(chart, { key: "ArrowLeft" });
  expect(within(chart).getByText(/loss of 8,483.62 tUSD/)).toBeTruthy();
  expect(container.textContent).not.toContain("−5,000");
  // The legend beside the chart has bars of its own.
  expect(chart.querySelectorAll("svg rect[style*='--series']").length).toBe(6);
  // The page says in words which report exceeds the metered income.
  await screen.findByText(/exceeds the metered income/);
  expect(screen.getAllByText(/exceeds the metered income/)).toHaveLength(1);
  expect(container.textContent).toContain("Reported: 46.50 tUSD. The metered income is 500.0\u00a0kWh");
  expect(container.textContent).toContain("explains: The insurer paid an advance.");
});
