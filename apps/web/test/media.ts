import { vi } from "vitest";

/** What `matchMedia` of a browser is in which the queries with one of these parts hold. */
export const mediaWhere =
  (...parts: string[]) =>
  (query: string) => ({
    matches: parts.some((part) => query.includes(part)),
    addEventListener() {},
    removeEventListener() {},
  });

/** Lets the media queries with one of these parts hold, until the next call or the end of the stubs. */
export function stubMedia(...parts: string[]) {
  vi.stubGlobal("matchMedia", mediaWhere(...parts));
}
