import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { Link, MemoryRouter, Route, Routes as RoutesOf } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Layout } from "../../src/app/layout.tsx";
import { loadPage, Routes } from "../../src/app/routes.tsx";
import { activateLanguage, chooseLanguage, useLanguage } from "../../src/i18n/i18n.ts";
import { stubMedia } from "../media.ts";
import { answerApi, list } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";

const scrolled = vi.fn();

beforeEach(() => {
  localStorage.clear();
  scrolled.mockClear();
  stubMedia("width >= ");
  vi.stubGlobal("scrollTo", scrolled);
  answerApi({
    "product/list": list([makeProduct()]),
    network: { body: { data: { version: "0.1.0", chains: [], faucet: false, walletconnect_project_id: null } } },
  });
});
afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await activateLanguage("en-US");
});

/** The shell as main.tsx mounts it, without wallet and toasts. */
function Shell({ at }: { at: string }) {
  useLanguage();
  return (
    <MemoryRouter initialEntries={[at]}>
      <Routes />
    </MemoryRouter>
  );
}

function show(at: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  return render(
    <QueryClientProvider client={queries}>
      <Shell at={at} />
    </QueryClientProvider>,
  );
}

const mainNavigation = () => screen.findByRole("navigation", { name: "Main" });

describe("main navigation", () => {
  it("marks Home on / and on /home, and leaves Transparency out", async () => {
    for (const path of ["/", "/home"]) {
      const shown = show(path);
      await mainNavigation();
      expect(screen.getByRole("link", { name: "Home" }).getAttribute("aria-current")).toBe("page");
      expect(screen.getByRole("link", { name: "Products" }).getAttribute("aria-current")).toBeNull();
      const links = within(screen.getByRole("navigation", { name: "Main" })).queryAllByRole("link");
      expect(links.map(({ textContent }) => textContent)).not.toContain("Transparency");
      shown.unmount();
    }
  });

  it("links to two external pages under Community, without window.opener", async () => {
    show("/about");
    fireEvent.click(await screen.findByRole("button", { name: "Community" }));
    const ways = screen.getAllByRole("link", { name: /opens in a new tab/ }).slice(0, 2);
    expect(ways.map((way) => way.getAttribute("rel"))).toEqual(["noopener noreferrer", "noopener noreferrer"]);
    for (const way of ways) expect(way.getAttribute("href")).toMatch(/^https:/);
  });
});

describe("a navigation", () => {
  it("starts at the top, moves focus to the page and announces its title", async () => {
    show("/about");
    await screen.findByRole("heading", { level: 1, name: "About Us" });
    scrolled.mockClear();
    fireEvent.click(screen.getByRole("link", { name: "Products" }));
    await screen.findByRole("heading", { level: 1, name: "Products" });
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(document.activeElement).toBe(screen.getByRole("main"));
    await waitFor(() => expect(document.title).toBe("Products · Aqua"));
    expect(document.querySelector("[aria-live=polite][aria-atomic]")?.textContent).toBe("Products · Aqua");
  });

  it("scrolls to the top even for a link to the current page, but not for a filter", async () => {
    show("/products");
    const search = await screen.findByRole("searchbox");
    scrolled.mockClear();
    fireEvent.change(search, { target: { value: "sol" } });
    expect(scrolled).not.toHaveBeenCalled();
    fireEvent.change(search, { target: { value: "" } });
    fireEvent.click(screen.getByRole("link", { name: "Products" }));
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 0));
  });

  it("closes the drawer and moves focus to the new page, not to the menu button", async () => {
    stubMedia();
    show("/about");
    await screen.findByRole("heading", { level: 1, name: "About Us" });
    fireEvent.click(screen.getByRole("button", { name: "Open menu" }));
    const drawer = await screen.findByRole("dialog", { name: "Menu" });
    scrolled.mockClear();
    const link = [...drawer.querySelectorAll("a")].find((way) => way.textContent === "Products");
    expect(link).toBeTruthy();
    fireEvent.click(link as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Menu" })).toBeNull());
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(document.activeElement).toBe(screen.getByRole("main"));
  });
});

it("a focused control that disappears leaves the focus on the page", async () => {
  show("/products?status=closed");
  const remove = await screen.findByRole("button", { name: /Remove Status/ });
  // The code that moves the focus loads with the event stream, after the page.
  const streaming = () => vi.mocked(fetch).mock.calls.some(([input]) => String(input).includes("/events"));
  await waitFor(() => expect(streaming()).toBe(true));
  remove.focus();
  fireEvent.click(remove);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText("1 of 1 product")));
});

describe("a change of language", () => {
  it("updates every text and keeps typed text and open panels", async () => {
    show("/products");
    const search = await screen.findByRole<HTMLInputElement>("searchbox");
    await screen.findByRole("heading", { name: "Sahel Solar" });
    fireEvent.change(search, { target: { value: "sahel" } });
    fireEvent.click(screen.getByRole("button", { name: "Community" }));
    await act(() => chooseLanguage("en-XA"));
    expect(search.isConnected).toBe(true);
    expect(search.value).toBe("sahel");
    expect(screen.getByRole("button", { name: /Çôɱɱûñîţý/ }).getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toMatch(/^\[Þŕôðûçţš/);
    expect(document.title).toMatch(/^\[Þŕôðûçţš/);
  });

  it("leaves no English text of ours on the page", async () => {
    await chooseLanguage("en-XA");
    show("/products");
    await screen.findByRole("heading", { name: "Sahel Solar" });
    const plain = [...document.querySelectorAll("main h1, main label, main button, main dt, nav a, header button")]
      .map((element) => element.textContent ?? "")
      .filter((text) => /[a-z]/i.test(text) && !/^\[.*~\]/.test(text.trim()));
    expect(plain).toEqual([]);
  });
});

it("every language is listed by its own name and with its own lang attribute", async () => {
  show("/about");
  fireEvent.click(await screen.findByRole("button", { name: "Language: English" }));
  const choices = [...document.querySelectorAll("header li button[lang]")];
  expect(choices.map((choice) => [choice.getAttribute("lang"), choice.textContent])).toEqual([
    ["en-US", "English"],
    ["zh-CN", "简体中文"],
    ["zh-TW", "繁體中文"],
    ["ko-KR", "한국어"],
    ["fr-FR", "Français"],
  ]);
});

describe("a page that is about to be opened", () => {
  it("opens without a spinner once its code is loaded", async () => {
    show("/products");
    const navigation = await mainNavigation();
    await loadPage("/portfolios");
    fireEvent.click(within(navigation).getByRole("link", { name: "Portfolios" }));
    expect(screen.getByRole("heading", { level: 1, name: "Portfolios" })).toBeTruthy();
  });

  it("is prefetched when the pointer is over its link or the link has the focus", async () => {
    const onIntent = vi.fn();
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <RoutesOf>
            <Route element={<Layout onIntent={onIntent} />}>
              <Route
                index
                element={
                  <>
                    <Link to="/product/alps-hydro">Alps</Link>
                    <Link to="/liquidity/alps-hydro">Wait</Link>
                    <a href="https://aqua.example/product/elsewhere">Elsewhere</a>
                  </>
                }
              />
            </Route>
          </RoutesOf>
        </MemoryRouter>
      </QueryClientProvider>,
    );
    fireEvent.pointerOver(await screen.findByRole("link", { name: "Alps" }));
    fireEvent.pointerOver(screen.getByRole("link", { name: "Elsewhere" }));
    act(() => screen.getByRole("link", { name: "Wait" }).focus());
    expect(onIntent.mock.calls).toEqual([["/product/alps-hydro"], ["/liquidity/alps-hydro"]]);
  });
});
