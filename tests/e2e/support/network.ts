import type { Page } from "@playwright/test";

/**
 * For tests that lay routes while a page is up: the browser begins to intercept a moment after the call, and on a
 * busy machine a request slips by in it. Called before the page is opened, it intercepts from the start to the end.
 */
export const interceptThroughout = (page: Page) => page.route("**", (route) => route.fallback());
