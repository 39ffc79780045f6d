import { useSyncExternalStore } from "react";

/** What a log-in leaves in the browser, by the names of the specification. */
const keys = ["token", "email", "checkAddress"] as const;

/** Logged in means that a token is stored. */
export function isLoggedIn(): boolean {
  try {
    return Boolean(localStorage.getItem("token"));
  } catch {
    return false;
  }
}

/** Forgets the log-in and reloads, so that nothing of it stays in memory. */
export function logOut(reload: () => void = () => location.reload()) {
  try {
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Without storage nobody is logged in.
  }
  reload();
}

function subscribe(listener: () => void) {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

/** Live across tabs. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(subscribe, isLoggedIn);
}
