/**
 * Calls back once the browser is idle, or after one second at the latest. Returns a function that cancels the callback.
 */
export function whenIdle(callback: () => void): () => void {
  // Some browsers lack requestIdleCallback.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(callback, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(callback, { timeout: 1_000 });
  return () => cancelIdleCallback(request);
}
