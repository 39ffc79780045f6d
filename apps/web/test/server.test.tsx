// @vitest-environment node
import { expect, it } from "vitest";
import { renderPage } from "../src/server.tsx";
import { makeProduct } from "./products.ts";

const template =
  '<!doctype html><html lang="en-US"><head><title>Aqua</title><meta name="description" content="Ours" /><script type="module" crossorigin src="/main.js"></script><link rel="modulepreload" crossorigin href="/main-base.js"></head><body><div id="root"></div></body></html>';
const chunks = {
  "page.js": { modules: ["apps/web/src/features/errors/not-found/page.tsx"], imports: ["base.js"] },
  "base.js": { modules: [], imports: ["page.js"] },
  "other.js": { modules: ["apps/web/src/features/home/page.tsx"], imports: [] },
};
const hostile = '</script><script>alert("x")</script><!--';
const network = {
  version: hostile,
  chains: [],
  node_chains: [],
  faucet: false,
  demo: false,
  walletconnect_project_id: null,
};
const asked: string[] = [];
const answering =
  (body: object, status = 200): typeof fetch =>
  async (input) => {
    asked.push(String(input));
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  };
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
const render = (change: Partial<Parameters<typeof renderPage>[0]> = {}) =>
  renderPage({
    path: "/nowhere",
    origin: "https://aqua.example",
    language: "en-US",
    template,
    chunks,
    lastEventId: "run-7",
    fetch: answering({ data: network }),
    ...change,
  });

it("a rendered page names itself and its picture by absolute URLs, as previews of links require", async () => {
  const html = await render();
  expect(html).toContain('<meta property="og:url" content="https://aqua.example/nowhere">');
  expect(html).toContain('<meta property="og:image" content="https://aqua.example/preview.png">');
});

it("a rendered page contains its content, the answers it shows, and links to the files it needs", async () => {
  const html = await render();
  expect(html).toContain("<main");
  expect(html).toContain('<link rel="modulepreload" fetchpriority="low" crossorigin href="/page.js">');
  expect(html).toContain('<link rel="modulepreload" fetchpriority="low" crossorigin href="/base.js">');
  expect(html).not.toContain("other.js");
  const json = /id="served-page">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  expect(JSON.parse(json)).toMatchObject({
    language: "en-US",
    lastEventId: "run-7",
    queries: { queries: [{ state: { data: network } }] },
  });
  expect(asked.every((path) => path.startsWith("/api/v2/"))).toBe(true);
});

it("a rendered page requests every script after the files that the first paint needs", async () => {
  const html = await render();
  const scripts = html.match(/<(script type="module"|link rel="modulepreload")[^>]*>/g) ?? [];
  expect(scripts).toHaveLength(4);
  expect(scripts.filter((tag) => !tag.includes(' fetchpriority="low"'))).toEqual([]);
});

it("a rendered page escapes answers, so that none ends its element", async () => {
  const html = await render();
  expect(html).not.toContain(hostile);
  expect(html.match(/<script/g)).toHaveLength(2);
});

it("the server renders several pages at once, each with its own texts and figures", async () => {
  const [koreanAsked, frenchAnswered] = [gate(), gate()];
  const figures = (version: string) =>
    (async (input, init) => {
      const apy = { value: "0.0432", window_days: 30, kind: "variable", annualised: true } as const;
      const items = [makeProduct({ apy })];
      const isList = String(input).includes("product/list");
      const data = isList ? { items, page: 1, page_size: 100, total: 1 } : { ...network, version };
      return answering({ data })(input, init);
    }) satisfies typeof fetch;
  const [french, korean] = await Promise.all([
    render({
      path: "/products",
      language: "fr-FR",
      async fetch(...call) {
        await koreanAsked.opened;
        frenchAnswered.open();
        return figures("1.0-french")(...call);
      },
    }),
    render({
      language: "ko-KR",
      async fetch(...call) {
        koreanAsked.open();
        await frenchAnswered.opened;
        return figures("2.0-korean")(...call);
      },
    }),
  ]);
  expect(french).toMatch(/^<!doctype html><html lang="fr-FR"><head><title>Produits · Aqua</);
  for (const text of ["Aller au contenu", "4,32", ">Aqua 1.0-french<"]) expect(french).toContain(text);
  expect(korean).toMatch(/^<!doctype html><html lang="ko-KR"><head><title>페이지를 찾을 수 없습니다 · Aqua</);
  for (const text of ["본문으로 건너뛰기", ">Aqua 2.0-korean<"]) expect(korean).toContain(text);
  expect(french + korean).not.toMatch(/\[missing "/);
});

it("rendering a page rejects with the answer that failed", async () => {
  const refusal = { error_code: "internal_error", error_message: "away" };
  await expect(render({ fetch: answering(refusal, 500) })).rejects.toMatchObject({ error_code: "internal_error" });
});
