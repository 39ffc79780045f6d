import type { Session } from "@aqua/sdk/api/auth";
import { useSyncExternalStore } from "react";
import { forgetSession, store, stored, subscribeSession } from "../stored-session.ts";
import { api } from "./api.ts";

/** How long a log-out waits for the server, in milliseconds; the browser logs out in any case. */
const logoutWait = 2_000;

/** Logged in means that a token is stored. */
export function isLoggedIn(): boolean {
  return stored("token") !== null;
}

/** Whether a token is stored; updates live, also across tabs. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(subscribeSession, isLoggedIn, () => false);
}

/** The logged-in account's e-mail, else null. */
export function useEmail(): string | null {
  return useSyncExternalStore(
    subscribeSession,
    () => stored("email"),
    () => null,
  );
}

/** Whether the last check found the connected wallet linked to an account. */
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

/**
 * Ends the session at the server if it is reachable, deletes the log-in and reloads, so that nothing of it stays in
 * memory. Never throws.
 */
export async function logOut(reload: () => void = () => location.reload()): Promise<void> {
  // The call reads the token before it is deleted.
  const told = api.logout().catch(() => undefined);
  forgetSession();
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, logoutWait))]);
  reload();
}
