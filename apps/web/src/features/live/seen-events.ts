/** The last event known to what the page shows; null before there is one. */
let seen: string | null = null;

/**
 * The next stream replays what came after this event: it happened after the server had rendered the page, or between two
 * streams.
 */
export function continueAfter(eventId: string): void {
  seen = eventId;
}

export function lastSeenEvent(): string | null {
  return seen;
}
