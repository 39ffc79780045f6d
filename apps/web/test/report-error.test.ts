import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportError, reportFault } from "../src/report-error.ts";
import { answerCalls, data, sent } from "./account/harness.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

it.each([
  ["an error", new TypeError("x is undefined"), "x is undefined"],
  [
    "the answer of a call that failed",
    { error_code: "internal_error", message: "Something broke", request_id: "r-1" },
    '{"error_code":"internal_error","message":"Something broke","request_id":"r-1"}',
  ],
  ["a call without an answer", null, "null"],
  ["a text", "It broke", "It broke"],
])("the log names %s", async (_, error, message) => {
  const calls = answerCalls({ "client/error": data({}) });
  reportError("page", error);
  await vi.waitFor(() => expect(sent(calls, "client/error")).toHaveLength(1));
  expect(sent(calls, "client/error")[0]?.body).toMatchObject({ part: "page", message });
});

const fault = new TypeError("x is undefined");
const circular = new Error("again");
circular.cause = circular;

it.each([
  ["a fault of this app", fault, true],
  ["code that did not load", new TypeError("Failed to fetch dynamically imported module"), true],
  ["what is its own cause", circular, true],
  ["the server's refusal", { error_code: "too_many_requests", message: "Too many", request_id: "r-1" }, false],
  ["a call without an answer", null, false],
  ["what the browser forbids", new DOMException("No storage", "SecurityError"), false],
  ["a wallet's answer", new Error("It failed", { cause: { code: -32603, message: "Out of order" } }), false],
  [
    "a node without an answer",
    new Error("No block", { cause: Object.assign(new Error("503"), { name: "HttpRequestError" }) }),
    false,
  ],
])("reportFault reports only faults of this app: %s", async (_, caught, reported) => {
  answerCalls({ "client/error": data({}) });
  reportFault("wallet", caught);
  await vi.dynamicImportSettled();
  expect(vi.mocked(console.error).mock.calls).toEqual(reported ? [[caught]] : []);
});
