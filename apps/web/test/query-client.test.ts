import { focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../src/features/query-client.ts";
import { answerCalls, data } from "./account/harness.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
});

it.each([
  ["a fault of this app", new TypeError("x is undefined"), true],
  ["the server's refusal", { error_code: "not_found", message: "None", request_id: "r-1" }, false],
  ["a call without an answer", null, false],
])("a failed query is logged only if it is a fault of this app: %s", async (_, error, logged) => {
  const queries = createQueryClient();
  const asked = queries.fetchQuery({ queryKey: ["asked"], queryFn: () => Promise.reject(error), retry: false });
  await expect(asked).rejects.toBe(error);
  await vi.dynamicImportSettled();
  expect(vi.mocked(console.error).mock.calls).toEqual(logged ? [[error]] : []);
});

describe("a query of what is on screen", () => {
  let isReady = false;
  beforeEach(() => {
    vi.useFakeTimers();
    isReady = false;
    vi.stubGlobal(
      "fetch",
      async (url: string) => new Response("{}", { status: url === "/ready" && isReady ? 200 : 503 }),
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    focusManager.setFocused(undefined);
  });

  /** Milliseconds in which a failed query is asked again once the server is ready. */
  const RECOVERED_MS = 5_000;
  const away = { error_code: "internal_error", message: "Later", request_id: "r-1", retry_after: 2 };

  function failingWith(error: unknown) {
    const state = { error: error as unknown, calls: 0 };
    const queryFn = async () => {
      state.calls += 1;
      if (state.error !== undefined) throw state.error;
      return "answer";
    };
    const observer = new QueryObserver(createQueryClient(), { queryKey: ["asked"], queryFn });
    observer.subscribe(() => {});
    return { state, result: () => observer.getCurrentResult() };
  }

  it.each([
    ["the database was away", away],
    ["the server did not answer", null],
  ])("succeeds by itself within five seconds after %s, and shows its error until then", async (_, error) => {
    const { state, result } = failingWith(error);
    for (let second = 0; second < 60; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (second > 2) expect(result().status).toBe("error");
    }
    expect(state.calls).toBe(3);
    state.error = undefined;
    isReady = true;
    await vi.advanceTimersByTimeAsync(RECOVERED_MS);
    expect(result()).toMatchObject({ status: "success", data: "answer" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.calls).toBe(4);
  });

  it.each([
    ["the server refused it", { error_code: "not_found", message: "None", request_id: "r-1" }],
    ["the server failed for another reason", { error_code: "internal_error", message: "Fault", request_id: "r-1" }],
  ])("is not asked again after %s", async (_, error) => {
    isReady = true;
    const { state } = failingWith(error);
    await vi.advanceTimersByTimeAsync(3_000);
    const { calls } = state;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.calls).toBe(calls);
  });

  it("is not asked again while the page is hidden, nor for ever if the server is ready and it still fails", async () => {
    isReady = true;
    const { state } = failingWith(away);
    await vi.advanceTimersByTimeAsync(2_000);
    focusManager.setFocused(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.calls).toBe(3);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(RECOVERED_MS);
    expect(state.calls).toBeGreaterThan(3);
    await vi.advanceTimersByTimeAsync(600_000);
    const { calls } = state;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.calls).toBe(calls);
  });
});
