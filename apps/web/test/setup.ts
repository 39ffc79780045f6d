import { ReadableStream } from "node:stream/web";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll } from "vitest";
import { activateLanguage, loadTexts } from "../src/i18n/i18n.ts";
import { namespaces } from "../src/i18n/namespaces.ts";
import { mediaWhere } from "./media.ts";

// A busy machine renders slowly; how long is no matter here.
configure({ asyncUtilTimeout: 20_000 });

// jsdom has none, and what a test file runs in has only what jsdom has.
Object.assign(globalThis, { ReadableStream });

// jsdom has none; a stub would be gone before the page of the test is.
globalThis.matchMedia = mediaWhere() as unknown as typeof matchMedia;

beforeAll(async () => {
  await loadTexts(...namespaces);
  await activateLanguage("en-US");
});
afterEach(cleanup);
