import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Link, MemoryRouter, Route, Routes } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Layout } from "../../src/app/layout.tsx";
import { stubMedia } from "../media.ts";
import { answerApi } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const onIntent = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  stubMedia();
  answerApi({ "product/": { body: { data: makeProduct() } }, network: "unreachable" });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Routes>
          <Route element={<Layout onIntent={onIntent} />}>
            <Route
              index
              element={
                <>
                  <Link to="/product/aegean-water">
                    Aegean <b>Water</b>
                  </Link>
                  <Link to="/product/alps-hydro">Alps Hydro</Link>
                  <p>Text</p>
                </>
              }
            />
          </Route>
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  onIntent.mockClear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "connection");
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const products = () =>
  vi
    .mocked(fetch)
    .mock.calls.map(([input]) => new URL(String(input), "http://aqua.test").pathname)
    .filter((path) => path.startsWith("/api/v2/product/"));

it("a product is prefetched once, after the pointer has rested on its link", async () => {
  fireEvent.pointerOver(screen.getByText("Water"));
  expect(onIntent.mock.calls).toEqual([["/product/aegean-water"]]);
  await pass(50);
  fireEvent.pointerOver(screen.getByText("Aegean", { exact: false, selector: "a" }));
  expect(products()).toEqual([]);
  await pass(50);
  expect(products()).toEqual(["/api/v2/product/aegean-water"]);
  fireEvent.pointerOver(screen.getByText("Text"));
  fireEvent.pointerOver(screen.getByText("Water"));
  await pass(200);
  expect(products()).toHaveLength(1);
});

it("a product whose link has the focus is prefetched", async () => {
  act(() => screen.getByRole("link", { name: "Alps Hydro" }).focus());
  await pass(200);
  expect(products()).toEqual(["/api/v2/product/alps-hydro"]);
});

it("nothing is prefetched for a pointer that passes", async () => {
  fireEvent.pointerOver(screen.getByText("Water"));
  await pass(30);
  fireEvent.pointerOver(screen.getByText("Alps Hydro"));
  await pass(30);
  fireEvent.pointerLeave(screen.getByRole("main"));
  await pass(200);
  expect(products()).toEqual([]);
});

it("nothing is prefetched for a visitor who saves data", async () => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  fireEvent.pointerOver(screen.getByText("Water"));
  await pass(200);
  expect(products()).toEqual([]);
});
