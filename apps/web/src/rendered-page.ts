import type { LanguageCode } from "@aqua/sdk/languages";

export interface PageHead {
  title: string;
  /** One or two sentences, for search engines and previews of links; null where a page has none of its own. */
  description: string | null;
}

/** What the server renders a page from. It renders several at once, each from its own. */
export interface RenderedPage {
  language: LanguageCode;
  /** Unix milliseconds. */
  time: number;
  /** Sends calls of the API. */
  fetch: typeof fetch;
  /** Set by the page. */
  head: PageHead;
}

/** The page that is being rendered; null in a browser. */
export let renderedPage: () => RenderedPage | null = () => null;

/** For the server's entry: texts, dates and calls are functions that components call without a React context. */
export function renderPagesIn(page: typeof renderedPage): void {
  renderedPage = page;
}
