import { paths } from "../../paths.ts";

const entries: readonly string[] = [paths.signIn, paths.signUp, paths.forgotPassword];

/**
 * Where a log-in leads: a path of this site, as `?next=` names it, else /account. Anything else, another origin above
 * all, counts as not named: a link could otherwise send who has just logged in to a page that looks like ours.
 */
export function nextPath(named: string | null, origin: string = location.origin): string {
  if (!named?.startsWith("/") || !URL.canParse(named, origin)) return paths.account;
  const url = new URL(named, origin);
  if (url.origin !== origin || entries.includes(url.pathname.replace(/\/+$/, ""))) return paths.account;
  return url.pathname + url.search + url.hash;
}
