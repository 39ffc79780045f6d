import { session } from "../../browser-storage.ts";
import { createStore, useStore } from "../../create-store.ts";

type Hex = `0x${string}`;

/**
 * The text that the new wallet has signed and that the old one submits to the chain. It has no effect when anyone else
 * submits it.
 */
export interface KeptSwitch {
  from: Hex;
  to: Hex;
  message: string;
  signature: Hex;
  /** Unix milliseconds. */
  expires: number;
}

/** In the tab's storage, so that it survives a change of wallet, which some wallets do by a reload. */
const key = "aqua.switch";
const kept = createStore(read(), null);

function read(): KeptSwitch | null {
  try {
    const value = JSON.parse(session.get(key) ?? "null") as Partial<KeptSwitch> | null;
    const texts = [value?.from, value?.to, value?.message, value?.signature];
    return texts.every((text) => typeof text === "string") && typeof value?.expires === "number"
      ? (value as KeptSwitch)
      : null;
  } catch {
    return null;
  }
}

function set(next: KeptSwitch | null) {
  if (next === null) session.remove(key);
  else session.set(key, JSON.stringify(next));
  kept.set(next);
}

/** Replaces any earlier one: the newest signature is the valid one. */
export function keepSwitch(signed: KeptSwitch) {
  set(signed);
}

/** Deletes it once it has been used. */
export function dropSwitch() {
  set(null);
}

/** What `to` has signed to replace `from`, expired or not; null when there is nothing. */
export function useKeptSwitch(from: string, to: string): KeptSwitch | null {
  const found = useStore(kept);
  const is = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return found !== null && is(found.from, from) && is(found.to, to) ? found : null;
}
