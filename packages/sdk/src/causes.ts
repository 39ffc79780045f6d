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

/** Finds the revert data anywhere in the chain of causes. Its depth depends on node and viem. */
export function revertData(error: unknown): `0x${string}` | null {
  for (const { data, raw } of causes(error)) {
    for (const value of [raw, data, (data as { data?: unknown } | null | undefined)?.data]) {
      if (typeof value === "string" && /^0x[0-9a-fA-F]{8,}$/.test(value)) return value as `0x${string}`;
    }
  }
  return null;
}
