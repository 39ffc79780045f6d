/** Reads what this instance serves and builds the wallet configuration; the island must not be mounted before. */
export async function prepare(): Promise<void> {}

export function Island() {
  return null;
}
