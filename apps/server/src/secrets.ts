/**
 * The parts of a URL that may be an access key or a password, in lower case: credentials, query values and long parts
 * of the path.
 */
export function accessKeysOf(url: string): string[] {
  const { username, password, pathname, search, searchParams } = new URL(url);
  const parts = pathname.split("/").filter((part) => part.length >= 12);
  const written = search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  const values = [username, password, ...written, ...searchParams.values()].filter((part) => part.length >= 6);
  return [...new Set([...parts, ...values, ...values.map(decoded)].map((part) => part.toLowerCase()))];
}

/** Decodes a text. Returns it unchanged if a % does not begin a code, as in a password that was not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
