import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ForgotPasswordPage from "../../src/features/account/forgot-password/page.tsx";
import Done from "../../src/features/account/sign-up/done.tsx";
import SignUpPage from "../../src/features/account/sign-up/page.tsx";
import { renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { answerCalls, data, enter, field, note, refusal, sent, type } from "./harness.tsx";

const show = (search = "") => renderPage(<SignUpPage />, "/sign-up", `/sign-up${search}`);
const codeSent = data({ expires_in: 600, resend_in: 60 });
const code = "Code from the e-mail";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.useRealTimers());

async function reachCode() {
  type("E-mail", "ada@example.com");
  enter("E-mail");
  await screen.findByLabelText(code);
}

async function reachPassword() {
  await reachCode();
  type(code, "123456");
  await screen.findByLabelText("New password");
  await screen.findByText("Senegal");
}

async function fillPassword() {
  await reachPassword();
  type("New password", "a long walk home");
  fireEvent.change(field("Country of residence"), { target: { value: "SN" } });
}

describe("the empty sign-up form", () => {
  it("names the products that are not offered in every country", async () => {
    const items = [
      makeProduct({ name: "Sahel Solar", closed_to: ["US"] }),
      makeProduct({ short_id: "wind", name: "Delta Wind" }),
      makeProduct({ short_id: "tide", name: "Lofoten Tidal", closed_to: ["FR", "CA"] }),
    ];
    answerCalls({ "product/list": data({ items, total: items.length, page: 1, page_size: 100 }) });
    show();
    await screen.findByText("Some products are not offered in every country");
    expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        "Sahel Solar: not offered to residents of these countries: United States",
        "Lofoten Tidal: not offered to residents of these countries: France and Canada",
      ]),
    );
    expect(screen.queryByText(/Delta Wind/)).toBeNull();
  });

  it("shows that the countries are unknown if the products could not be loaded", async () => {
    answerCalls({ "product/list": { status: 404, body: { error_code: "not_found", message: "", request_id: "r" } } });
    show();
    await screen.findByText(/^This site could not load which products are offered in your country/);
  });
});

describe("registering", () => {
  it("leads from the e-mail over its code and a password to a logged-in account with its next steps", async () => {
    const calls = answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": data({ ticket: "ticket-1" }),
      "account/register": data({ token: "t-1", email: "ada@example.com" }),
    });
    show("?next=%2Fproduct%2Falps-hydro");
    await fillPassword();
    enter("New password");
    await screen.findByRole("heading", { name: "Your account is ready" });
    expect(document.activeElement?.textContent).toBe("Your account is ready");
    expect(localStorage.getItem("token")).toBe("t-1");
    expect(sent(calls, "account/send-verification-code")[0]?.body).toEqual({
      email: "ada@example.com",
      purpose: "register",
      language: "en-US",
    });
    expect(sent(calls, "account/verify-email")[0]?.body).toEqual({
      email: "ada@example.com",
      code: "123456",
      purpose: "register",
    });
    const [registered] = sent(calls, "account/register");
    expect(registered?.body).toEqual({
      email: "ada@example.com",
      password: "a long walk home",
      ticket: "ticket-1",
      country: "SN",
      language: "en-US",
    });
    expect(registered?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(screen.getByRole("link", { name: "Verify your identity" }).getAttribute("href")).toBe("/account");
    expect(screen.getByRole("button", { name: "Connect Wallet" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to your page" }).getAttribute("href")).toBe("/product/alps-hydro");
    expect(sessionStorage.getItem("aqua-register")).toBeNull();
  });

  it("links to no other host after registration", () => {
    renderPage(<Done />, "/sign-up", "/sign-up?next=%2F.%2F%2Fevil.example%2Flogin");
    expect(screen.getAllByRole<HTMLAnchorElement>("link").map(({ host }) => host)).toEqual([location.host]);
  });

  it("repeats a registration with a lost response under the same key, and a changed one under another", async () => {
    const calls = answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": data({ ticket: "ticket-1" }),
      "account/register": [
        "unreachable",
        refusal(400, "validation_error", {
          details: [{ path: "password", message: "In English only" }],
        }),
        data({ token: "t-1", email: "ada@example.com" }),
      ],
    });
    show();
    await fillPassword();
    enter("New password");
    await screen.findByText(/server did not answer/);
    enter("New password");
    await waitFor(() => expect(note("New password")).toMatch(/^This password is too common/));
    expect(document.activeElement).toBe(field("New password"));
    type("New password", "a longer walk home");
    enter("New password");
    await screen.findByRole("heading", { name: "Your account is ready" });
    const keys = sent(calls, "account/register").map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
  });

  it("accepts a code pasted with a space, and one in full-width digits", async () => {
    const calls = answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": [refusal(400, "code_invalid"), data({ ticket: "ticket-1" })],
    });
    show();
    await reachCode();
    expect(document.activeElement).toBe(field(code));
    expect(field(code).autocomplete).toBe("one-time-code");
    type(code, " 123 456 ");
    await waitFor(() => expect(note(code)).toMatch(/^This code is wrong/));
    expect(field(code).value).toBe("123456");
    type(code, "６５４３２１");
    await screen.findByLabelText("New password");
    expect(sent(calls, "account/verify-email").map(({ body }) => body.code)).toEqual(["123456", "654321"]);
  });

  it("requires all digits, and reports an expired code", async () => {
    const calls = answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": refusal(400, "code_expired"),
    });
    show();
    await reachCode();
    type(code, "12a34");
    expect(field(code).value).toBe("1234");
    enter(code);
    expect(note(code)).toBe("The code has 6 digits.");
    expect(sent(calls, "account/verify-email")).toEqual([]);
    type(code, "123499");
    await waitFor(() => expect(note(code)).toBe("This code has expired. Request a new one."));
    expect(document.activeElement).toBe(field(code));
  });

  it("allows another code after the wait set by the server", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: 1_700_000_000_000 });
    const calls = answerCalls({ "account/send-verification-code": codeSent });
    show();
    await reachCode();
    const resend = () => screen.getByRole<HTMLButtonElement>("button", { name: /ew code/ });
    expect(resend().textContent).toBe("New code in 1 min");
    act(() => void vi.advanceTimersByTime(45_000));
    expect(resend().textContent).toBe("New code in 15 sec");
    expect(resend().disabled).toBe(true);
    act(() => void vi.advanceTimersByTime(16_000));
    expect(resend().disabled).toBe(false);
    type(code, "12");
    fireEvent.click(resend());
    await screen.findByText(/We sent a new code/);
    expect(field(code).value).toBe("");
    expect(document.activeElement).toBe(field(code));
    expect(resend().disabled).toBe(true);
    expect(sent(calls, "account/send-verification-code")).toHaveLength(2);
  });

  it("returns to the e-mail step with the e-mail filled in", async () => {
    answerCalls({ "account/send-verification-code": codeSent });
    show();
    await reachCode();
    fireEvent.click(screen.getByRole("button", { name: "Use another e-mail" }));
    expect(field("E-mail").value).toBe("ada@example.com");
  });

  it("survives a reload at every step, without the password", async () => {
    answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": data({ ticket: "ticket-1" }),
    });
    const first = show();
    await reachCode();
    first.unmount();
    const second = show();
    await screen.findByLabelText(code);
    expect(note(code)).toContain("ada@example.com");
    type(code, "123456");
    await screen.findByLabelText("New password");
    type("New password", "a long walk home");
    second.unmount();
    show();
    await screen.findByLabelText("New password");
    expect(field("E-mail").value).toBe("ada@example.com");
    expect(field("New password").value).toBe("");
    expect(Object.values(sessionStorage).join()).not.toContain("a long walk home");
  });

  it("asks for a new code when the e-mail's ticket has expired", async () => {
    answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": data({ ticket: "ticket-1" }),
      "account/register": refusal(400, "code_expired"),
    });
    show();
    await fillPassword();
    enter("New password");
    await screen.findByText(/The confirmation of your e-mail has expired/);
    expect(field(code).value).toBe("");
  });

  it("shows a password's strength as text, and refuses a short one", async () => {
    const calls = answerCalls({
      "account/send-verification-code": codeSent,
      "account/verify-email": data({ ticket: "ticket-1" }),
    });
    show();
    await reachPassword();
    expect(field("New password").autocomplete).toBe("new-password");
    type("New password", "aqua");
    fireEvent.focus(field("New password"));
    await screen.findByText("Very weak");
    enter("New password");
    expect(note("New password")).toBe("Use at least 8 characters.");
    expect(note("Country of residence")).toBe("Choose the country you live in.");
    type("New password", "ten slow herons cross the reed bed");
    await screen.findByText("Strong");
    expect(sent(calls, "account/register")).toEqual([]);
  });

  it("links to the outbox in a demo only", async () => {
    answerCalls({ "account/send-verification-code": codeSent, network: data({ demo: true, chains: [] }) });
    show();
    await reachCode();
    const link = await screen.findByRole("link", { name: /Read it in the outbox/ });
    expect(link.getAttribute("href")).toBe("/dev/outbox?to=ada%40example.com");
  });
});

describe("a password reset", () => {
  it("needs a code from the e-mail, and ends the log-in in this browser too", async () => {
    localStorage.setItem("token", "t-old");
    const calls = answerCalls({
      "account/forget-password": codeSent,
      "account/verify-email": data({ ticket: "ticket-2" }),
      "account/reset-password": data({}),
    });
    renderPage(<ForgotPasswordPage />, "/forgot-password", "/forgot-password");
    await reachCode();
    type(code, "123456");
    await screen.findByLabelText("New password");
    type("New password", "a long walk home");
    enter("New password");
    await screen.findByRole("heading", { name: "Your password is changed" });
    expect(localStorage.getItem("token")).toBeNull();
    expect(sent(calls, "account/verify-email")[0]?.body.purpose).toBe("reset_password");
    expect(sent(calls, "account/reset-password")[0]?.body).toEqual({
      email: "ada@example.com",
      ticket: "ticket-2",
      password: "a long walk home",
    });
    expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/sign-in");
  });

  it("names the wallet that can still log in, and leads to where it is unlinked", async () => {
    const current = {
      address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      create_time: 0,
      current: true,
      bindings: [],
    };
    const former = { ...current, address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", current: false };
    answerCalls({
      "account/forget-password": codeSent,
      "account/verify-email": data({ ticket: "ticket-2" }),
      "account/reset-password": data({ wallets: [current, former] }),
    });
    renderPage(<ForgotPasswordPage />, "/forgot-password", "/forgot-password");
    await reachCode();
    type(code, "123456");
    await screen.findByLabelText("New password");
    type("New password", "a long walk home");
    enter("New password");
    await screen.findByText("This wallet can still log in");
    expect(screen.getByText(current.address)).toBeDefined();
    expect(screen.queryByText(former.address)).toBeNull();
    const link = screen.getByRole("link", { name: "Log in" });
    expect(link.getAttribute("href")).toBe("/sign-in?next=%2Faccount%23wallets");
  });

  it("repeats a code and a new password with a lost response under the same keys", async () => {
    const calls = answerCalls({
      "account/forget-password": codeSent,
      "account/verify-email": ["unreachable", data({ ticket: "ticket-2" })],
      "account/reset-password": ["unreachable", data({})],
    });
    renderPage(<ForgotPasswordPage />, "/forgot-password", "/forgot-password");
    await reachCode();
    type(code, "123456");
    await screen.findByText(/server did not answer/);
    enter(code);
    await screen.findByLabelText("New password");
    type("New password", "a long walk home");
    enter("New password");
    await screen.findByText(/server did not answer/);
    enter("New password");
    await screen.findByRole("heading", { name: "Your password is changed" });
    for (const path of ["account/verify-email", "account/reset-password"]) {
      const keys = sent(calls, path).map(({ headers }) => headers["idempotency-key"]);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    }
  });
});
