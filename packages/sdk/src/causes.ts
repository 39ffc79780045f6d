/** Yields the thrown value and all its causes, outermost first. Stops at a cycle. */
export function* causes(thrown: unknown): Generator<Record<string, unknown>> {
  const seen = new Set<unknown>();
  let current = thrown;
  while (typeof current === "object" && current !== null && !seen.has(current)) {
    seen.add(current);
    yield current as Record<string, unknown>;
    current = (current as { cause?: unknown }).cause;
  }
}
