import type { ServerEventName, ServerEvents } from "@aqua/sdk/api/events";

/** One event as a subscriber gets it. Ids grow within a run of the server and start with the run's own mark. */
export type PublishedEvent = {
  [Name in ServerEventName]: { id: string; name: Name; data: ServerEvents[Name] };
}[ServerEventName];

export interface SubscribeOptions {
  /** Only transactions of this wallet, in any letter case. Blocks and products reach everyone. */
  address?: string;
  /** Only identity events of this account: pass it for a caller who has shown a session of it. */
  accountId?: string;
  /** What the subscriber saw last: everything after it is sent first, or `reset` when that is no longer known. */
  lastEventId?: string;
}

export interface EventHub {
  /** Call after the commit that made it true: subscribers read the tables when they receive it. */
  publish<Name extends Exclude<ServerEventName, "identity" | "readings">>(name: Name, data: ServerEvents[Name]): void;
  /** Only to those who listen now: it is not kept, and who comes back has not missed it. */
  publishFleeting(name: "readings", data: ServerEvents["readings"]): void;
  /** Says to the sessions of an account that something of it has changed, and no more than that. */
  publishIdentity(accountId: string): void;
  /** `send` must neither throw nor wait. Answers the function that ends the subscription. */
  subscribe(options: SubscribeOptions, send: (event: PublishedEvent) => void): () => void;
  /** Id of the newest event: what a subscriber that starts now has not missed. */
  lastEventId(): string;
}

interface Subscriber {
  address: string | null;
  accountId: string | null;
  send: (event: PublishedEvent) => void;
}

interface Kept {
  event: PublishedEvent;
  /** The wallet (lower case) or the account it is for; null for everyone. */
  audience: { address: string } | { accountId: string } | null;
}

/** @param capacity how many past events are kept for subscribers that come back. */
export function createEventHub(capacity = 1_000): EventHub {
  // A new run must not mistake an id of the run before for one of its own.
  const run = Date.now().toString(36);
  const subscribers = new Set<Subscriber>();
  const ring: Kept[] = [];
  let sequence = 0;

  function isFor({ audience }: Kept, { address, accountId }: Subscriber): boolean {
    if (audience === null) return true;
    return "address" in audience ? audience.address === address : audience.accountId === accountId;
  }

  function keep<Name extends ServerEventName>(name: Name, data: ServerEvents[Name], audience: Kept["audience"]) {
    sequence += 1;
    const kept = { event: { id: `${run}-${sequence}`, name, data } as PublishedEvent, audience };
    ring.push(kept);
    if (ring.length > capacity) ring.shift();
    for (const subscriber of subscribers) if (isFor(kept, subscriber)) subscriber.send(kept.event);
  }

  return {
    publish(name, data) {
      keep(name, data, "address" in data ? { address: data.address.toLowerCase() } : null);
    },
    publishFleeting(name, data) {
      // With the id of the newest that is kept: everything up to there they have.
      for (const { send } of subscribers) send({ id: `${run}-${sequence}`, name, data });
    },
    publishIdentity(accountId) {
      keep("identity", {}, { accountId });
    },
    subscribe({ address, accountId, lastEventId }, send) {
      const subscriber: Subscriber = { address: address?.toLowerCase() ?? null, accountId: accountId ?? null, send };
      if (lastEventId !== undefined) {
        const seen = sequenceOf(lastEventId);
        if (seen === null || seen > sequence || seen < sequence - ring.length) {
          send({ id: `${run}-${sequence}`, name: "reset", data: {} });
        } else {
          for (const kept of ring.slice(ring.length - (sequence - seen))) {
            if (isFor(kept, subscriber)) send(kept.event);
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
