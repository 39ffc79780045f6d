import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { nextPath } from "../../src/features/account/redirect-path.ts";
import SignInPage from "../../src/features/account/sign-in/page.tsx";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, enter, field, note, refusal, sent, type } from "./harness.tsx";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const address = () => screen.getByLabelText("address").textContent;
const show = (search = "") => renderPage(<SignInPage />, "/sign-in", `/sign-in${search}`);

describe("log-in", () => {
  it("keeps the session and goes back to the previous page", async () => {
    const calls = answerCalls({ "account/login": data({ token: "t-1", email: "ada@example.com" }) });
    show("?next=%2Fportfolios%3Fx%3D1");
    type("E-mail", " ada@example.com ");
    type("Password", "a long walk home");
    enter("Password");
    await waitFor(() => expect(address()).toBe("/portfolios?x=1"));
    expect(localStorage.getItem("token")).toBe("t-1");
    expect(localStorage.getItem("email")).toBe("ada@example.com");
    expect(sent(calls, "account/login")[0]?.body).toEqual({ email: "ada@example.com", password: "a long walk home" });
  });

  it("shows a missing value beside each field, in its description, and focuses the first", () => {
    const calls = answerCalls({});
    show();
    enter("E-mail");
    expect(note("E-mail")).toBe("Enter your e-mail address.");
    expect(note("Password")).toBe("Enter the password.");
    expect(document.activeElement).toBe(field("E-mail"));
    type("E-mail", "ada@example.com");
    expect(note("E-mail")).toBe("");
    enter("E-mail");
    expect(document.activeElement).toBe(field("Password"));
    expect(sent(calls, "account/login")).toEqual([]);
  });

  it("sends what a password manager filled in without an event", async () => {
    const calls = answerCalls({ "account/login": data({ token: "t-1", email: "ada@example.com" }) });
    show();
    // An extension bypasses React and dispatches no input event.
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    write?.call(field("E-mail"), "ada@example.com");
    write?.call(field("Password"), "a long walk home");
    enter("Password");
    await waitFor(() => expect(localStorage.getItem("token")).toBe("t-1"));
    expect(sent(calls, "account/login")[0]?.body).toEqual({ email: "ada@example.com", password: "a long walk home" });
  });

  it("shows that e-mail or password is wrong and keeps both", async () => {
    answerCalls({ "account/login": refusal(401, "login_failed") });
    show();
    type("E-mail", "ada@example.com");
    type("Password", "wrong words here");
    enter("Password");
    await screen.findByText("E-mail or password is wrong.");
    expect(screen.queryByText(/In English only/)).toBeNull();
    expect(field("E-mail").value).toBe("ada@example.com");
    expect(field("Password").value).toBe("wrong words here");
  });

  it("shows how long to wait after too many attempts", async () => {
    answerCalls({ "account/login": refusal(429, "too_many_requests", { retry_after: 61 }) });
    show();
    type("E-mail", "ada@example.com");
    type("Password", "x");
    enter("Password");
    await screen.findByText("There were too many attempts. Try again in 2 min.");
  });

  it("keeps the fields when the server does not answer, and the next attempt works", async () => {
    answerCalls({ "account/login": ["unreachable", data({ token: "t-2", email: "ada@example.com" })] });
    show();
    type("E-mail", "ada@example.com");
    type("Password", "a long walk home");
    enter("Password");
    await screen.findByText(/server did not answer/);
    fireEvent.click(screen.getByRole("button", { name: "Log in" }));
    enter("Password");
    await waitFor(() => expect(address()).toBe("/account"));
  });

  it("sends once, however often Enter is pressed", async () => {
    let answer = (_: ReturnType<typeof data>) => {};
    const calls = answerCalls({ "account/login": () => new Promise((resolve) => (answer = resolve)) });
    show();
    type("E-mail", "ada@example.com");
    type("Password", "a long walk home");
    enter("Password");
    enter("Password");
    await screen.findByRole("button", { name: "Log in", busy: true });
    expect(sent(calls, "account/login")).toHaveLength(1);
    answer(data({ token: "t-3", email: "ada@example.com" }));
    await waitFor(() => expect(address()).toBe("/account"));
  });

  it("is compatible with password managers, and can reveal the password", () => {
    answerCalls({});
    show();
    expect(field("E-mail").autocomplete).toBe("username webauthn");
    expect(field("Password").autocomplete).toBe("current-password");
    expect(field("Password").type).toBe("password");
    const toggle = screen.getByRole("button", { name: "Show password", pressed: false });
    fireEvent.click(toggle);
    expect(field("Password").type).toBe("text");
    expect(screen.getByRole("button", { name: "Show password", pressed: true })).toBe(toggle);
  });

  it("passes the e-mail and the return path to registration and password reset", () => {
    answerCalls({});
    show("?next=%2Fproducts");
    type("E-mail", "ada@example.com");
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toBe("/sign-up?next=%2Fproducts");
    expect(screen.getByRole("link", { name: "Forgot password" }).getAttribute("href")).toBe("/forgot-password");
  });

  it("offers links instead of the form to a visitor who is already logged in", async () => {
    localStorage.setItem("token", "t-4");
    localStorage.setItem("email", "ada@example.com");
    answerCalls({});
    show();
    await screen.findByRole("heading", { name: "You are logged in" });
    expect(screen.getByText("ada@example.com")).toBeTruthy();
    expect(screen.getByRole("link", { name: "My Account" }).getAttribute("href")).toBe("/account");
    expect(address()).toBe("/sign-in");
  });
});

describe("the target after a log-in", () => {
  it.each([
    ["/portfolios?address=0x1#top", "/portfolios?address=0x1#top"],
    [null, "/account"],
    ["", "/account"],
    ["https://evil.example/account", "/account"],
    ["//evil.example", "/account"],
    ["/\\evil.example", "/account"],
    ["/\t/evil.example", "/account"],
    // Removing the dot leaves "//evil.example", which a link reads as another host.
    ["/.//evil.example", "/account"],
    ["/.\\/evil.example", "/account"],
    ["/.\\\\evil.example/login", "/account"],
    ["/a/..//evil.example", "/account"],
    ["/%2e//evil.example", "/account"],
    ["/\t.//evil.example", "/account"],
    ["javascript:alert(1)", "/account"],
    ["portfolios", "/account"],
    ["/sign-in?next=/sign-in", "/account"],
    ["/sign-up/", "/account"],
  ])("for next=%j is %s", (named, path) => {
    expect(nextPath(named, "https://aqua.example")).toBe(path);
  });
});
