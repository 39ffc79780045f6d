import { createStore } from "./create-store.ts";

/**
 * A difference below this, in milliseconds, is explained by the duration of the call and by the whole seconds of the
 * header.
 */
const tolerance = 5_000;

/** The milliseconds by which the server's clock is ahead of this device's; 0 while they agree. */
export const clockDifference = createStore(0);

/** The current time by the server's clock in Unix milliseconds. The clock of a device may be wrong by hours or days. */
export function now(): number {
  return Date.now() + clockDifference.get();
}

/**
 * Learns the server's time from the `Date` header of a response. The header was written between `sent` and `received`,
 * in whole seconds. Both are Unix milliseconds by this device's clock.
 */
export function learnServerTime(date: string | null, { sent, received }: { sent: number; received: number }): void {
  const time = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return;
  const [least, most] = [time - received, time + 999 - sent];
  const agrees = least <= tolerance && most >= -tolerance;
  const difference = agrees ? 0 : Math.round((least + most) / 2);
  if (Math.abs(difference - clockDifference.get()) > tolerance || difference === 0) clockDifference.set(difference);
}
