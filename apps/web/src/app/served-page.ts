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
export function readServedPage(): ServedPage | null {
  const text = document.getElementById(servedPageId)?.textContent;
  return text ? (JSON.parse(text) as ServedPage) : null;
}
