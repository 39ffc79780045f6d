import { paths } from "../../paths.ts";

const entries: readonly string[] = [paths.signIn, paths.signUp, paths.forgotPassword];

/**
 * The page to open after a log-in: a path of this site from `?next=`, or else /account. Other values, such as another
 * origin, are ignored. Otherwise a link could send a freshly logged-in visitor to a page that imitates ours.
 */
export function nextPath(named: string | null, origin: string = location.origin): string {
  if (!named?.startsWith("/") || !URL.canParse(named, origin)) return paths.account;
  const url = new URL(named, origin);
  if (url.origin !== origin || entries.includes(url.pathname.replace(/\/+$/, ""))) return paths.account;
  // The parser turns "/.//host" into "//host", which a link reads as another host.
  if (url.pathname.startsWith("//")) return paths.account;
  return url.pathname + url.search + url.hash;
}
