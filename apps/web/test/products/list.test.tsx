import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import ProductsPage from "../../src/features/products/page.tsx";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const address = () => screen.getByLabelText("address").textContent;

describe("/products", () => {
  const products = [makeProduct(), makeProduct({ short_id: "hydro", name: "Alpine Hydropower", status: "closed" })];

  it("shows the products that match the address and their count", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products?status=closed");
    await screen.findByRole("heading", { name: "Alpine Hydropower" });
    expect(screen.queryByRole("heading", { name: "Sahel Solar" })).toBeNull();
    expect(screen.getByText("1 of 2 products")).toBeTruthy();
  });

  it("removes the filter that empties the result with one click, in the address too", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products?q=nothing-like-it&status=open");
    fireEvent.click(await screen.findByRole("button", { name: /Remove Search/ }));
    await screen.findByRole("heading", { name: "Sahel Solar" });
    expect(address()).toBe("/products?status=open");
  });

  it("shows a failure, and the products after Retry", async () => {
    let broken = true;
    answerApi({
      "product/list": () =>
        broken
          ? { status: 503, body: { error_code: "chain_unavailable", message: "down", request_id: "r1" } }
          : list(products),
    });
    renderPage(<ProductsPage />, "/products", "/products");
    await screen.findByText("The products could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByRole("heading", { name: "Sahel Solar" });
  });

  it("distinguishes an unreachable server from an empty registry", async () => {
    answerApi({ "product/list": "unreachable" });
    renderPage(<ProductsPage />, "/products", "/products");
    await screen.findByText(/server did not answer/);
    expect(screen.queryByText("No products yet")).toBeNull();
  });

  it("shows an open product that takes no deposits for a time as paused, whatever the reason", async () => {
    answerApi({ "product/list": list([makeProduct({ paused_until: null, deposits_paused: true })]) });
    renderPage(<ProductsPage />, "/products", "/products");
    const card = (await screen.findByRole("heading", { name: "Sahel Solar" })).closest("article") as HTMLElement;
    expect(within(card).getByText("Paused")).toBeTruthy();
  });

  it("shows an unknown rate as a dash, never as zero", async () => {
    answerApi({
      "product/list": list([
        makeProduct({ apy: { value: null, window_days: 30, kind: "variable", annualised: false }, proof_age: null }),
      ]),
    });
    renderPage(<ProductsPage />, "/products", "/products");
    await screen.findByText("no income reported yet");
    expect(screen.queryByText("0.00%")).toBeNull();
  });

  it("names no single filter where only several together leave nothing, and removes all", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products?q=zzz&network=7&sort=apy");
    fireEvent.click(await screen.findByRole("button", { name: "Remove all filters" }));
    await screen.findByRole("heading", { name: "Sahel Solar" });
    expect(address()).toBe("/products?sort=apy");
  });

  it("shows how many products there are without the filter it names", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products?exit=5000");
    await screen.findByText("Remove Cash available, at least: 5,000 to see 2 products.");
  });

  it("filters by liquidity, typed in the language's format, and refuses an invalid amount", async () => {
    const small = makeProduct({ short_id: "small", name: "Small Spring", instant_capacity: "999.999999" });
    answerApi({ "product/list": list([makeProduct({ instant_capacity: "1000" }), small]) });
    renderPage(<ProductsPage />, "/products", "/products");
    const field = await screen.findByLabelText("Cash available, at least");
    fireEvent.change(field, { target: { value: "1,000" } });
    expect(address()).toBe("/products?exit=1000");
    expect(screen.queryByRole("heading", { name: "Small Spring" })).toBeNull();
    fireEvent.change(field, { target: { value: "a lot" } });
    expect(screen.getByText("Enter an amount")).toBeTruthy();
    expect(address()).toBe("/products");
  });

  it("keeps typed text while the address updates, and adopts a removed filter", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products");
    const field = await screen.findByLabelText<HTMLInputElement>("Search");
    fireEvent.change(field, { target: { value: "sahel" } });
    fireEvent.click(await screen.findByRole("button", { name: "Remove Search: sahel" }));
    expect(field.value).toBe("");
  });

  it("shows a time deposit by rate and term, and why it has no reports", async () => {
    const offer = { value: 3, unit: "month" as const, rate: "0.06", apy: "0.061370" };
    answerApi({
      "product/list": list([
        makeProduct({
          type: "time_deposit",
          name: "Harbour Terms",
          share: null,
          apy: { value: "0.061370", window_days: 90, kind: "fixed", annualised: true },
          term: { value: 3, unit: "month" },
          open_terms: [offer],
          proof_age: null,
        }),
      ]),
    });
    renderPage(<ProductsPage />, "/products", "/products");
    const card = (await screen.findByRole("heading", { name: "Harbour Terms" })).closest("article") as HTMLElement;
    expect(card.textContent).toContain("Rate6.00%fixed for 3 months, APY 6.14%");
    expect(card.textContent).toContain("— fixed rate: no reports");
    expect(card.textContent).not.toContain("no income reported yet");
  });

  it("shows the same figures in a table, and stores the choice in the address", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products");
    fireEvent.click(await screen.findByRole("radio", { name: "Table" }));
    const row = (await screen.findByRole("rowheader", { name: /Sahel Solar/ })).closest("tr") as HTMLElement;
    expect(within(row).getByText("5.00%", { exact: false })).toBeTruthy();
    expect(address()).toBe("/products?view=table");
  });

  it("compares up to three products and says in text which figure is best", async () => {
    const four = [
      makeProduct(),
      makeProduct({ short_id: "hydro", name: "Alpine Hydropower", apy: { ...makeProduct().apy, value: "0.07" } }),
      makeProduct({ short_id: "water", name: "Island Water", instant_capacity: "900" }),
      makeProduct({ short_id: "wind", name: "Coast Wind" }),
    ];
    answerApi({ "product/list": list(four) });
    renderPage(<ProductsPage />, "/products", "/products");
    const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Compare ${name}` });
    await screen.findByRole("heading", { name: "Sahel Solar" });
    fireEvent.click(box("Sahel Solar"));
    expect(await screen.findByText("Choose one more")).toBeTruthy();
    fireEvent.click(box("Alpine Hydropower"));
    fireEvent.click(box("Island Water"));
    expect(box("Coast Wind").disabled).toBe(true);
    fireEvent.click(await screen.findByRole("button", { name: "Compare 3 products" }));
    const table = await screen.findByRole("table", { name: "Side by side" });
    expect(address()).toBe("/products?compare=solar%2Chydro%2Cwater&side=1");
    const cells = (title: string) =>
      within(within(table).getByRole("rowheader", { name: title }).closest("tr") as HTMLElement)
        .getAllByRole("cell")
        .map((cell) => /Best: .*/.exec(cell.textContent ?? "")?.[0] ?? null);
    expect(cells("Earns")).toEqual([null, "Best: highest", null]);
    expect(cells("Cash available now")).toEqual([null, null, "Best: most"]);
    expect(cells("Minimum")).toEqual([null, null, null]);
    fireEvent.click(within(table).getByRole("button", { name: "Remove Island Water" }));
    expect(address()).toBe("/products?compare=solar%2Chydro&side=1");
    fireEvent.click(screen.getByRole("button", { name: "Back to the list" }));
    await screen.findByRole("heading", { name: "Coast Wind" });
  });

  it("keeps two choices made before the address has updated", async () => {
    const four = ["a", "b", "c"].map((id) => makeProduct({ short_id: id, name: `Product ${id}` }));
    answerApi({ "product/list": list(four) });
    renderPage(<ProductsPage />, "/products", "/products");
    const boxes = await screen.findAllByRole<HTMLInputElement>("checkbox", { name: /^Compare Product/ });
    // In one batch, so that the second handler closes over the state before the first.
    act(() => {
      boxes[0]?.click();
      boxes[1]?.click();
    });
    expect(address()).toBe("/products?compare=a%2Cb");
  });

  it("opens a shared comparison, and skips missing products", async () => {
    answerApi({ "product/list": list(products) });
    renderPage(<ProductsPage />, "/products", "/products?compare=solar,gone,hydro&side=1");
    const table = await screen.findByRole("table", { name: "Side by side" });
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map((cell) => cell.textContent),
    ).toEqual(["Sahel Solar", "Alpine Hydropower"]);
  });

  it("shows hundreds of products a page at a time", async () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      makeProduct({ short_id: `p${index}`, name: `Product ${index}` }),
    );
    answerApi({
      "product/list": (url) => {
        const page = Number(url.searchParams.get("page"));
        return {
          body: { data: { items: many.slice((page - 1) * 100, page * 100), total: 250, page, page_size: 100 } },
        };
      },
    });
    // jsdom has no layout, so there is nothing to scroll to.
    Element.prototype.scrollIntoView = () => undefined;
    renderPage(<ProductsPage />, "/products", "/products");
    await screen.findByText("250 of 250 products");
    expect(screen.getAllByRole("article")).toHaveLength(24);
    fireEvent.click(screen.getByRole("button", { name: "Next page" }));
    await screen.findByRole("heading", { name: "Product 24" });
    expect(address()).toBe("/products?page=2");
  });
});
