import { useState } from "react";
import { session } from "../../browser-storage.ts";

/** Progress of an e-mail proof. It contains no password. It survives a reload; closing the tab discards it. */
export interface Draft {
  email: string;
  step: "email" | "code" | "password";
  /** The time from which another code may be requested, in Unix milliseconds. */
  resendAt: number;
  /** The ticket that the server issued for the correct code. */
  ticket: string;
}

function stored(key: string): Partial<Draft> {
  try {
    const value: unknown = JSON.parse(session.get(key) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function restored(key: string, email: string): Draft {
  const { email: storedEmail, step, resendAt, ticket } = stored(key);
  const draft: Draft = { email: storedEmail ?? email, step: "email", resendAt: resendAt ?? 0, ticket: ticket ?? "" };
  if (step === "code" && draft.email) return { ...draft, step };
  if (step === "password" && draft.email && draft.ticket) return { ...draft, step };
  return draft;
}

/** A draft that survives a reload of this tab. `email` is the initial address if nothing is stored. */
export function useDraft(key: string, email: string) {
  const [draft, setDraft] = useState(() => restored(key, email));
  function change(next: Partial<Draft>) {
    const changed = { ...draft, ...next };
    setDraft(changed);
    session.set(key, JSON.stringify(changed));
  }
  return { draft, change, forget: () => session.remove(key) };
}
