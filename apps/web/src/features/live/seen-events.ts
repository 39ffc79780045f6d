/** The id of the last event that the displayed data includes. Null before there is one. */
let lastEventId: string | null = null;

/**
 * Makes the next stream replay the events after this one. They happened after the server rendered the page, or between
 * two streams.
 */
export function continueAfter(eventId: string): void {
  lastEventId = eventId;
}

export function lastSeenEvent(): string | null {
  return lastEventId;
}
