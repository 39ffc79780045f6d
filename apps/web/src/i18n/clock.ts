import { useSyncExternalStore } from "react";
import { renderedPage } from "../rendered-page.ts";
import { now } from "../server-clock.ts";

/**
 * A page is rendered by the server first, which knows neither the reader's clock nor their time zone. Until the browser
 * has taken that page over, both render the time at which the server did, and dates in UTC.
 */
let served: number | null = null;
let isOwn = true;
const listeners = new Set<() => void>();

/** Renders as of `time`, in Unix milliseconds, with dates in UTC. */
export function fixClock(time: number): void {
  served = time;
  isOwn = false;
}

/** Back to the reader's own clock and time zone. */
export function releaseClock(): void {
  if (isOwn) return;
  isOwn = true;
  for (const listener of listeners) listener();
}

/** The current time in Unix milliseconds by the server's clock, for what is rendered. */
export function currentTime(): number {
  const page = renderedPage();
  if (page !== null) return page.time;
  return isOwn ? now() : (served ?? now());
}

/** The time zone of dates; undefined is the reader's own. */
export function shownTimeZone(): "UTC" | undefined {
  return isOwn && renderedPage() === null ? undefined : "UTC";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the reader's own clock is shown. The calling component renders its subtree again when that changes. */
export function useOwnClock(): boolean {
  const shown = () => isOwn;
  return useSyncExternalStore(subscribe, shown, shown);
}

const never = () => () => undefined;

/** While a part of the page is taken over, which may be after the others, the time at which it was rendered; else null. */
export function useServedTime(): number | null {
  return useSyncExternalStore(
    never,
    () => null,
    () => renderedPage()?.time ?? served,
  );
}
