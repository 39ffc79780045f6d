import { useSyncExternalStore } from "react";

/** A value outside of React that components can subscribe to. */
export interface Store<Value> {
  get(): Value;
  /** Sets the value and notifies subscribers, unless the value is unchanged. */
  set(next: Value): void;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** The value with which a server-rendered page is hydrated. */
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

/** The value of a store; updates live. */
export function useStore<Value>({ subscribe, get, served }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get, () => served);
}
