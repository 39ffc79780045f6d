/** What in a URL may be an access key or a password, lower-cased: credentials, query values, long parts of the path. */
export function accessKeysOf(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = pathname.split("/").filter((part) => part.length >= 12);
  const given = [username, password, ...searchParams.values()].filter((part) => part.length >= 6);
  return [...parts, ...given, ...given.map(decodeURIComponent)].map((part) => part.toLowerCase());
}
