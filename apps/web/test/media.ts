import { vi } from "vitest";

/** A `matchMedia` in which queries that contain one of these parts match. */
export const mediaWhere =
  (...parts: string[]) =>
  (query: string) => ({
    matches: parts.some((part) => query.includes(part)),
    addEventListener() {},
    removeEventListener() {},
  });

/** Makes media queries that contain one of these parts match, until the next call or the end of the stubs. */
export function stubMedia(...parts: string[]) {
  vi.stubGlobal("matchMedia", mediaWhere(...parts));
}
