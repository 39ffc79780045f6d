import { ReadableStream } from "node:stream/web";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll } from "vitest";
import { activateLanguage, loadTexts } from "../src/i18n/i18n.ts";
import { namespaces } from "../src/i18n/namespaces.ts";
import { mediaWhere } from "./media.ts";

// A busy machine renders slowly, and these tests do not measure time.
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no ReadableStream, and test files only have jsdom's globals.
Object.assign(globalThis, { ReadableStream });

// jsdom has no matchMedia; a stub would be removed before the page is unmounted.
globalThis.matchMedia = mediaWhere() as unknown as typeof matchMedia;

beforeAll(async () => {
  await loadTexts(...namespaces);
  await activateLanguage("en-US");
});
afterEach(cleanup);
