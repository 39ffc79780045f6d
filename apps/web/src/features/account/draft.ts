import { useState } from "react";

/** How far the proof of an e-mail has come. Holds no password: a reload keeps the rest, the closed tab nothing. */
export interface Draft {
  email: string;
  step: "email" | "code" | "password";
  /** From when another code may be asked for, Unix milliseconds. */
  resendAt: number;
  /** What the right code was exchanged for. */
  ticket: string;
}

function stored(key: string): Partial<Draft> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function restored(key: string, email: string): Draft {
  const { step, resendAt, ticket, ...known } = stored(key);
  const draft: Draft = { email: known.email ?? email, step: "email", resendAt: resendAt ?? 0, ticket: ticket ?? "" };
  if (step === "code" && draft.email) return { ...draft, step };
  if (step === "password" && draft.email && draft.ticket) return { ...draft, step };
  return draft;
}

/** A draft that outlives a reload of this tab. `email` is what is known when there is none yet. */
export function useDraft(key: string, email: string) {
  const [draft, setDraft] = useState(() => restored(key, email));
  function change(next: Partial<Draft>) {
    const changed = { ...draft, ...next };
    setDraft(changed);
    try {
      sessionStorage.setItem(key, JSON.stringify(changed));
    } catch {
      // Without storage a reload begins anew.
    }
  }
  function forget() {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Then there is nothing to forget.
    }
  }
  return { draft, change, forget };
}
