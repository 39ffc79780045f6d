import type { DehydratedState } from "@tanstack/react-query";
import type { Language } from "../i18n/languages.ts";

/** What the server rendered a page from, which the browser needs to take it over. */
export interface ServedPage {
  language: Language;
  /** When it was rendered, Unix milliseconds. */
  time: number;
  /** The last event that these answers know of. */
  lastEventId: string;
  /** The answers of the API that it shows. */
  queries: DehydratedState;
}

/** The id of the element that holds it as JSON. */
export const servedPageId = "served-page";

/** Null on a page that the server did not render. */
export function readServedPage(page: Document): ServedPage | null {
  const text = page.getElementById(servedPageId)?.textContent;
  return text ? (JSON.parse(text) as ServedPage) : null;
}

/** The answers of a page as new as those that arrive this moment: the server's clock may differ. */
export function arrivedNow(state: DehydratedState): DehydratedState {
  const dataUpdatedAt = Date.now();
  return {
    ...state,
    queries: state.queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })),
  };
}

/**
 * The URLs of the scripts a page begins with, one of which changes its name with every change of the code. Null when
 * there are none.
 */
export function entryOf(page: Document): string | null {
  const scripts = [...page.querySelectorAll("script[type=module][src]")];
  return scripts.map((script) => script.getAttribute("src")).join(" ") || null;
}
