import type { Session } from "@aqua/sdk/api/auth";
import { useSyncExternalStore } from "react";
import { forgetSession, store, stored, subscribeSession } from "../stored-session.ts";
import { api } from "./api.ts";

/** How long a log-out waits for the server, in milliseconds: the browser forgets in any case. */
const logoutWait = 2_000;

/** Logged in means that a token is stored. */
export function isLoggedIn(): boolean {
  return stored("token") !== null;
}

/** Live, also across tabs. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(subscribeSession, isLoggedIn);
}

/** The e-mail of the account that is logged in, else null. */
export function useEmail(): string | null {
  return useSyncExternalStore(subscribeSession, () => stored("email"));
}

/** Whether the connected wallet was found to be linked to an account when it was last asked about. */
export function useAddressKnown(): boolean {
  return useSyncExternalStore(subscribeSession, () => stored("checkAddress") === "true");
}

/** Stores a new session, and notifies this tab and the others. */
export function logIn({ token, email }: Session) {
  store({ token, email });
}

/**
 * Ends the session at the server if it can be reached, forgets the log-in and reloads, so that nothing of it stays in
 * memory. Never throws.
 */
export async function logOut(reload: () => void = () => location.reload()): Promise<void> {
  // The token goes into the call before it is forgotten.
  const told = api.logout().catch(() => undefined);
  forgetSession();
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, logoutWait))]);
  reload();
}
