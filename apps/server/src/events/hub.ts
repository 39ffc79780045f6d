import type { ServerEventName, ServerEvents } from "@aqua/sdk/api/events";

/**
 * An event in the form that a subscriber receives. Ids grow within a run of the server and start with an identifier
 * of the run.
 */
export type PublishedEvent = {
  [Name in ServerEventName]: { id: string; name: Name; data: ServerEvents[Name] };
}[ServerEventName];

export interface SubscribeOptions {
  /** Sends only transactions of this wallet, in any letter case. Blocks and products are sent to everyone. */
  address?: string;
  /** Sends only identity events of this account. Pass it only for a caller with a valid session of the account. */
  accountId?: string;
  /**
   * Id of the last event that the subscriber received. All later events are sent first, or `reset` if the id is no
   * longer known.
   */
  lastEventId?: string;
}

export interface EventHub {
  /** Call after the commit of the change, because subscribers read the tables when they receive the event. */
  publish<Name extends Exclude<ServerEventName, "identity" | "readings">>(name: Name, data: ServerEvents[Name]): void;
  /**
   * Sends the event only to current subscribers. It is not stored, and a subscriber that reconnects does not receive
   * it.
   */
  publishFleeting(name: "readings", data: ServerEvents["readings"]): void;
  /** Notifies the sessions of an account that its data has changed, without details. */
  publishIdentity(accountId: string): void;
  /** `send` must neither throw nor wait. Returns the function that ends the subscription. */
  subscribe(options: SubscribeOptions, send: (event: PublishedEvent) => void): () => void;
  /** Id of the newest event. A subscriber that starts now has not missed it. */
  lastEventId(): string;
}

interface Subscriber {
  address: string | null;
  accountId: string | null;
  send: (event: PublishedEvent) => void;
}

interface StoredEvent {
  event: PublishedEvent;
  /** The wallet (lower case) or the account that receives the event. Null for everyone. */
  audience: { address: string } | { accountId: string } | null;
}

/** @param capacity number of past events that are stored for subscribers that reconnect */
export function createEventHub(capacity = 1_000): EventHub {
  // Ids of an earlier run must not match ids of this run.
  const run = Date.now().toString(36);
  const subscribers = new Set<Subscriber>();
  const ring: StoredEvent[] = [];
  let sequence = 0;

  function isFor({ audience }: StoredEvent, { address, accountId }: Subscriber): boolean {
    if (audience === null) return true;
    return "address" in audience ? audience.address === address : audience.accountId === accountId;
  }

  function storeAndSend<Name extends ServerEventName>(
    name: Name,
    data: ServerEvents[Name],
    audience: StoredEvent["audience"],
  ) {
    sequence += 1;
    const stored = { event: { id: `${run}-${sequence}`, name, data } as PublishedEvent, audience };
    ring.push(stored);
    if (ring.length > capacity) ring.shift();
    for (const subscriber of subscribers) if (isFor(stored, subscriber)) subscriber.send(stored.event);
  }

  return {
    publish(name, data) {
      storeAndSend(name, data, "address" in data ? { address: data.address.toLowerCase() } : null);
    },
    publishFleeting(name, data) {
      // Uses the id of the newest stored event, because subscribers have every event up to it.
      for (const { send } of subscribers) send({ id: `${run}-${sequence}`, name, data });
    },
    publishIdentity(accountId) {
      storeAndSend("identity", {}, { accountId });
    },
    subscribe({ address, accountId, lastEventId }, send) {
      const subscriber: Subscriber = { address: address?.toLowerCase() ?? null, accountId: accountId ?? null, send };
      if (lastEventId !== undefined) {
        const lastSequence = sequenceOf(lastEventId);
        if (lastSequence === null || lastSequence > sequence || lastSequence < sequence - ring.length) {
          send({ id: `${run}-${sequence}`, name: "reset", data: {} });
        } else {
          for (const stored of ring.slice(ring.length - (sequence - lastSequence))) {
            if (isFor(stored, subscriber)) send(stored.event);
          }
        }
      }
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    lastEventId: () => `${run}-${sequence}`,
  };

  function sequenceOf(id: string): number | null {
    const [mark, number] = id.split("-");
    if (mark !== run || number === undefined || !/^\d{1,15}$/.test(number)) return null;
    return Number(number);
  }
}
