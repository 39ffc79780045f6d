import type { ServerEventName, ServerEvents } from "@aqua/sdk/api/events";

/** One event as a subscriber gets it. Ids grow within a run of the server and start with the run's own mark. */
export type PublishedEvent = {
  [Name in ServerEventName]: { id: string; name: Name; data: ServerEvents[Name] };
}[ServerEventName];

export interface SubscribeOptions {
  /** Only transactions and identity events of this wallet, in any letter case. Blocks and products reach everyone. */
  address?: string;
  /** What the subscriber saw last: everything after it is sent first, or `reset` when that is no longer known. */
  lastEventId?: string;
}

export interface EventHub {
  /** Call after the commit that made it true: subscribers read the tables when they hear of it. */
  publish<Name extends Exclude<ServerEventName, "reset" | "identity" | "readings">>(
    name: Name,
    data: ServerEvents[Name],
  ): void;
  /** Only to those who listen now: it is not kept, and who comes back has not missed it. */
  publishFleeting(name: "readings", data: ServerEvents["readings"]): void;
  /** Says to the followers of an account's wallets that something of the account has changed, and no more than that. */
  publishIdentity(addresses: readonly string[]): void;
  /** `send` must neither throw nor wait. Answers the function that ends the subscription. */
  subscribe(options: SubscribeOptions, send: (event: PublishedEvent) => void): () => void;
  /** Id of the newest event: what a subscriber that starts now has not missed. */
  lastEventId(): string;
}

interface Subscriber {
  address: string | null;
  send: (event: PublishedEvent) => void;
}

interface Kept {
  event: PublishedEvent;
  /** The wallets it is for, lower case; null for everyone. */
  addresses: readonly string[] | null;
}

/** @param capacity how many past events are kept for subscribers that come back. */
export function createEventHub(capacity = 1_000): EventHub {
  // A new run must not mistake an id of the run before for one of its own.
  const run = Date.now().toString(36);
  const subscribers = new Set<Subscriber>();
  const ring: Kept[] = [];
  let sequence = 0;

  const wanted = ({ addresses }: Kept, address: string | null) =>
    addresses === null || (address !== null && addresses.includes(address));

  function keep<Name extends ServerEventName>(
    name: Name,
    data: ServerEvents[Name],
    addresses: readonly string[] | null,
  ) {
    sequence += 1;
    const kept = { event: { id: `${run}-${sequence}`, name, data } as PublishedEvent, addresses };
    ring.push(kept);
    if (ring.length > capacity) ring.shift();
    for (const subscriber of subscribers) if (wanted(kept, subscriber.address)) subscriber.send(kept.event);
  }

  return {
    publish(name, data) {
      keep(name, data, "address" in data ? [data.address.toLowerCase()] : null);
    },
    publishFleeting(name, data) {
      // With the id of the newest that is kept: everything up to there they have.
      for (const { send } of subscribers) send({ id: `${run}-${sequence}`, name, data });
    },
    publishIdentity(addresses) {
      if (addresses.length === 0) return;
      keep(
        "identity",
        {},
        addresses.map((address) => address.toLowerCase()),
      );
    },
    subscribe({ address, lastEventId }, send) {
      const subscriber: Subscriber = { address: address?.toLowerCase() ?? null, send };
      if (lastEventId !== undefined) {
        const seen = sequenceOf(lastEventId);
        if (seen === null || seen > sequence || seen < sequence - ring.length) {
          send({ id: `${run}-${sequence}`, name: "reset", data: {} });
        } else {
          for (const kept of ring.slice(ring.length - (sequence - seen))) {
            if (wanted(kept, subscriber.address)) send(kept.event);
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
