import { QueryClient } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renewPage } from "../../src/app/kept-pages.ts";
import { pageAnswered, setKeptPage, useKeptPage } from "../../src/kept-page.ts";

const entry = "/assets/index-1.js";
const rendered = Date.UTC(2026, 10, 24);

const page = ({ script = entry, served = null as object | null } = {}) =>
  `<!doctype html><html lang="en-US"><script type="module" src="${script}"></script>${
    served === null ? "" : `<script type="application/json" id="served-page">${JSON.stringify(served)}</script>`
  }<div id="root"></div></html>`;
const policy = "script-src 'self'";
const answer = (body: string, { status = 200, csp = policy } = {}) =>
  vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => new Response(body, { status, headers: { "content-security-policy": csp } }));

/** The browser's cache, with the page that is shown. */
function cacheWithPage() {
  const kept = new Map([["/about", new Response("old", { headers: { "content-security-policy": policy } })]]);
  const cache = {
    match: async (path: string) => kept.get(path),
    put: async (path: string, page: Response) => void kept.set(path, page),
    keys: async () => [...kept.keys()],
  };
  vi.stubGlobal("caches", { open: async () => cache });
  return kept;
}

const servedWith = (price: string) => ({
  language: "en-US",
  time: Date.now(),
  lastEventId: "7",
  queries: {
    mutations: [],
    queries: [
      { queryKey: ["price"], queryHash: '["price"]', state: { status: "success", data: price, dataUpdatedAt: 1 } },
    ],
  },
});

function keptVisit() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(["price"], "1.00", { updatedAt: Date.now() - 1_000 });
  const loadAnew = vi.fn(async () => undefined);
  const { result } = renderHook(useKeptPage);
  const cached = cacheWithPage();
  const renew = () => act(() => renewPage(queries, { path: "/about", time: rendered }, loadAnew));
  act(() => setKeptPage({ path: "/about", time: rendered, state: "renewing" }));
  return { cached, queries, loadAnew, renew, state: () => result.current?.state ?? "current" };
}

beforeEach(() => {
  const script = document.createElement("script");
  script.type = "module";
  script.setAttribute("src", entry);
  document.head.append(script);
});
afterEach(() => {
  document.head.querySelector("script[type=module]")?.remove();
  vi.unstubAllGlobals();
  act(() => setKeptPage(null));
});

describe("a page of an earlier visit", () => {
  it("has the server's figures once they are here, and those alone", async () => {
    const visit = keptVisit();
    visit.queries.setQueryData(["not shown"], "old");
    answer(page({ served: servedWith("1.02") }));
    await visit.renew();
    expect(visit.queries.getQueryData(["price"])).toBe("1.02");
    expect(visit.queries.getQueryData(["not shown"])).toBeUndefined();
    expect(visit.state()).toBe("current");
    // Marked, for the next visit.
    const next = await visit.cached.get("/about")?.text();
    expect(next).toContain("<html data-kept lang");
    expect(next).toMatch(/<p [^>]*>Figures of [^<]+\. Updating…<\/p><\/div><div id="root">/);
  });

  it("is old until then, and stays so while the server does not answer or fails", async () => {
    const visit = keptVisit();
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
    await visit.renew();
    expect(visit.state()).toBe("unanswered");
    answer("Bad gateway", { status: 502 });
    await visit.renew();
    expect(visit.state()).toBe("unanswered");
    answer(page({ served: servedWith("1.02") }));
    await visit.renew();
    expect(visit.state()).toBe("current");
  });

  it("does not take another site's page for an answer", async () => {
    const visit = keptVisit();
    answer("<!doctype html><p>Log in to this network</p>");
    await visit.renew();
    expect(visit.state()).toBe("unanswered");
    expect(visit.loadAnew).not.toHaveBeenCalled();
  });

  it.each([
    ["has another build", { script: "/assets/index-2.js", served: servedWith("1.02") }, {}],
    ["lets it do something else", { served: servedWith("1.02") }, { csp: "script-src 'self' 'sha256-a'" }],
    ["no longer sends it with its content", {}, {}],
  ])("is loaded anew when the server %s", async (_, sent, head) => {
    const visit = keptVisit();
    answer(page(sent), head);
    await visit.renew();
    expect(visit.loadAnew).toHaveBeenCalledOnce();
    expect(visit.queries.getQueryData(["price"])).toBe("1.00");
    expect(visit.state()).toBe("renewing");
  });

  it("lets the event stream wait until the server has answered or failed to", async () => {
    const order: string[] = [];
    act(() => setKeptPage({ path: "/about", time: rendered, state: "renewing" }));
    const waiting = pageAnswered().then(() => order.push("stream"));
    await Promise.resolve();
    order.push("answer");
    act(() => setKeptPage({ path: "/about", time: rendered, state: "unanswered" }));
    await waiting;
    expect(order).toEqual(["answer", "stream"]);
  });
});
