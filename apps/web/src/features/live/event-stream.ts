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

/** Milliseconds after which a hidden tab leaves the stream to other tabs, or closes it. */
const hiddenFor = 60_000;
const longestWait = 30_000;

/** The data that may have missed updates: everything, or only readings, which the server does not replay. */
export type Gap = "everything" | "readings";

/** Messages that the tab with the stream sends to the other tabs. */
type Message = { type: "event"; name: ServerEventName; data: string; id: string } | { type: "gap"; gap: Gap };

interface StreamParts {
  /** The wallet whose events are requested too. */
  address: string | null;
  /** The session's token. Only a stream with a token carries account events. */
  token: string | null;
  /** Receives the events in the form in which an EventSource sends them. */
  events: EventTarget;
  /** Called when updates may have been missed. */
  onGap: (gap: Gap) => void;
}

/**
 * Follows the server's events until it is stopped. The tabs of one browser share one stream, because a browser opens
 * only six connections to a server over HTTP/1.1. The tab that holds the lock opens the stream and passes the events
 * on. If that tab closes, another one takes over after the last event it has seen. Returns a function that stops it.
 */
export function followStream({ address, token, events, onGap }: StreamParts): () => void {
  const name = `aqua.events ${address ?? ""} ${token ?? ""}`;
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  let participation: AbortController | null = null;
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

  /** Opens the stream now, or after the tab that has it is gone. */
  function join() {
    if (participation !== null) return;
    participation = new AbortController();
    const { signal } = participation;
    const lead = () => streamUntil(signal, address, share);
    if (navigator.locks === undefined) return void lead();
    const queue = () => navigator.locks.request(name, { signal }, lead).catch(isAbort);
    void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) return lead();
      // Events since this page was rendered went to the tab with the stream, so this tab may have missed them.
      onGap("everything");
      return void queue();
    });
  }
  function leave() {
    participation?.abort();
    participation = null;
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

/** Ignores the error of a lock request that was aborted; rethrows any other error. */
function isAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}

/**
 * Opens a stream, shares its messages, and closes it when `signal` aborts. The stream reconnects by itself; after an
 * error status it is opened again after a delay.
 */
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
      // After an automatic reconnect the server replays everything except readings. CLOSED means that the stream has
      // stopped retrying (an error status); then a new stream replays nothing.
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
 * A stream with request headers. The browser's own EventSource cannot send them, but only a stream with the session's
 * token carries account events. The token is read at each attempt. A rejected token logs the visitor out, as with every
 * other call.
 */
function openStream(address: string | null): EventSource {
  return new EventSource(`/api/v2/events${address ? `?address=${address}` : ""}`, {
    fetch: (url, init) => {
      const token = connection.getToken?.();
      const authorization = token ? { authorization: `Bearer ${token}` } : {};
      // A new stream, such as one for another wallet or session, continues where the previous one ended. On a
      // reconnect, `init.headers` contains the stream's own Last-Event-ID, which is as recent.
      const lastEventId = lastSeenEvent();
      const after = lastEventId === null ? {} : { "Last-Event-ID": lastEventId };
      const headers = { ...after, ...init.headers, ...authorization };
      // The request never ends. With the priority of other calls, the page would appear to load for as long as it is
      // open.
      return (connection.fetch ?? fetch)(url, { ...init, headers, priority: "low" });
    },
  });
}
