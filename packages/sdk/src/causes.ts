/** Yields the thrown value and all its causes, outermost first. Stops at a cycle. */
export function* causes(thrown: unknown): Generator<Record<string, unknown>> {
  const visited = new Set<unknown>();
  let current = thrown;
  while (typeof current === "object" && current !== null && !visited.has(current)) {
    visited.add(current);
    yield current as Record<string, unknown>;
    current = (current as { cause?: unknown }).cause;
  }
}
