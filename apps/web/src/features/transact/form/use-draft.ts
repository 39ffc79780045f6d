import { useState } from "react";

/** What was typed and chosen in a panel's forms, by name. */
export interface Drafts {
  values: Readonly<Record<string, unknown>>;
  set(name: string, value: unknown): void;
}

/** Stored in the panel, since its tabs unmount: typed values survive a change of tab. */
export function useDrafts(): Drafts {
  const [values, setValues] = useState<Drafts["values"]>({});
  return { values, set: (name, value) => setValues((now) => ({ ...now, [name]: value })) };
}

/** One draft, with the interface of `useState`. */
export function useDraft<Value>(drafts: Drafts, name: string, initial: Value): [Value, (value: Value) => void] {
  const value = name in drafts.values ? (drafts.values[name] as Value) : initial;
  return [value, (next) => drafts.set(name, next)];
}
