import type { Page } from "@playwright/test";

/**
 * Every page as the server sends it where it does not render it itself: what it shows comes by calls of the API, which
 * a test may then intercept.
 */
export const unrendered = (page: Page) =>
  page.route("**", (route, request) =>
    request.isNavigationRequest() && !request.url().includes("?")
      ? route.continue({ url: `${request.url()}?` })
      : route.fallback(),
  );

/**
 * For tests that lay routes while a page is up: the browser begins to intercept a moment after the call, and on a
 * busy machine a request slips by in it. Called before the page is opened, it intercepts from the start to the end.
 */
export const interceptThroughout = (page: Page) => page.route("**", (route) => route.fallback());
