import { store } from "../../stored-session.ts";
import { api } from "../api.ts";

/** How often a failed check is tried again; the wait before each is its number in seconds. */
const retries = 3;

/**
 * Asks the server whether `address` is linked to an account and stores the answer under checkAddress. When it is not,
 * `onUnknown` is called; when the check fails, it counts as not linked without that call. Returns what ends the check:
 * an answer that comes later counts for nothing.
 */
export function checkAddress(address: string, onUnknown: () => void): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function attempt(number: number) {
    let known = false;
    let failed = false;
    try {
      known = await api.checkAddress(address, end.signal);
    } catch {
      failed = true;
    }
    if (end.signal.aborted) return;
    if (failed && number <= retries) {
      timer = setTimeout(attempt, number * 1_000, number + 1);
      return;
    }
    store({ checkAddress: String(known) });
    if (!known && !failed) onUnknown();
  }

  void attempt(1);
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}
