import type { DehydratedState } from "@tanstack/react-query";
import type { Language } from "../i18n/languages.ts";

/** The data from which the server rendered a page. The browser needs it for hydration. */
export interface ServedPage {
  language: Language;
  /** The time at which the page was rendered, in Unix milliseconds. */
  time: number;
  /** The id of the last event that these answers include. */
  lastEventId: string;
  /** The answers of the API that the page shows. */
  queries: DehydratedState;
}

/** The id of the element that contains this data as JSON. */
export const servedPageId = "served-page";

/** Reads the data from a page. Null if the server did not render the page. */
export function readServedPage(page: Document): ServedPage | null {
  const text = page.getElementById(servedPageId)?.textContent;
  return text ? (JSON.parse(text) as ServedPage) : null;
}

/** Dates the answers of a page as if they arrived at this moment, because the server's clock may differ. */
export function arrivedNow(state: DehydratedState): DehydratedState {
  const dataUpdatedAt = Date.now();
  return {
    ...state,
    queries: state.queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })),
  };
}

/**
 * The URLs of a page's entry scripts. At least one of them gets a new name with every change of the code. Null if there
 * are none.
 */
export function entryOf(page: Document): string | null {
  const scripts = [...page.querySelectorAll("script[type=module][src]")];
  return scripts.map((script) => script.getAttribute("src")).join(" ") || null;
}
