import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLiveUpdates } from "../src/features/live/live-updates.ts";
import { continueAfter } from "../src/features/live/seen-events.ts";
import { queryKeys } from "../src/features/query-keys.ts";
import { logIn } from "../src/features/session.ts";
import { forgetSession } from "../src/stored-session.ts";

interface Opened {
  url: string;
  authorization: string | null;
  lastEventId: string | null;
  priority: RequestInit["priority"];
  /** Writes an event into the stream. */
  send: (text: string) => void;
  /** Whether the page has closed it. */
  closed: () => boolean;
}
let opened: Opened[];

beforeEach(() => {
  localStorage.clear();
  opened = [];
  vi.stubGlobal("fetch", async (url: string | URL, init: RequestInit) => {
    const headers = new Headers(init.headers);
    let send = (_text: string) => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    opened.push({
      url: String(url),
      authorization: headers.get("authorization"),
      lastEventId: headers.get("last-event-id"),
      priority: init.priority,
      send,
      closed: () => init.signal?.aborted === true,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("the stream has a lower priority than the other calls of the page", async () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  renderHook(() => useLiveUpdates(null), { wrapper });
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.priority).toBe("low");
});

it("each stream continues after the last known event: that of the rendered page, then that of the previous stream", async () => {
  continueAfter("run-7");
  const queries = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  renderHook(() => useLiveUpdates(null), { wrapper });
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.lastEventId).toBe("run-7");
  // A wallet that is restored when the page opens gets a new stream. Events between the two streams must not be lost.
  act(() => logIn({ token: "secret-token", email: "a@aqua.example" }));
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.lastEventId).toBe("run-7");
  queries.setQueryData(queryKeys.products, "old");
  opened[1]?.send('id: run-9\nevent: product\ndata: {"short_id":"x"}\n\n');
  await vi.waitFor(() => expect(queries.getQueryState(queryKeys.products)?.isInvalidated).toBe(true));
  act(() => forgetSession());
  await vi.waitFor(() => expect(opened).toHaveLength(3));
  expect(opened[2]?.lastEventId).toBe("run-9");
});

it("the stream sends the session's token in its header, and is reopened when the session begins or ends", async () => {
  const queries = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  renderHook(() => useLiveUpdates(null), { wrapper });
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.authorization).toBeNull();

  act(() => logIn({ token: "secret-token", email: "a@aqua.example" }));
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[0]?.closed()).toBe(true);
  expect(opened[1]?.authorization).toBe("Bearer secret-token");
  expect(opened[1]?.url).not.toContain("secret-token");

  const account = [...queryKeys.me, "info"];
  queries.setQueryData(account, "old");
  opened[1]?.send("id: a-1\nevent: identity\ndata: {}\n\n");
  await vi.waitFor(() => expect(queries.getQueryState(account)?.isInvalidated).toBe(true));

  act(() => forgetSession());
  await vi.waitFor(() => expect(opened).toHaveLength(3));
  expect(opened[2]?.authorization).toBeNull();
});

/** The part of the browser's Web Locks that the stream uses: a queue for each name. */
function fakeLocks() {
  const queues = new Map<string, Promise<unknown>>();
  const held = new Set<string>();
  type Work = (lock: object | null) => Promise<unknown>;
  return {
    async request(name: string, options: { ifAvailable?: boolean; signal?: AbortSignal }, work: Work) {
      if (options.ifAvailable && held.has(name)) return work(null);
      const before = queues.get(name) ?? Promise.resolve();
      const turn = before.then(async () => {
        if (options.signal?.aborted) throw new DOMException("called off", "AbortError");
        held.add(name);
        return work({ name }).finally(() => held.delete(name));
      });
      queues.set(
        name,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

function openTab() {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.products, "old");
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { unmount } = renderHook(() => useLiveUpdates(null), { wrapper });
  return {
    unmount,
    isStale: () => queries.getQueryState(queryKeys.products)?.isInvalidated === true,
    fresh: () => queries.setQueryData(queryKeys.products, "new"),
  };
}

const productEvent = (id: string) => `id: ${id}\nevent: product\ndata: {"short_id":"x"}\n\n`;
const setVisibility = (state: DocumentVisibilityState) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
  document.dispatchEvent(new Event("visibilitychange"));
};

it("the tabs of a browser share one stream, and another tab continues where it ended", async () => {
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { locks: fakeLocks() }));
  const first = openTab();
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  const others = Array.from({ length: 6 }, openTab);
  // A tab that opens later fetches once the data that the other tabs already have.
  await vi.waitFor(() => expect(others.every((tab) => tab.isStale())).toBe(true));
  for (const tab of [first, ...others]) tab.fresh();
  opened[0]?.send(productEvent("run-3"));
  await vi.waitFor(() => expect([first, ...others].every((tab) => tab.isStale())).toBe(true));
  expect(opened).toHaveLength(1);

  first.unmount();
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[0]?.closed()).toBe(true);
  expect(opened[1]?.lastEventId).toBe("run-3");
  for (const tab of others) tab.unmount();
});

it("a tab that is hidden for a minute closes its stream, and catches up when it is visible again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const tab = openTab();
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    opened[0]?.send(productEvent("run-5"));
    await vi.waitFor(() => expect(tab.isStale()).toBe(true));
    setVisibility("hidden");
    vi.advanceTimersByTime(59_000);
    expect(opened[0]?.closed()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(opened[0]?.closed()).toBe(true);
    setVisibility("visible");
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(opened[1]?.lastEventId).toBe("run-5");
  } finally {
    vi.useRealTimers();
  }
});
