import type { LanguageCode } from "@aqua/sdk/languages";

export interface PageHead {
  title: string;
  /** One or two sentences for search engines and previews of links. Null if a page has no description of its own. */
  description: string | null;
}

/** The data from which the server renders a page. It renders several pages at once, each with its own data. */
export interface RenderedPage {
  language: LanguageCode;
  /** Unix milliseconds. */
  time: number;
  /** Sends calls of the API. */
  fetch: typeof fetch;
  /** Set by the page while it renders. */
  head: PageHead;
}

/** The page that is being rendered on the server; null in a browser. */
export let renderedPage: () => RenderedPage | null = () => null;

/**
 * Sets the source of the rendered page; called by the server's entry. Components call the functions for texts, dates
 * and API calls without a React context.
 */
export function renderPagesIn(page: typeof renderedPage): void {
  renderedPage = page;
}
