import { ReadableStream } from "node:stream/web";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterEach, beforeAll } from "vitest";
import { activateLanguage, loadTexts } from "../src/i18n/i18n.ts";
import { namespaces } from "../src/i18n/namespaces.ts";
import { mediaWhere } from "./media.ts";

// A busy machine renders slowly, and these tests do not measure time.
configure({ asyncUtilTimeout: 20_000, getElementError: elementError });

/** Prints the page only when the message is read, because a waiting query throws many errors and discards all but one. */
function elementError(message: string | null, container: Element) {
  const error = new Error();
  error.name = "TestingLibraryElementError";
  Object.defineProperty(error, "message", {
    configurable: true,
    get: () => [message, prettyDOM(container)].filter(Boolean).join("\n\n"),
  });
  return error;
}

// jsdom has no ReadableStream, and test files only have jsdom's globals.
Object.assign(globalThis, { ReadableStream });

// jsdom has no matchMedia; a stub would be removed before the page is unmounted.
globalThis.matchMedia = mediaWhere() as unknown as typeof matchMedia;

beforeAll(async () => {
  // Tests of server rendering load their texts themselves.
  if (typeof document === "undefined") return;
  await loadTexts(...namespaces);
  await activateLanguage("en-US");
});
afterEach(() => {
  cleanup();
  // The tab's storage holds typed text, which must not reach the next test.
  globalThis.sessionStorage?.clear();
});
