import type { ServerEventName } from "@aqua/sdk/api/events";
import { EventSource } from "eventsource";
import { connection } from "../../connection.ts";
import { lastSeenEvent } from "./seen-events.ts";

const names = Object.keys({
  block: true,
  transaction: true,
  product: true,
  anchor: true,
  readings: true,
  identity: true,
  reset: true,
} satisfies Record<ServerEventName, true>) as ServerEventName[];

/** After this long a hidden tab leaves the stream to the others, or closes it, milliseconds. */
const hiddenFor = 60_000;
const longestWait = 30_000;

/** What may be missing from the data of before: everything, or only readings, which are not replayed. */
export type Gap = "everything" | "readings";

/** What the tab with the stream passes to the others. */
type Message = { type: "event"; name: ServerEventName; data: string; id: string } | { type: "gap"; gap: Gap };

interface StreamParts {
  /** The wallet whose events are wanted too. */
  address: string | null;
  /** The session's token: only a stream with it carries account events. */
  token: string | null;
  /** Receives the events, as an EventSource sends them. */
  events: EventTarget;
  /** Called when something may be missing. */
  onGap: (gap: Gap) => void;
}

/**
 * Follows the server's events while the page lives. The tabs of one browser share one stream, since a browser opens only
 * six connections to a server over HTTP/1.1: the tab that holds the lock opens it and passes the events on, and when it
 * goes another takes over after the last event that it has seen. Returns a function that stops it.
 */
export function followStream({ address, token, events, onGap }: StreamParts): () => void {
  const name = `aqua.events ${address ?? ""} ${token ?? ""}`;
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  let turn: AbortController | null = null;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  function receive(message: Message) {
    if (message.type === "gap") onGap(message.gap);
    else events.dispatchEvent(new MessageEvent(message.name, { data: message.data, lastEventId: message.id }));
  }
  function share(message: Message) {
    receive(message);
    channel.postMessage(message);
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);

  /** Takes part: opens the stream now, or once the tab that has it is gone. */
  function join() {
    if (turn !== null) return;
    turn = new AbortController();
    const { signal } = turn;
    const lead = () => streamUntil(signal, address, share);
    if (navigator.locks === undefined) return void lead();
    const queue = () => navigator.locks.request(name, { signal }, lead).catch(isAbort);
    void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) return lead();
      // What happened since this page was made has reached the other tab already.
      onGap("everything");
      return void queue();
    });
  }
  function leave() {
    turn?.abort();
    turn = null;
  }
  function onVisibility() {
    clearTimeout(hiding);
    if (document.visibilityState === "visible") join();
    else hiding = setTimeout(leave, hiddenFor);
  }

  document.addEventListener("visibilitychange", onVisibility, { signal: stopped.signal });
  join();
  return () => {
    stopped.abort();
    clearTimeout(hiding);
    leave();
    channel.close();
  };
}

/** A request for a lock that was called off. */
function isAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}

/** Keeps a stream open until the signal, and shares what comes. It reconnects by itself; a refused one after a delay. */
function streamUntil(signal: AbortSignal, address: string | null, share: (message: Message) => void): Promise<void> {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let gap: Gap | null = null;

  function open() {
    source = openStream(address);
    for (const name of names) {
      source.addEventListener(name, ({ data, lastEventId: id }) => share({ type: "event", name, data, id }));
    }
    source.onopen = () => {
      failures = 0;
      if (gap !== null) share({ type: "gap", gap });
      gap = null;
    };
    source.onerror = () => {
      // After the browser's own reconnect the server replays everything except readings. CLOSED means that the browser
      // has stopped retrying (an error status): a new stream replays nothing.
      gap ??= "readings";
      if (source?.readyState !== EventSource.CLOSED) return;
      gap = "everything";
      failures += 1;
      timer = setTimeout(open, Math.min(1000 * 2 ** failures, longestWait));
    };
  }

  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      source?.close();
      resolve();
    });
    if (!signal.aborted) open();
    else resolve();
  });
}

/**
 * The browser's EventSource sends no headers, but only a stream with the session's token carries account events. The
 * token is read at each attempt; a refused token logs out, as with every other call.
 */
function openStream(address: string | null): EventSource {
  return new EventSource(`/api/v2/events${address ? `?address=${address}` : ""}`, {
    fetch: (url, init) => {
      const token = connection.getToken?.();
      const authorization = token ? { authorization: `Bearer ${token}` } : {};
      // Its own, once it has one, is as new. A stream of another wallet or session goes on where the last one ended.
      const seen = lastSeenEvent();
      const after = seen === null ? {} : { "Last-Event-ID": seen };
      const headers = { ...after, ...init.headers, ...authorization };
      // It never ends: at the priority of other calls a page would seem to load for as long as it is open.
      return (connection.fetch ?? fetch)(url, { ...init, headers, priority: "low" });
    },
  });
}
