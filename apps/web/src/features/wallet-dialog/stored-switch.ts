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

/** Stored in the tab's storage, so that it survives a change of the wallet. Some wallets reload the page for that. */
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

/** Replaces any earlier message, because only the newest signature is valid. */
export function keepSwitch(signed: KeptSwitch) {
  set(signed);
}

/** Deletes the message after it was used. */
export function dropSwitch() {
  set(null);
}

/** The message with which `to` agreed to replace `from`, even if expired. Null if there is none. */
export function useKeptSwitch(from: string, to: string): KeptSwitch | null {
  const found = useStore(kept);
  const is = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return found !== null && is(found.from, from) && is(found.to, to) ? found : null;
}
