import { useAccountInfo } from "../../account/info.ts";
import { useLoggedIn } from "../../session.ts";
import type { Visitor } from "./account-need.ts";

/** The visitor's account and wallet, and how to read them again. */
export function useVisitor(): { visitor: Visitor; refresh: () => void } {
  const loggedIn = useLoggedIn();
  const account = useAccountInfo(loggedIn);
  const known = account.data ?? (account.isError ? "error" : "loading");
  return { visitor: loggedIn ? known : null, refresh: () => void account.refetch() };
}
