import { store } from "../../stored-session.ts";
import { api } from "../api.ts";

/** The number of retries of a failed check. The wait before a retry is its number in seconds. */
const retries = 3;

/**
 * Asks the server whether `address` is linked to an account, and stores the answer under checkAddress. Calls
 * `onUnknown` if it is not linked. A failed check counts as not linked but does not call `onUnknown`. Returns a
 * function that ends the check; a later answer is then ignored.
 */
export function checkAddress(address: string, onUnknown: () => void): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function attempt(number: number) {
    let isLinked = false;
    let failed = false;
    try {
      isLinked = await api.checkAddress(address, end.signal);
    } catch {
      failed = true;
    }
    if (end.signal.aborted) return;
    if (failed && number <= retries) {
      timer = setTimeout(attempt, number * 1_000, number + 1);
      return;
    }
    store({ checkAddress: String(isLinked) });
    if (!isLinked && !failed) onUnknown();
  }

  void attempt(1);
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}
