import { useSyncExternalStore } from "react";
import { session } from "../../browser-storage.ts";
import { createStore } from "../../create-store.ts";

/** The key of the log-in at the desk. It ends with the tab, and the log-in of a depositor does not know it. */
const tokenKey = "aqua.desk.token";
/** The begin of the keys of all answers that need the log-in. They are forgotten when it ends. */
export const deskKey = ["desk"] as const;
const listeners = new Set<() => void>();

/** True after the server ended the log-in, until the next one. */
export const deskLogInEnded = createStore(false);

export function deskToken(): string | null {
  return session.get(tokenKey) || null;
}

function change(token: string | null) {
  if (token === null) session.remove(tokenKey);
  else session.set(tokenKey, token);
  for (const listener of listeners) listener();
}

export function storeDeskToken(token: string): void {
  deskLogInEnded.set(false);
  change(token);
}

/** `ended`: the server no longer knows the log-in. Otherwise the operator logged out. */
export function forgetDeskToken(ended: boolean): void {
  deskLogInEnded.set(ended);
  change(null);
}

/** The token of the log-in at the desk. Null if there is none. */
export function useDeskToken(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    deskToken,
    () => null,
  );
}
