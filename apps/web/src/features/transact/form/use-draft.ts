import { useState } from "react";
import { session } from "../../../browser-storage.ts";

/** The typed and chosen values of a panel's forms, by name. */
export interface Drafts {
  values: Readonly<Record<string, unknown>>;
  set(name: string, value: unknown): void;
}

/**
 * Stored in the panel, since its tabs unmount, and in the browser's tab: typed values survive a reload.
 * @param panel names the panel and its product
 */
export function useDrafts(panel: string): Drafts {
  const key = `aqua.draft.${panel}`;
  const [values, setValues] = useState(() => stored(key));
  function set(name: string, value: unknown) {
    setValues((now) => {
      const next = { ...now, [name]: value };
      session.set(key, JSON.stringify(next));
      return next;
    });
  }
  return { values, set };
}

function stored(key: string): Drafts["values"] {
  try {
    const values: unknown = JSON.parse(session.get(key) ?? "{}");
    return typeof values === "object" && values !== null ? (values as Drafts["values"]) : {};
  } catch {
    // The stored draft is from another version, so the form starts empty.
    return {};
  }
}

/** One draft, with the interface of `useState`. */
export function useDraft<Value>(drafts: Drafts, name: string, initial: Value): [Value, (value: Value) => void] {
  const value = name in drafts.values ? (drafts.values[name] as Value) : initial;
  return [value, (next) => drafts.set(name, next)];
}
