/** Calls back once the browser has nothing else to do, after a second at the latest. Returns what calls it off. */
export function whenIdle(callback: () => void): () => void {
  // Not in every browser.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(callback, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(callback, { timeout: 1_000 });
  return () => cancelIdleCallback(request);
}
