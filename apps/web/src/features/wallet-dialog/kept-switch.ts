import { useSyncExternalStore } from "react";

type Hex = `0x${string}`;

/** What the new wallet has signed, for the old one to show the chain. Shown by anyone else it moves nothing. */
export interface KeptSwitch {
  from: Hex;
  to: Hex;
  message: string;
  signature: Hex;
  /** Unix milliseconds. */
  expires: number;
}

/** The tab's, so that it outlives a change of wallet, which some wallets make by a reload. */
const key = "aqua.switch";
const listeners = new Set<() => void>();
let kept: KeptSwitch | null = read();

function read(): KeptSwitch | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? "null") as Partial<KeptSwitch> | null;
    const texts = [value?.from, value?.to, value?.message, value?.signature];
    return texts.every((text) => typeof text === "string") && typeof value?.expires === "number"
      ? (value as KeptSwitch)
      : null;
  } catch {
    return null;
  }
}

function set(next: KeptSwitch | null) {
  kept = next;
  try {
    if (next === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // It still holds while this page lives.
  }
  for (const listener of listeners) listener();
}

/** Replaces what was kept before: the newest word of a wallet is the one that counts. */
export function keepSwitch(signed: KeptSwitch) {
  set(signed);
}

/** It has done its work. */
export function dropSwitch() {
  set(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What `to` has signed to take the place of `from`, run out or not; null when there is nothing. */
export function useKeptSwitch(from: string, to: string): KeptSwitch | null {
  const found = useSyncExternalStore(subscribe, () => kept);
  const is = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return found !== null && is(found.from, from) && is(found.to, to) ? found : null;
}
