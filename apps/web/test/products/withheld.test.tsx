import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import PerformancePage from "../../src/features/performance/page.tsx";
import ProductLayout from "../../src/features/product/layout.tsx";
import ProductPage from "../../src/features/product/page.tsx";
import { ProductCard } from "../../src/features/products/card.tsx";
import { createQueryClient } from "../../src/features/query-client.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { paths } from "../../src/paths.ts";
import { ErrorState } from "../../src/ui/error-state.tsx";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { aDemand, aTime } from "./details.ts";

const reason = "Withheld: the audit found a stored value that differs from its source.";
const refusal = { error_code: "figures_withheld", message: "The performance is withheld", request_id: "r-1" };
const healthy = aDemand();
const figures = {
  withheld: ["accounts" as const],
  ...{ tvl: null, cap_used: null, instant_capacity: null, wait: null, holders: null, proof_age: null },
  apy: { ...healthy.apy, value: null },
  conditions: { ...healthy.conditions, cash: null, deployed: null },
  income_months: [],
};
const share = { ...healthy.share, price: null, supply: null };

beforeAll(() => loadTexts("product", "performance"));
afterEach(() => vi.unstubAllGlobals());

const transparencyLinks = () => screen.getAllByRole("link", { name: "See Transparency" });

it("a card shows no figure of a product whose figures are withheld, and says why", () => {
  renderPage(<ProductCard product={makeProduct({ ...figures, share })} />, "/", "/");
  const shownFor = (label: string) => screen.getAllByText(label)[0]?.closest("dt")?.parentElement?.querySelector("dd");
  for (const label of ["APY", "Total assets"]) expect(shownFor(label)?.textContent).toBe("—");
  expect(screen.getAllByText(reason, { exact: false }).length).toBeGreaterThan(0);
  expect(transparencyLinks()[0]?.getAttribute("href")).toBe(paths.transparency);
});

const empty = { max_drawdown: null, exit_curve: [] };
const vault = { settled: null, streaming: null, supply: null, deployed: null };
const books = {
  ...{ cash: null, deployed: null, principal: null, liabilities: null, reserved: null },
  ...{ free_interest: null, coverage: null, losses: null, receipts: null },
};

it.each([
  ["demand", aDemand({ ...figures, ...empty, share, vault })],
  ["time", aTime({ ...figures, terms: [], term: null, open_terms: [], books })],
])("the page of a %s deposit shows its notice and no figure that it cannot know", async (_type, product) => {
  answerApi({
    [`product/${product.short_id}/devices`]: { body: { data: [] } },
    [`product/${product.short_id}/performance`]: { status: 409, body: refusal },
    [`product/${product.short_id}/transactions`]: list([]),
    [`product/${product.short_id}/announcements`]: { body: { data: { changes: [] } } },
    "transparency/summary": { status: 409, body: refusal },
    [`product/${product.short_id}`]: { body: { data: product } },
  });
  const page = (
    <ProductLayout>
      <ProductPage />
    </ProductLayout>
  );
  renderPage(page, "/product/:shortId", `/product/${product.short_id}`);
  expect(await screen.findByText("Some figures are withheld")).toBeTruthy();
  expect(document.body.textContent).not.toContain("too few withdrawals");
  expect(document.body.textContent).toContain("You can still withdraw and collect on the product’s page");
  const risks = (await screen.findByText("Main risks")).closest("section");
  expect(within(risks as HTMLElement).getAllByText(reason)).toHaveLength(3);
  const income = screen.queryByText(/No income|no income/);
  expect(income).toBeNull();
  expect(transparencyLinks().length).toBeGreaterThan(0);
});

it("an answer that is refused shows the reason instead of its figures", () => {
  renderPage(<ErrorState title="The statement could not be loaded" error={refusal} />, "/", "/");
  expect(screen.getByRole("alert").textContent).toContain(reason);
  expect(transparencyLinks()).toHaveLength(1);
});

it("the last answer disappears from an open page when the server withholds it", async () => {
  const answer = { short_id: "solar", type: "demand_deposit", share_price: "1.05", apy: [], max_drawdown: "0" };
  const shown = { ...answer, max_drawdown_taken_back: null, series: [], reports: [], as_of: healthy.as_of };
  let isWithheld = false;
  answerApi({
    "product/solar/performance": () => (isWithheld ? { status: 409, body: refusal } : { body: { data: shown } }),
    "product/solar": { body: { data: healthy } },
  });
  const queries = createQueryClient();
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={["/performance/solar"]}>
        <Routes>
          <Route path="/performance/:shortId" element={<PerformancePage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(/1\.05/)).toBeTruthy();
  isWithheld = true;
  await act(() => queries.refetchQueries());
  expect(await screen.findByText(reason, { exact: false })).toBeTruthy();
  expect(screen.queryByText(/1\.05/)).toBeNull();
});
