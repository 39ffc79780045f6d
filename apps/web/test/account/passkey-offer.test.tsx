import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import SignInPage from "../../src/features/account/sign-in/page.tsx";
import { Toaster } from "../../src/ui/toast.tsx";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, refusal, sent } from "./harness.tsx";

interface Offer {
  choose: (passkey: unknown) => void;
  cancel: (error: Error) => void;
}
const { offers } = vi.hoisted(() => ({ offers: [] as Offer[] }));

vi.mock("@simplewebauthn/browser", () => ({
  browserSupportsWebAuthn: () => true,
  browserSupportsWebAuthnAutofill: async () => true,
  startAuthentication: () => new Promise((choose, cancel) => void offers.push({ choose, cancel })),
  WebAuthnAbortService: { cancelCeremony() {} },
}));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  offers.length = 0;
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("isSecureContext", true);
});

const failed = "The passkey was not accepted. Nothing was changed.";
const page = (
  <>
    <SignInPage />
    <Toaster />
  </>
);
const offered = (count: number) => waitFor(() => expect(offers).toHaveLength(count));

it.each([
  ["cancelled", "NotAllowedError"],
  ["ended by the page", "AbortError"],
  ["not possible on this device", "NotSupportedError"],
])("no error is logged if a suggestion was %s", async (_, name) => {
  const log = vi.spyOn(console, "error");
  const calls = answerCalls({ "account/passkeys/options": [data({ challenge: "c-1" })] });
  renderPage(page, "/sign-in", "/sign-in");
  await offered(1);
  offers[0]?.cancel(new DOMException("No passkey", name));
  // The promise of the offer is settled before the next task.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByText(failed)).toBeNull();
  expect(log).not.toHaveBeenCalled();
  expect(sent(calls, "account/passkeys/options")).toHaveLength(1);
});

it("an offer that fails by itself is logged, and the form still works", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  answerCalls({ "account/passkeys/options": [refusal(503, "unavailable")], "client-error": [data({})] });
  renderPage(page, "/sign-in", "/sign-in");
  await waitFor(() => expect(log).toHaveBeenCalledWith(expect.objectContaining({ error_code: "unavailable" })));
  expect(screen.queryByText(failed)).toBeNull();
  expect(offers).toHaveLength(0);
});

it("an offer that the server does not answer is not logged", async () => {
  const log = vi.spyOn(console, "error");
  const calls = answerCalls({ "account/passkeys/options": "unreachable" });
  renderPage(page, "/sign-in", "/sign-in");
  await waitFor(() => expect(sent(calls, "account/passkeys/options")).toHaveLength(1));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(log).not.toHaveBeenCalled();
});

it("a suggested passkey that is not accepted is reported and offered again", async () => {
  const calls = answerCalls({
    "account/passkeys/options": [data({ challenge: "c-1" }), data({ challenge: "c-2" })],
    "account/passkeys/login": [refusal(401, "login_failed"), data({ token: "t-1", email: "ada@example.com" })],
  });
  renderPage(page, "/sign-in", "/sign-in");
  await offered(1);
  offers[0]?.choose({ id: "k-1" });
  await screen.findByText(failed);
  await offered(2);
  offers[1]?.choose({ id: "k-2" });
  await waitFor(() => expect(localStorage.getItem("token")).toBe("t-1"));
  expect(sent(calls, "account/passkeys/login").map(({ body }) => body)).toEqual([
    { passkey: { id: "k-1" } },
    { passkey: { id: "k-2" } },
  ]);
});
