import { useState } from "react";

/** What is typed and chosen in the forms of a panel, by name. */
export interface Drafts {
  values: Readonly<Record<string, unknown>>;
  set(name: string, value: unknown): void;
}

/** Kept by the panel, since its tabs come and go: who looks at another one finds what was typed here again. */
export function useDrafts(): Drafts {
  const [values, setValues] = useState<Drafts["values"]>({});
  return { values, set: (name, value) => setValues((now) => ({ ...now, [name]: value })) };
}

/** One of them, as `useState` has it. */
export function useDraft<Value>(drafts: Drafts, name: string, initial: Value): [Value, (value: Value) => void] {
  const value = name in drafts.values ? (drafts.values[name] as Value) : initial;
  return [value, (next) => drafts.set(name, next)];
}
