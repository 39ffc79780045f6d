import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import { renderedPage } from "../rendered-page.ts";
import { now } from "../server-clock.ts";

/**
 * The server renders a page first and knows neither the reader's clock nor their time zone. Until the page is hydrated,
 * server and browser both render the time at which the server rendered it, and dates in UTC.
 */
let served: number | null = null;
let isOwn = true;
const listeners = new Set<() => void>();

/** Renders dates in UTC as of `time`, in Unix milliseconds. */
export function fixClock(time: number): void {
  served = time;
  isOwn = false;
}

/** Returns to the reader's own clock and time zone. */
export function releaseClock(): void {
  if (isOwn) return;
  isOwn = true;
  for (const listener of listeners) listener();
}

/** The current time for rendering, by the server's clock, in Unix milliseconds. */
export function currentTime(): number {
  const page = renderedPage();
  if (page !== null) return page.time;
  return isOwn ? now() : (served ?? now());
}

/** The time zone of displayed dates; undefined for the reader's own. */
export function shownTimeZone(): "UTC" | undefined {
  return isOwn && renderedPage() === null ? undefined : "UTC";
}

/**
 * True if the reader's own clock is used. The calling component renders its subtree again when this changes, as a
 * transition: presses are answered while a long page is rendered.
 */
export function useOwnClock(): boolean {
  const [own, setOwn] = useState(isOwn);
  useEffect(() => {
    const follow = () => startTransition(() => setOwn(isOwn));
    follow();
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
  return own;
}

const never = () => () => undefined;

/**
 * The time at which the page was rendered, during the hydration of a part of it. Parts may hydrate at different times.
 * Null otherwise.
 */
export function useServedTime(): number | null {
  return useSyncExternalStore(
    never,
    () => null,
    () => renderedPage()?.time ?? served,
  );
}
