import { act, fireEvent, renderHook, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { DataSection } from "../../src/features/account/data.tsx";
import { failureText } from "../../src/features/account/failure.ts";
import { useForm } from "../../src/features/account/use-form.ts";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data } from "./harness.tsx";

const log = () => vi.mocked(console.error).mock.calls;
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "client/error": data({}) });
});

it("a fault of a form is logged once as the page's, and the typed values stay", async () => {
  const fault = new TypeError("x is undefined");
  const { result } = renderHook(() =>
    useForm({ initial: { name: "Ada" }, check: () => ({}), send: () => Promise.reject(fault) }),
  );
  await act(() => result.current.submit());
  expect(result.current.failure).toBe("Something went wrong on this page. Your entries are kept. Try again.");
  expect(result.current.values.name).toBe("Ada");
  expect(result.current.busy).toBe(false);
  expect(log()).toEqual([[fault]]);
});

it.each([
  ["no answer", null, "The server did not answer. Your entries are kept. Try again."],
  [
    "a refusal",
    { error_code: "conflict", message: "Taken", request_id: "r-1" },
    "The server did not accept this: Taken",
  ],
  [
    "an account whose rows differ from the public log",
    { error_code: "record_differs", message: "differs", request_id: "r-2" },
    "This account’s data does not match its public record. To protect you, it cannot be used or changed until the operator has checked it. Give the operator this reference: r-2.",
  ],
  ["another server's answer", { error: "Bad gateway" }, "The server answered with an error."],
])("%s is not logged", (_, error, text) => {
  expect(failureText(error)()).toBe(text);
  expect(log()).toEqual([]);
});

it("an export that breaks off is not a fault of the page", async () => {
  const response = new Response();
  vi.spyOn(response, "blob").mockRejectedValue(new TypeError("network error"));
  vi.spyOn(globalThis, "fetch").mockResolvedValue(response);
  renderPage(<DataSection />, "/account", "/account");
  fireEvent.click(screen.getByRole("button", { name: "Download my data" }));
  await screen.findByText("The server did not answer. Your entries are kept. Try again.");
  expect(log()).toEqual([]);
});
