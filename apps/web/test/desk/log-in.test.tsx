import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import OperatorPage from "../../src/features/desk/page.tsx";
import { forgetDeskToken } from "../../src/features/desk/session.ts";
import { answerCalls, data, enter, field, note, refusal, sent, type } from "../account/harness.tsx";
import { renderPage } from "../page-harness.tsx";

const { device } = vi.hoisted(() => ({ device: { error: null as Error | null } }));
async function answer() {
  if (device.error) throw device.error;
  return { id: "k-1" };
}
vi.mock("@simplewebauthn/browser", () => ({
  browserSupportsWebAuthn: () => true,
  startAuthentication: answer,
  startRegistration: answer,
  WebAuthnAbortService: { cancelCeremony() {} },
}));
// These tests end where the desk begins.
vi.mock("../../src/features/desk/desk.tsx", () => ({ default: () => <p>The desk</p> }));

const exists = { "operator/desk/login/options": data({ challenge: "c-1" }) };
const token = "aqua_secret";
const label = "Your operator’s token";

function open(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls({ ...exists, ...answers });
  renderPage(<OperatorPage />, "/operator", "/operator");
  return calls;
}
const logIn = async () => fireEvent.click(await screen.findByRole("button", { name: "Use a passkey" }));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  forgetDeskToken(false);
  device.error = null;
  vi.restoreAllMocks();
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("a log-in at the desk", () => {
  it("needs only the passkey, and stores its token for this tab, apart from a depositor's", async () => {
    localStorage.setItem("token", "depositor");
    const calls = open({
      "operator/desk/login": data({ token: "desk_1", expires_at: 1, name: "ada", scopes: [] }),
    });
    await logIn();
    expect(await screen.findByText("The desk")).toBeTruthy();
    expect(sent(calls, "operator/desk/login").map(({ body }) => body)).toEqual([{ passkey: { id: "k-1" } }]);
    expect(sessionStorage.getItem("aqua.desk.token")).toBe("desk_1");
    expect(calls.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    expect(localStorage.getItem("token")).toBe("depositor");
  });

  it.each([
    ["belongs to no operator", null, refusal(401, "login_failed"), "This passkey belongs to no operator in service."],
    [
      "was not sent",
      new DOMException("Cancelled", "NotAllowedError"),
      data({}),
      "Your device sent no passkey. Try again, or add a passkey below.",
    ],
    ["finds no server", null, "unreachable" as const, "The server did not answer. Your entries are kept. Try again."],
  ])("whose passkey %s says so and can be tried again", async (_, error, second, sentence) => {
    device.error = error;
    open({ "operator/desk/login": second });
    await logIn();
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Use a passkey" }).getAttribute("aria-busy")).toBeNull();
  });

  it("does not exist on a site without operators' calls, and the page says so", async () => {
    open({ "operator/desk/login/options": refusal(404, "not_found") });
    expect(await screen.findByRole("heading", { name: "This site has no desk" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Home" }).getAttribute("href")).toBe("/");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is impossible where the browser has no passkeys, and the page says why", async () => {
    vi.stubGlobal("isSecureContext", false);
    open({});
    expect(await screen.findByText("Passkeys need a domain with https. This address has none.")).toBeTruthy();
  });
});

describe("a passkey for the desk", () => {
  const added = {
    "operator/desk/passkey/new": data({ challenge: "c-2" }),
    "operator/desk/passkey": data({ name: "ada", passkeys: 2 }),
  };

  it("is added with the operator's token, which is cleared and stored nowhere", async () => {
    const calls = open(added);
    await screen.findByText("First time here?");
    expect(field(label).type).toBe("password");
    type(label, ` ${token} `);
    enter(label);
    expect(await screen.findByText("ada has 2 passkeys. Log in with this one now.")).toBeTruthy();
    for (const path of ["operator/desk/passkey/new", "operator/desk/passkey"])
      expect(sent(calls, path).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
    expect(sent(calls, "operator/desk/passkey")[0]?.body).toEqual({ passkey: { id: "k-1" }, only: false });
    expect(field(label).value).toBe("");
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(token);
  });

  it("can replace all others after a lost device", async () => {
    const calls = open(added);
    fireEvent.click(await screen.findByRole("switch", { name: "Only this passkey", hidden: true }));
    type(label, token);
    enter(label);
    await waitFor(() => expect(sent(calls, "operator/desk/passkey")[0]?.body.only).toBe(true));
  });

  it("is not added without a token, with a wrong one or with the server's, and each time the page says so", async () => {
    open({
      ...added,
      "operator/desk/passkey/new": [refusal(401, "token_error"), refusal(403, "not_allowed")] as never,
    });
    await screen.findByText("First time here?");
    enter(label);
    expect(note(label)).toBe("Paste the token.");
    type(label, token);
    enter(label);
    await waitFor(() => expect(note(label)).toBe("This token is not valid, or has expired."));
    expect(field(label).value).toBe("");
    type(label, token);
    enter(label);
    expect(await screen.findByText(/^This is the token of the server\./)).toBeTruthy();
  });
});
