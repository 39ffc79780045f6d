/** The last event known to what the page shows; null once a stream has continued after it. */
let seen: string | null = null;

/** The next stream replays what came after this event: it happened after the server had rendered the page. */
export function continueAfter(eventId: string): void {
  seen = eventId;
}

export function takeSeenEvent(): string | null {
  const eventId = seen;
  seen = null;
  return eventId;
}
