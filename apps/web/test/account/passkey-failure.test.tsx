import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FactorForm } from "../../src/features/account/factor-form.tsx";
import { PasskeyDialog } from "../../src/features/account/security/passkey-dialog.tsx";
import SignInPage from "../../src/features/account/sign-in/page.tsx";
import { api } from "../../src/features/api.ts";
import { Toaster } from "../../src/ui/toast.tsx";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, field, note, refusal, type } from "./harness.tsx";

const { device, reportError } = vi.hoisted(() => ({
  device: { error: null as Error | null },
  reportError: vi.fn(),
}));

async function answer() {
  if (device.error) throw device.error;
  return { id: "k-1" };
}
vi.mock("@simplewebauthn/browser", () => ({
  browserSupportsWebAuthn: () => true,
  browserSupportsWebAuthnAutofill: async () => false,
  startAuthentication: answer,
  startRegistration: answer,
  WebAuthnAbortService: { cancelCeremony() {} },
}));
vi.mock("../../src/report-error.ts", () => ({ reportError, reportFault: reportError }));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  device.error = null;
  reportError.mockClear();
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("isSecureContext", true);
});

const none = "Your device sent no passkey. Try again, or choose another way to log in.";
const notAccepted = "The passkey was not accepted. Nothing was changed.";
const tooMany = "There were too many attempts. Try again in 30 sec.";
const unanswered = "The server did not answer. Your entries are kept. Try again.";
const broken =
  "Something went wrong on our side. Your entries are kept. Try again. If it fails again, give the operator this reference: r-1.";

const options = data({ challenge: "c-1" });
const fault = new DOMException("Not this origin", "SecurityError");
const cancelled = new DOMException("Cancelled", "NotAllowedError");
const incapable = new DOMException("No place for passkeys", "NotSupportedError");

type Case = [string, Error | null, object | string, object | string, string];
/** The situation, the device's error, the responses of the two calls, and the expected sentence. */
const cases: Case[] = [
  ["the prompt was cancelled", cancelled, options, data({}), none],
  ["the device keeps no passkeys", incapable, options, data({}), none],
  ["the browser refuses this site", fault, options, data({}), none],
  ["the passkey belongs to no account", null, options, refusal(401, "login_failed"), notAccepted],
  ["there were too many tries", null, options, refusal(429, "too_many_requests", { retry_after: 30 }), tooMany],
  ["there were too many questions", null, refusal(429, "too_many_requests", { retry_after: 30 }), data({}), tooMany],
  ["the server is broken", null, options, refusal(500, "internal_error"), broken],
  ["the server does not answer", null, "unreachable", data({}), unanswered],
];

describe.each(cases)("where %s", (_, error, first, second, sentence) => {
  const calls = (path: string) =>
    answerCalls({ "account/passkeys/options": first, [path]: second } as Parameters<typeof answerCalls>[0]);
  const expectLog = () => expect(reportError.mock.calls).toEqual(error === fault ? [["page", fault]] : []);

  it("a log-in says so", async () => {
    device.error = error;
    calls("account/passkeys/login");
    renderPage(
      <>
        <SignInPage />
        <Toaster />
      </>,
      "/sign-in",
      "/sign-in",
    );
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Use a passkey" });
    fireEvent.click(button);
    await screen.findByText(sentence);
    expect(button.getAttribute("aria-busy")).not.toBe("true");
    expect(localStorage.getItem("token")).toBeNull();
    expectLog();
  });

  it("a confirmation says so", async () => {
    device.error = error;
    calls("account/confirm");
    render(<FactorForm send={async (factor) => void (await api.confirm({ factor }))} />);
    fireEvent.click(screen.getByRole("button", { name: "Use a passkey" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(sentence));
    expectLog();
  });
});

it.each([
  ["the prompt was cancelled", cancelled, "Your device created no passkey. Try again, or use another device.", false],
  ["the browser refuses this site", fault, "Your device created no passkey. Try again, or use another device.", true],
  [
    "the device has one of this account",
    new DOMException("Excluded", "InvalidStateError"),
    "This device already has a passkey of your account. Use another device.",
    false,
  ],
])("the form of a new passkey reports that %s, and its name stays", async (_, error, sentence, logged) => {
  device.error = error;
  answerCalls({ "account/passkeys/new": options });
  renderPage(<PasskeyDialog onClose={vi.fn()} onAdded={vi.fn()} />, "/account", "/account");
  type("Name of the passkey", "Phone");
  fireEvent.click(screen.getByRole("button", { name: "Add a passkey" }));
  await waitFor(() => expect(note("Name of the passkey")).toContain(sentence));
  expect(field("Name of the passkey").value).toBe("Phone");
  expect(reportError.mock.calls).toEqual(logged ? [["page", error]] : []);
});
