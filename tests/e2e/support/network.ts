import type { Page } from "@playwright/test";

/**
 * Requests every page without server rendering. Its data then comes from calls of the API, which a test may intercept.
 */
export const unrendered = (page: Page) =>
  page.route("**", (route, request) =>
    request.isNavigationRequest() && !request.url().includes("?")
      ? route.continue({ url: `${request.url()}?` })
      : route.fallback(),
  );

/**
 * For tests that add routes while a page is open. The browser begins to intercept a moment after such a call, and on a
 * busy machine a request escapes meanwhile. Called before the page opens, this intercepts all the time.
 */
export const interceptThroughout = (page: Page) => page.route("**", (route) => route.fallback());
