import { hydrate, type QueryClient } from "@tanstack/react-query";
import { continueAfter } from "../features/live/seen-events.ts";
import { ownClock } from "../i18n/clock.ts";
import { type KeptPage, setKeptPage } from "../kept-page.ts";
import { firstNotice } from "./first-notice.ts";
import { arrivedNow, entryOf, readServedPage, servedPageId } from "./served-page.ts";

/** public/sw.js answers from this cache. */
const cacheName = "pages";
const mostPages = 20;
const policy = "content-security-policy";

/** Keeps the page that the server has just sent for the next visit, where the browser can. */
export async function keepPage(path: string, time: number): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    const worker = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    // None where a browser is set to run no workers. It still has the answer that it shows.
    if (worker) await keep(await pageAt(path, "force-cache"), time);
  } catch (error) {
    noteNotKept(error);
  }
}

/** Whether this page was kept from an earlier visit, until its code is in place. */
export function isKept(): boolean {
  return document.documentElement.dataset.kept !== undefined;
}

/** The next visits come from the server. */
export async function forgetPages(): Promise<void> {
  if ("caches" in globalThis) await caches.delete(cacheName).catch(noteNotKept);
}

/** In place of a kept page whose code no longer fits. */
export async function loadFromServer(): Promise<void> {
  await forgetPages();
  location.reload();
}

/**
 * Replaces the figures of a kept page by the server's, or says that it did not answer. Where the server no longer sends
 * this page, or sends it from another build or under another Content-Security-Policy, it is loaded anew.
 */
export async function renewPage(
  queries: QueryClient,
  { path, time }: Pick<KeptPage, "path" | "time">,
  loadAnew = loadFromServer,
): Promise<void> {
  try {
    const page = await pageAt(path, "default");
    const content = new DOMParser().parseFromString(page.html, "text/html");
    const entry = entryOf(content);
    if (entry === null) throw new Error("The answer is no page of this app");
    const served = readServedPage(content);
    const fits = entry === entryOf(document) && page.headers.get(policy) === (await keptPolicy(path));
    if (served === null || !fits) return await loadAnew();
    // What changes while the page is taken over would have to be rendered twice.
    await ownClock();
    // What is not shown would be taken for new when it is.
    queries.removeQueries({ type: "inactive" });
    hydrate(queries, arrivedNow(served.queries));
    continueAfter(served.lastEventId);
    setKeptPage(null);
    keep(page, served.time).catch(noteNotKept);
  } catch (error) {
    console.info("The figures of a kept page could not be renewed", error);
    setKeptPage({ path, time, state: "unanswered" });
  }
}

async function keptPolicy(path: string): Promise<string | null> {
  const kept = await (await caches.open(cacheName)).match(path, { ignoreVary: true });
  return kept?.headers.get(policy) ?? null;
}

interface SentPage {
  path: string;
  html: string;
  headers: Headers;
}

async function pageAt(path: string, cache: RequestCache): Promise<SentPage> {
  const response = await fetch(path, { headers: { accept: "text/html" }, cache });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return { path, html: await response.text(), headers: response.headers };
}

/** Marked, with the notice of its `time`, and with its headers, which hold the Content-Security-Policy. */
async function keep({ path, html, headers }: SentPage, time: number): Promise<void> {
  // A server with too much to do leaves the content to the browser.
  if (!html.includes(`id="${servedPageId}"`)) return;
  const keptHeaders = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) keptHeaders.delete(name);
  keptHeaders.set("kept-at", String(Date.now()));
  const marked = html
    .replace("<html ", "<html data-kept ")
    .replace('<div id="root">', (root) => firstNotice(time) + root);
  const pages = await caches.open(cacheName);
  await pages.put(path, new Response(marked, { headers: keptHeaders }));
  // In the order in which they were first kept.
  const all = await pages.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - mostPages)).map((page) => pages.delete(page)));
}

/** Storage may be forbidden or full. */
function noteNotKept(error: unknown): void {
  console.info("The pages kept for the next visit could not be changed", error);
}
