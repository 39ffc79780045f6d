import { createStore } from "./create-store.ts";

/** A difference below this is the answer's way and the header's whole seconds, milliseconds. */
const tolerance = 5_000;

/** By how much the server's clock is ahead of this device's, milliseconds; 0 while they agree. */
export const clockDifference = createStore(0);

/** The current time by the server's clock, Unix milliseconds: a device may be hours or days off. */
export function now(): number {
  return Date.now() + clockDifference.get();
}

/**
 * Learns the server's time from the header `Date` of an answer: it was written between sending the request and receiving
 * the answer, in whole seconds. `sent` and `received` by this device's clock, Unix milliseconds.
 */
export function learnServerTime(date: string | null, { sent, received }: { sent: number; received: number }): void {
  const time = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return;
  const [least, most] = [time - received, time + 999 - sent];
  const agrees = least <= tolerance && most >= -tolerance;
  const difference = agrees ? 0 : Math.round((least + most) / 2);
  if (Math.abs(difference - clockDifference.get()) > tolerance || difference === 0) clockDifference.set(difference);
}
