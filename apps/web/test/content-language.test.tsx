import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import ProductLayout from "../src/features/product/layout.tsx";
import ProductPage from "../src/features/product/page.tsx";
import ProductsPage from "../src/features/products/page.tsx";
import { activateLanguage, loadTexts, useLanguage } from "../src/i18n/i18n.ts";
import { answerApi, list, renderPage } from "./page-harness.tsx";
import { makeProduct } from "./products.ts";
import { aProduct } from "./transact/product.ts";

const names: Record<string, string> = { "en-US": "Sahel Solar", "fr-FR": "Solaire du Sahel", "zh-CN": "萨赫勒太阳能" };
const base = { name: "Sahel Solar", summary: "Pumps", location: "Niger", asset_class: "Irrigation" };

function named(url: URL) {
  const lang = url.searchParams.get("lang") ?? "";
  return { name: names[lang] ?? `no name for ${lang}`, base: lang === "en-US" ? null : base };
}

function FramedPage() {
  return (
    <ProductLayout>
      <ProductPage />
    </ProductLayout>
  );
}

/** Renders the page again after each change of language, as the shell does. */
function InLanguage({ page: Page }: { page: () => React.ReactNode }) {
  useLanguage();
  return <Page />;
}

beforeEach(async () => {
  await loadTexts("products", "transact", "wallet");
});
afterEach(() => activateLanguage("en-US"));

it("the products are requested in the language of the page, and found by their English names too", async () => {
  const calls = answerApi({ "product/list": (url) => list([makeProduct(named(url))]) });
  renderPage(<InLanguage page={ProductsPage} />, "/products", "/products");
  await screen.findByRole("heading", { name: "Sahel Solar" });
  await act(() => activateLanguage("fr-FR"));
  await screen.findByRole("heading", { name: "Solaire du Sahel" });
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "sahel irrigation" } });
  expect(screen.getByRole("heading", { name: "Solaire du Sahel" })).toBeTruthy();
  expect(calls.mock.calls.map(([url]) => new URL(String(url), "http://a").searchParams.get("lang"))).toEqual([
    "en-US",
    "fr-FR",
  ]);
});

it("a product's page keeps its content until its texts have loaded in the new language", async () => {
  let arrive = () => {};
  const chinese = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const answers = answerApi({
    "product/solar/": { status: 503, body: { error_code: "chain_unavailable", message: "", request_id: "" } },
    "product/solar": (url) => ({ body: { data: aProduct(named(url)) } }),
  });
  const answer = answers.getMockImplementation();
  answers.mockImplementation(async (input, init) => {
    if (String(input).includes("lang=zh-CN")) await chinese;
    return answer?.(input, init) ?? Response.error();
  });
  renderPage(<InLanguage page={FramedPage} />, "/product/:shortId", "/product/solar");
  await screen.findByRole("heading", { level: 1, name: "Sahel Solar" });
  await act(() => activateLanguage("zh-CN"));
  expect(screen.getByRole("heading", { level: 1, name: "Sahel Solar" })).toBeTruthy();
  arrive();
  await screen.findByRole("heading", { level: 1, name: "萨赫勒太阳能" });
});

it("the pseudo-language, which no document has, requests English", async () => {
  await act(() => activateLanguage("en-XA"));
  answerApi({ "product/list": (url) => list([makeProduct(named(url))]) });
  renderPage(<InLanguage page={ProductsPage} />, "/products", "/products");
  await screen.findByRole("heading", { name: "Sahel Solar" });
});
