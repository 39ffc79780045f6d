import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { useIsConfirmationOpen } from "../../src/features/account/confirm/ask.ts";
import ConfirmDialog from "../../src/features/account/confirm/dialog.tsx";
import AccountPage from "../../src/features/account/page.tsx";
import SignInPage from "../../src/features/account/sign-in/page.tsx";
import StopSwitchPage from "../../src/features/account/stop-switch/page.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { signText } from "../../src/wallet/lazy/operations.ts";
import { setWallet } from "../../src/wallet/store.ts";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, enter, field, note, notifications, refusal, security, sent, type } from "./harness.tsx";

vi.mock("../../src/wallet/lazy/operations.ts", async (original) => ({
  ...(await original<object>()),
  signText: vi.fn(),
}));

const time = Date.UTC(2026, 10, 1, 12);
const old = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const next = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const info = {
  email: "ada@example.com",
  country: "SN",
  language: "fr-FR",
  identity_status: "unverified",
  create_time: time,
  wallets: [],
};
const identity = {
  status: "unverified",
  provider: "manual",
  submitted_at: null,
  decided_at: null,
  valid_until: null,
  reason: null,
  sandbox_names: [],
};
const pending = {
  id: "w-1",
  from: old,
  to: next,
  create_time: time,
  effective_time: time + 86_400_000,
  consent: "I agree",
};
const confirmation = refusal(403, "confirmation_required");

type Answers = Parameters<typeof answerCalls>[0];
const always = (value: unknown) => () => Promise.resolve(data(value));
const asked = (more: Answers = {}) =>
  answerCalls({
    "account/info": always(info),
    "account/identity": always(identity),
    "account/sessions": always([]),
    "account/notifications": always(notifications()),
    "account/security": always(security()),
    "account/events": always({ items: [], total: 0, page: 1, page_size: 10 }),
    ...more,
  });

/** As in the layout, which all pages share. */
function Confirmation() {
  return useIsConfirmationOpen() && <ConfirmDialog />;
}

async function show() {
  renderPage(
    <>
      <AccountPage />
      <Suspense>
        <Confirmation />
      </Suspense>
    </>,
    "/account",
    "/account",
  );
  await screen.findByRole("heading", { name: "Security" });
}

beforeEach(async () => {
  localStorage.clear();
  localStorage.setItem("token", "t-1");
  localStorage.setItem("email", "ada@example.com");
  setWallet({ status: "disconnected", address: null, chainId: null });
  await loadTexts("security", "forms", "account");
});

describe("a confirmation", () => {
  it("is requested if the server requires one, and the action is done afterwards", async () => {
    const calls = asked({
      "account/change-password": [confirmation, data({})],
      "account/confirm": [refusal(401, "login_failed"), data({ confirmed_until: time })],
    });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
    type("New password", "a lamp in the harbour");
    enter("New password");
    await screen.findByRole("dialog", { name: "Confirm it’s you" });
    expect(field("Password").autocomplete).toBe("current-password");
    type("Password", "wrong");
    enter("Password");
    await waitFor(() => expect(note("Password")).toBe("This is not your account’s password."));
    type("Password", "a long walk home");
    enter("Password");
    await waitFor(() => expect(sent(calls, "account/change-password")).toHaveLength(2));
    expect(sent(calls, "account/confirm")[1]?.body).toEqual({ password: "a long walk home" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("can be given with a code from a mail", async () => {
    const calls = asked({
      "account/change-password": [confirmation, data({})],
      "account/confirm/code": data({ expires_in: 600, resend_in: 60 }),
      "account/confirm": data({ confirmed_until: time }),
    });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
    type("New password", "a lamp in the harbour");
    enter("New password");
    await screen.findByRole("dialog", { name: "Confirm it’s you" });
    fireEvent.click(await screen.findByRole("button", { name: "E-mail me a code" }));
    await screen.findByLabelText("Code from the e-mail");
    expect(field("Code from the e-mail").autocomplete).toBe("one-time-code");
    type("Code from the e-mail", "042137");
    await waitFor(() => expect(sent(calls, "account/confirm")[0]?.body).toEqual({ code: "042137" }));
  });

  it("that is not given is reported and changes nothing", async () => {
    const calls = asked({ "account/change-password": [confirmation] });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
    type("New password", "a lamp in the harbour");
    enter("New password");
    const dialog = await screen.findByRole("dialog", { name: "Confirm it’s you" });
    fireEvent.click(dialog.querySelector("button[aria-label]") as HTMLElement);
    await screen.findByText("Nothing was changed, because you did not confirm that it’s you.");
    expect(sent(calls, "account/change-password")).toHaveLength(1);
  });

  it("of an account with a second factor takes that, not your account’s password", async () => {
    const calls = asked({
      "account/security": always(security({ second_factor: true, recovery_codes: 8 })),
      "account/recovery-codes": [confirmation, data({ codes: ["AAAA-BBBB-CCCC"] })],
      "account/confirm": [refusal(400, "code_invalid"), data({ confirmed_until: time })],
    });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Create new codes" }));
    await screen.findByRole("dialog", { name: "Confirm it’s you" });
    await screen.findByLabelText("Authenticator code");
    expect(screen.queryByLabelText("Password")).toBeNull();
    type("Authenticator code", "111111");
    await waitFor(() => expect(note("Authenticator code")).toContain("This code is wrong or was already used."));
    fireEvent.click(screen.getByRole("button", { name: "Use a recovery code" }));
    type("Recovery code", "aaaa-bbbb-cccc");
    enter("Recovery code");
    await screen.findByText("AAAA-BBBB-CCCC");
    expect(sent(calls, "account/confirm")[1]?.body).toEqual({ factor: { recovery: "aaaa-bbbb-cccc" } });
  });
});

describe("the security of an account", () => {
  it("shows passkeys and app with names and last use, the number of remaining codes, and the events", async () => {
    const calls = asked({
      "account/security": always(
        security({
          second_factor: true,
          passkeys: [{ id: "k-1", name: "Phone", create_time: time, last_use: null }],
          totp: { id: "totp", name: "TOTP", create_time: time, last_use: time },
          recovery_codes: 1,
        }),
      ),
      "account/events": always({
        items: [
          { id: "e-1", time, kind: "log_in_failed", user_agent: "Edge, Windows", place: "203.0.113.x", detail: null },
          { id: "e-2", time, kind: "log_in", user_agent: null, place: "198.51.100.x", detail: null },
        ],
        total: 11,
        page: 1,
        page_size: 10,
      }),
      "account/factors/remove": data({}),
    });
    await show();
    await screen.findByText("Phone");
    expect(screen.getByText(/not used yet/)).toBeTruthy();
    expect(screen.getByText("1 code left. Each replaces the second factor once.")).toBeTruthy();
    await screen.findByText("Failed log-in");
    expect(screen.getByText(/Edge, Windows · network 203\.0\.113\.x/)).toBeTruthy();
    expect(screen.getByText(/unknown program · network 198\.51\.100\.x/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Show earlier" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Remove Phone" }));
    await waitFor(() => expect(sent(calls, "account/factors/remove")[0]?.body).toEqual({ id: "k-1" }));
  });

  it("keeps the displayed events when earlier ones cannot be loaded", async () => {
    const item = { id: "e-1", time, kind: "log_in_failed", user_agent: "Edge, Windows", place: null, detail: null };
    const older = { ...item, id: "e-2", user_agent: "Firefox, Linux" };
    asked({
      "account/events": [
        data({ items: [item], total: 11, page: 1, page_size: 10 }),
        refusal(500, "internal_error"),
        data({ items: [older], total: 11, page: 2, page_size: 10 }),
      ],
    });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Show earlier" }));
    const retry = await screen.findByRole("button", { name: "Retry" });
    expect(screen.getByText(/Edge, Windows/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show earlier" })).toBeNull();
    fireEvent.click(retry);
    await screen.findByText(/Firefox, Linux/);
    expect(screen.getByText(/Edge, Windows/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });

  it("gets an authenticator app, with recovery codes that are shown once", async () => {
    const calls = asked({
      "account/totp/new": data({ secret: "ABCDEFGH", uri: "otpauth://totp/x" }),
      "account/totp/add": [refusal(400, "code_invalid"), data({ codes: ["AAAA-BBBB-CCCC", "DDDD-EEEE-FFFF"] })],
    });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Set up the app" }));
    expect((await screen.findByTestId("totp-key")).textContent).toBe("ABCD EFGH");
    expect(screen.getByRole("link", { name: "Open in the app" }).getAttribute("href")).toBe("otpauth://totp/x");
    type("Code that the app shows", "000000");
    enter("Code that the app shows");
    await waitFor(() => expect(note("Code that the app shows")).toContain("This code is wrong"));
    type("Code that the app shows", "042137");
    enter("Code that the app shows");
    await screen.findByRole("dialog", { name: "Your recovery codes" });
    expect(screen.getByText("DDDD-EEEE-FFFF")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByText("DDDD-EEEE-FFFF")).toBeNull();
    expect(sent(calls, "account/totp/new")).toHaveLength(1);
  });

  it("changes the e-mail with a code from the new mailbox", async () => {
    const calls = asked({
      "account/change-email/code": data({ expires_in: 600, resend_in: 60 }),
      "account/change-email": data({ email: "new@example.com" }),
    });
    await show();
    fireEvent.click(screen.getByRole("button", { name: "Change e-mail" }));
    type("New e-mail", " new@example.com");
    enter("New e-mail");
    await screen.findByLabelText("Code from the new e-mail");
    type("Code from the new e-mail", "042137");
    enter("Code from the new e-mail");
    await waitFor(() => expect(localStorage.getItem("email")).toBe("new@example.com"));
    expect(sent(calls, "account/change-email")[0]?.body).toEqual({ email: "new@example.com", code: "042137" });
  });
});

describe("a log-in with a second factor", () => {
  it("asks for it after the password, and sends both", async () => {
    localStorage.clear();
    const calls = answerCalls({
      "account/login": [
        refusal(403, "second_factor_required"),
        refusal(400, "code_invalid"),
        data({ token: "t-9", email: "ada@example.com" }),
      ],
    });
    renderPage(<SignInPage />, "/sign-in", "/sign-in");
    type("E-mail", "ada@example.com");
    type("Password", "a long walk home");
    enter("Password");
    await screen.findByRole("heading", { name: "Second factor" });
    type("Authenticator code", "000000");
    await waitFor(() => expect(note("Authenticator code")).toContain("is wrong"));
    expect(localStorage.getItem("token")).toBeNull();
    type("Authenticator code", "042137");
    await waitFor(() => expect(localStorage.getItem("token")).toBe("t-9"));
    expect(sent(calls, "account/login")[2]?.body).toEqual({
      email: "ada@example.com",
      password: "a long walk home",
      factor: { totp: "042137" },
    });
  });
});

describe("a switch that waits", () => {
  const waiting = () => asked({ "account/security": always(security({ pending_switch: pending })) });

  it("is shown with its time, and stopped", async () => {
    const calls = asked({
      "account/security": always(security({ pending_switch: pending })),
      "account/switch/stop": data({ from: old, to: next }),
    });
    await show();
    await screen.findByText(/^The switch to 0x3C4…93BC can be stopped until/);
    expect(screen.getByText("Connect 0x709…79C8 to sign.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Stop the switch" }));
    await waitFor(() => expect(localStorage.getItem("token")).toBeNull());
    expect(sent(calls, "account/switch/stop")[0]?.body).toEqual({});
  });

  it("is stopped only after the reader has confirmed", async () => {
    const calls = asked({
      "account/security": always(security({ pending_switch: pending })),
      "account/switch/stop": [refusal(403, "confirmation_required"), data({ from: old, to: next })],
      "account/confirm": data({ confirmed_until: Date.now() + 300_000 }),
    });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Stop the switch" }));
    await screen.findByLabelText("Password");
    type("Password", "a long walk home");
    enter("Password");
    await waitFor(() => expect(localStorage.getItem("token")).toBeNull());
    expect(sent(calls, "account/switch/stop")).toHaveLength(2);
  });

  it("is signed by the former wallet, and no other wallet is prompted", async () => {
    const calls = asked({
      "account/security": always(security({ pending_switch: pending })),
      "account/switch/sign": data({}),
    });
    vi.mocked(signText).mockResolvedValue("0x1234");
    setWallet({ status: "connected", address: old, chainId: 1 });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Sign with 0x709…79C8" }));
    await waitFor(() => expect(sent(calls, "account/switch/sign")[0]?.body).toEqual({ signature: "0x1234" }));
    expect(signText).toHaveBeenCalledExactlyOnceWith(old, "I agree");
    cleanup();
    waiting();
    setWallet({ status: "connected", address: next, chainId: 1 });
    await show();
    await screen.findByText(/^The switch to/);
    expect(screen.queryByRole("button", { name: /^Sign with/ })).toBeNull();
  });
});

describe("a signature of the former wallet", () => {
  const refusedInWallet = Object.assign(new Error("User rejected the request."), { code: 4001 });
  const missing = new TypeError("Failed to fetch dynamically imported module");
  it.each([
    ["is refused in the wallet", refusedInWallet, [], /^Your wallet sent no signature/],
    ["waits for code that does not load", missing, [missing], /^Your wallet sent no signature/],
    ["waits for a server that does not answer", null, [], /^The server did not answer/],
    ["is not accepted", "0x1234", [], /^The signature was not accepted/],
  ])("that %s is reported with the reason", async (_, given, faults, sentence) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    asked({
      "account/security": always(security({ pending_switch: pending })),
      "account/switch/sign": refusal(401, "signature_invalid"),
      "client/error": data({}),
    });
    if (typeof given === "string") vi.mocked(signText).mockResolvedValue("0x1234");
    else vi.mocked(signText).mockRejectedValue(given);
    setWallet({ status: "connected", address: old, chainId: 1 });
    await show();
    fireEvent.click(await screen.findByRole("button", { name: "Sign with 0x709…79C8" }));
    await screen.findByText(sentence);
    expect(log.mock.calls).toEqual(faults.map((error) => [error]));
  });
});

describe("the link of the mail about a switch", () => {
  const open = (token = "tok") => renderPage(<StopSwitchPage />, "/stop-switch", `/stop-switch?token=${token}`);

  it("stops it with one press and no log-in, and never by being opened", async () => {
    localStorage.clear();
    const calls = answerCalls({ "account/switch/stop": data({ from: old, to: next }) });
    open();
    expect(sent(calls, "account/switch/stop")).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Stop the switch" }));
    await screen.findByText("The switch was stopped");
    expect(screen.getByText(/^Your account uses 0x709…79C8 again/)).toBeTruthy();
    expect(sent(calls, "account/switch/stop")[0]?.body).toEqual({ token: "tok" });
    expect(sent(calls, "account/switch/stop")[0]?.headers["idempotency-key"]).toBe("tok");
  });

  it("reports that it is too late or invalid", async () => {
    answerCalls({ "account/switch/stop": [refusal(409, "conflict"), refusal(404, "not_found")] });
    open();
    fireEvent.click(screen.getByRole("button", { name: "Stop the switch" }));
    await screen.findByText("This switch can no longer be stopped");
    cleanup();
    open();
    fireEvent.click(screen.getByRole("button", { name: "Stop the switch" }));
    await screen.findByText("This link is not valid");
    cleanup();
    open("");
    expect(screen.getByText("This link is not valid")).toBeTruthy();
  });
});
