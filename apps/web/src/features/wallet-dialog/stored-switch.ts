import { session } from "../../browser-storage.ts";
import { createStore, useStore } from "../../create-store.ts";

type Hex = `0x${string}`;

/**
 * The text that the new wallet has signed and that the old one submits to the chain. It has no effect when anyone else
 * submits it.
 */
export interface StoredSwitch {
  from: Hex;
  to: Hex;
  message: string;
  signature: Hex;
  /** Unix milliseconds. */
  expires: number;
}

/** Stored in the tab's storage, so that it survives a change of the wallet. Some wallets reload the page for that. */
const key = "aqua.switch";
const switchStore = createStore(read(), null);

function read(): StoredSwitch | null {
  try {
    const value = JSON.parse(session.get(key) ?? "null") as Partial<StoredSwitch> | null;
    const texts = [value?.from, value?.to, value?.message, value?.signature];
    return texts.every((text) => typeof text === "string") && typeof value?.expires === "number"
      ? (value as StoredSwitch)
      : null;
  } catch {
    return null;
  }
}

function set(next: StoredSwitch | null) {
  if (next === null) session.remove(key);
  else session.set(key, JSON.stringify(next));
  switchStore.set(next);
}

/** Replaces any earlier message, because only the newest signature is valid. */
export function storeSwitch(signed: StoredSwitch) {
  set(signed);
}

/** Deletes the message after it was used. */
export function dropSwitch() {
  set(null);
}

/** The message with which `to` agreed to replace `from`, even if expired. Null if there is none. */
export function useStoredSwitch(from: string, to: string): StoredSwitch | null {
  const stored = useStore(switchStore);
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return stored !== null && isSame(stored.from, from) && isSame(stored.to, to) ? stored : null;
}
