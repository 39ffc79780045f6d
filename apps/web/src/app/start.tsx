import { hydrate } from "@tanstack/react-query";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { continueAfter } from "../features/live/seen-events.ts";
import { createQueryClient } from "../features/query-client.ts";
import { fixClock } from "../i18n/clock.ts";
import { activateLanguage, renewLanguageCookie, restoreLanguage, storedLanguage } from "../i18n/i18n.ts";
import { reportError } from "../report-error.ts";
import { App } from "./app.tsx";
import { loadPage, preloadPage } from "./routes.tsx";
import { arrivedNow, readServedPage, type ServedPage } from "./served-page.ts";
import { tolerateTranslators } from "./tolerate-translators.ts";

const reload = '<p style="padding: 2rem">Aqua could not be loaded. <a href="">Reload</a></p>';

/** Hydrates the page that the server rendered, or renders it in the browser. */
export async function startApp(): Promise<void> {
  tolerateTranslators();
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  try {
    const served = readServedPage(document);
    if (served) await takeOver(root, served);
    else await render(root);
  } catch (error) {
    reportError("page", error);
    // Without a catalog no translated text can be shown. A page that the server rendered remains readable.
    if (root.hasChildNodes()) root.insertAdjacentHTML("beforebegin", reload);
    else root.innerHTML = reload;
  }
}

async function render(root: HTMLElement, queries = createQueryClient()): Promise<void> {
  // Loads the page's code and its texts in parallel.
  preloadPage(location.pathname);
  await restoreLanguage();
  createRoot(root).render(<App queries={queries} Router={BrowserRouter} />);
}

async function takeOver(root: HTMLElement, served: ServedPage): Promise<void> {
  const queries = createQueryClient();
  // A page from the browser's back/forward history has data of that time, so its answers must not be dated as new.
  const isReturn = navigationType() === "back_forward";
  hydrate(queries, isReturn ? served.queries : arrivedNow(served.queries));
  continueAfter(served.lastEventId);
  // The server does not know the address's fragment, nor a language choice that is in no cookie.
  const differs = location.hash !== "" || (storedLanguage() ?? served.language) !== served.language;
  if (differs) {
    await loadPage(location.pathname);
    return render(root, queries);
  }
  renewLanguageCookie();
  fixClock(served.time);
  await Promise.all([activateLanguage(served.language), loadPage(location.pathname)]);
  // A transition hydrates in pieces and handles presses between them. Without it, hydration would be one long task.
  startTransition(() => {
    hydrateRoot(root, <App queries={queries} Router={BrowserRouter} />, { onRecoverableError: noteDifference });
  });
}

function navigationType(): NavigationTimingType | undefined {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type;
}

/**
 * Logs that React rendered a part again because it differed from the server's rendering, for example a figure that
 * changed meanwhile.
 */
function noteDifference(error: unknown): void {
  console.info("A part of the page differed from the server's and was rendered again", error);
}
