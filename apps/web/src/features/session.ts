import type { Session } from "@aqua/sdk/api/auth";
import { useSyncExternalStore } from "react";
import { store, stored, subscribeSession } from "../stored-session.ts";

/** A visitor is logged in if a token is stored. */
export function isLoggedIn(): boolean {
  return stored("token") !== null;
}

/** True if a token is stored. Updates live, also across tabs. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(subscribeSession, isLoggedIn, () => false);
}

/** The logged-in account's e-mail, or else null. */
export function useEmail(): string | null {
  return useSyncExternalStore(
    subscribeSession,
    () => stored("email"),
    () => null,
  );
}

/** True if the last check found that the connected wallet is linked to an account. */
export function useAddressKnown(): boolean {
  return useSyncExternalStore(
    subscribeSession,
    () => stored("checkAddress") === "true",
    () => false,
  );
}

/** Stores a new session, and notifies this tab and the others. */
export function logIn({ token, email }: Session) {
  store({ token, email });
}
