import { useSyncExternalStore } from "react";

/** A value outside of components, which they follow. */
export interface Store<Value> {
  get(): Value;
  /** Calls whoever follows it, unless the value is the same. */
  set(next: Value): void;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** What a page that the server rendered begins with. */
  served: Value;
}

export function createStore<Value>(initial: Value, served = initial): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    served,
  };
}

/** The value of a store, live. */
export function useStore<Value>({ subscribe, get, served }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get, () => served);
}
