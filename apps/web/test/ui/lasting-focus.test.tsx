import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { describe, expect, it } from "vitest";
import ProductsPage from "../../src/features/products/page.tsx";
import { Pager } from "../../src/ui/pager.tsx";
import { Section } from "../../src/ui/section.tsx";
import { useLastingFocus } from "../../src/ui/use-lasting-focus.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

/** The page's frame, as in the layout. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useLastingFocus(useCallback(() => main.current, []));
  return (
    <main ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

const focused = () => document.activeElement;
const heading = (name: string) => screen.getByRole("heading", { name });

async function press(name: string | RegExp) {
  const control = await screen.findByRole("button", { name });
  control.focus();
  fireEvent.click(control);
  return control;
}

function Pages() {
  const [page, setPage] = useState(1);
  return <Pager page={page} pageSize={10} total={20} onChange={setPage} />;
}

function Parts() {
  const [left, setLeft] = useState(["one", "two"]);
  const [out, setOut] = useState(false);
  return (
    <Main>
      <h1>Page</h1>
      <Section title="Things">
        {left.map((name) => (
          <button key={name} type="button" onClick={() => setLeft(left.filter((other) => other !== name))}>
            {name}
          </button>
        ))}
      </Section>
      <button type="button" disabled={out} onClick={() => setOut(true)}>
        once
      </button>
    </Main>
  );
}

describe("the focus of a page whose controls come and go", () => {
  it("moves to the heading of the part that contained the control", async () => {
    render(<Parts />);
    await press("one");
    await waitFor(() => expect(focused()).toBe(heading("Things")));
  });

  it("moves to the nearest heading from a disabled control", async () => {
    render(<Parts />);
    await press("once");
    await waitFor(() => expect(focused()).toBe(heading("Page")));
  });

  it("stays as long as its control exists, and is not restored when the visitor gave it up", async () => {
    render(<Parts />);
    const two = screen.getByRole("button", { name: "two" });
    two.focus();
    fireEvent.click(screen.getByRole("button", { name: "one" }));
    await act(async () => undefined);
    expect(focused()).toBe(two);
    two.blur();
    await act(async () => undefined);
    fireEvent.click(two);
    await act(async () => undefined);
    expect(two.isConnected).toBe(false);
    expect(focused()).toBe(document.body);
  });

  it("stays on the button of a pager at its last page", async () => {
    render(
      <Main>
        <Pages />
      </Main>,
    );
    const next = await press("Next page");
    expect(screen.getByText("11–20 of 20")).toBeTruthy();
    expect(next.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(next);
    expect(screen.getByText("11–20 of 20")).toBeTruthy();
    expect(focused()).toBe(next);
  });
});

describe("the focus on /products", () => {
  const products = ["Sahel Solar", "Alpine Hydro", "Baltic Wind"].map((name, index) =>
    makeProduct({ short_id: `p${index}`, name, status: index === 1 ? "closed" : "open" }),
  );
  function open(search: string) {
    answerApi({ "product/list": list(products) });
    const page = (
      <Main>
        <ProductsPage />
      </Main>
    );
    renderPage(page, "/products", `/products${search}`);
  }
  const count = (shown: number) => screen.getByText(`${shown} of 3 products`);

  it("moves to the comparison that Compare opens, and back to the list", async () => {
    open("?compare=p0,p1,p2");
    await press("Compare 3 products");
    await waitFor(() => expect(focused()).toBe(heading("Side by side")));
    await press("Back to the list");
    await waitFor(() => expect(focused()).toBe(count(3)));
    await press("Compare 3 products");
    await waitFor(() => expect(focused()).toBe(heading("Side by side")));
  });

  it("does not move for a comparison opened by the address", async () => {
    open("?compare=p0,p1&side=1");
    await screen.findByRole("heading", { name: "Side by side" });
    expect(focused()).toBe(document.body);
  });

  it("stays in the comparison and in the tray when a product is removed, and moves to the list with the last", async () => {
    open("?compare=p0,p1,p2&side=1");
    await press("Remove Alpine Hydro");
    await waitFor(() => expect(focused()).toBe(heading("Side by side")));
    await press("Back to the list");
    await press("Remove Baltic Wind");
    await waitFor(() => expect(focused()).toBe(screen.getByRole("region", { name: "Products to compare" })));
    await press("Clear");
    await waitFor(() => expect(focused()).toBe(count(3)));
  });

  it("moves to the number of products when a filter is removed", async () => {
    open("?status=closed&type=demand_deposit");
    await press("Remove Status: Closed");
    await waitFor(() => expect(focused()).toBe(count(3)));
  });

  it("moves there too when the button that removes an emptying filter disappears", async () => {
    open("?q=nothing-like-it");
    await press(/Remove Search/);
    await waitFor(() => expect(focused()).toBe(count(3)));
  });
});
