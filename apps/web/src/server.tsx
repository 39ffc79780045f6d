import { AsyncLocalStorage } from "node:async_hooks";
import { dehydrate, type QueryClient } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { StaticRouter } from "react-router";
import { App } from "./app/app.tsx";
import { partsOfPage } from "./app/routes.tsx";
import { type ServedPage, servedPageId } from "./app/served-page.ts";
import { createQueryClient } from "./features/query-client.ts";
import { loadLanguage } from "./i18n/i18n.ts";
import type { Language } from "./i18n/languages.ts";
import { ofEveryPage } from "./i18n/namespaces.ts";
import { type PageHead, type RenderedPage, renderPagesIn } from "./rendered-page.ts";

/** The files of the browser's build, each with its modules and the files that it imports. */
type BuiltChunks = Record<string, { modules: string[]; imports: string[] }>;

interface PageRequest {
  /** Pathname of the page. */
  path: string;
  /** The origin of the site as its visitors know it. */
  origin: string;
  language: Language;
  /** index.html of the browser's build. */
  template: string;
  chunks: BuiltChunks;
  /** The id of the last event before the page is rendered. */
  lastEventId: string;
  /** Answers calls of the API for a visitor who is not logged in. */
  fetch: typeof fetch;
}

/** The maximum number of renderings. A page may request more data after its first answers. */
const rounds = 5;

/** Associates each asynchronous call with its page. */
const pages = new AsyncLocalStorage<RenderedPage>();
renderPagesIn(() => pages.getStore() ?? null);

/**
 * The HTML of a page with its content, and the data that the browser needs for hydration. Rejects if a required answer
 * failed.
 */
export function renderPage(request: PageRequest): Promise<string> {
  const { language, fetch } = request;
  const page = { language, fetch, time: Date.now(), head: { title: "Aqua", description: null } };
  return pages.run(page, () => render(request, page));
}

async function render(request: PageRequest, page: RenderedPage): Promise<string> {
  const { path, origin, language, template, chunks, lastEventId } = request;
  const queries = createQueryClient();
  // A visitor would wait for each retry, so there are none here. The browser retries by itself.
  queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retry: false } });
  try {
    await loadLanguage(language);
    const html = await completeHtml(queries, path);
    const served: ServedPage = { language, time: page.time, lastEventId, queries: dehydrate(queries) };
    const preloads = filesOf(path, language, chunks);
    return filled(template, { html, served, url: new URL(path, origin), ...page.head, preloads });
  } finally {
    queries.clear();
  }
}

/** Renders until no data is missing, because the requests of a page are known only after it is rendered. */
async function completeHtml(queries: QueryClient, path: string): Promise<string> {
  const Router: ComponentType<{ children: ReactNode }> = ({ children }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  );
  for (let round = 0; round < rounds; round++) {
    const html = await htmlOf(<App queries={queries} Router={Router} />);
    const pendingQueries = queries
      .getQueryCache()
      .getAll()
      .filter(({ state, options }) => state.status === "pending" && isEnabled(options));
    if (pendingQueries.length === 0) return html;
    await Promise.all(pendingQueries.map((query) => query.fetch()));
  }
  throw new Error(`${path} requested more data in each of ${rounds} renderings`);
}

function isEnabled(options: object): boolean {
  return !("enabled" in options) || options.enabled !== false;
}

async function htmlOf(app: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(app, {
    // React would stream larger parts at the end, with a script that the Content-Security-Policy forbids.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  });
  let html = "";
  for await (const chunk of prelude) html += chunk;
  if (errors.length > 0) throw errors[0];
  return html;
}

/** The files of a page and its texts. Without preloading, the browser would discover them one after the other. */
function filesOf(path: string, language: Language, chunks: BuiltChunks): string[] {
  const page = partsOfPage(path);
  const modules = [
    ...(page?.modules ?? []),
    ...[...ofEveryPage, ...(page?.texts ?? [])].map((name) => `i18n/${language}/${name}.json`),
  ].map((module) => `apps/web/src/${module}`);
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    chunks[file]?.imports.forEach(add);
  };
  for (const [file, chunk] of Object.entries(chunks))
    if (chunk.modules.some((module) => modules.includes(module))) add(file);
  return [...files];
}

interface Filling extends PageHead {
  html: string;
  served: ServedPage;
  url: URL;
  /** Paths of scripts below the root of the site. */
  preloads: readonly string[];
}

function filled(template: string, { html, served, url, title, description, preloads }: Filling): string {
  const json = JSON.stringify(served).replaceAll("<", "\\u003c");
  const links = preloads
    .filter((file) => !template.includes(`/${file}"`))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const parts: [before: string, after: string][] = [
    ['<html lang="en-US">', `<html lang="${served.language}">`],
    ["<title>Aqua</title>", `<title>${escaped(title)}</title>`],
    ["</head>", `${previewOf(url, title, description)}${afterFirstPaint(links.join(""))}</head>`],
    [
      '<div id="root"></div>',
      `<div id="root">${html}</div><script type="application/json" id="${servedPageId}">${json}</script>`,
    ],
  ];
  const page = parts.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`index.html has no ${before}`);
    return text.replace(before, () => after);
  }, afterFirstPaint(template));
  return description === null
    ? page
    : page.replace(/(<meta name="description" content=")[^"]*/, (_, start) => start + escaped(description));
}

/** The page is painted without its scripts, so styles, fonts and pictures have priority over them. */
function afterFirstPaint(tags: string): string {
  return tags.replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"');
}

/**
 * Tags for search engines and previews of links, which need absolute URLs. If a page has no description, the template's
 * own remains.
 */
function previewOf(url: URL, title: string, description: string | null): string {
  const tag = (name: string, text: string) => `<meta property="${name}" content="${escaped(text)}">`;
  return [
    tag("og:type", "website"),
    tag("og:site_name", "Aqua"),
    tag("og:url", url.href),
    tag("og:title", title),
    description === null ? "" : tag("og:description", description),
    tag("og:image", new URL("/preview.png", url).href),
    tag("og:image:width", "1200"),
    tag("og:image:height", "630"),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
