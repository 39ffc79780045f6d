import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callsOver, connection } from "../src/connection.ts";
import { logOut } from "../src/features/account/log-out.ts";
import { api } from "../src/features/api.ts";
import { isLoggedIn, logIn, useEmail, useLoggedIn } from "../src/features/session.ts";
import { store } from "../src/stored-session.ts";
import { Toaster } from "../src/ui/toast.tsx";
import { marker } from "../src/wallet/demo/accounts.ts";
import { answerApi } from "./page-harness.tsx";

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const tokenError = { status: 401, body: { error_code: "token_error", message: "", request_id: "1" } };

function Reader() {
  return <output>{`${useLoggedIn()} ${useEmail()}`}</output>;
}

const shown = () => screen.getByRole("status").textContent;

describe("a log-in", () => {
  it("stores token and e-mail under the specification's names and notifies the screen", () => {
    render(<Reader />);
    expect(shown()).toBe("false null");
    act(() => logIn({ token: "t1", email: "ada@example.org" }));
    expect(shown()).toBe("true ada@example.org");
    expect({ ...localStorage }).toEqual({ token: "t1", email: "ada@example.org" });
  });

  it("is noticed from another tab", () => {
    render(<Reader />);
    localStorage.setItem("token", "t1");
    act(() => void dispatchEvent(new StorageEvent("storage", { key: "token" })));
    expect(shown()).toBe("true null");
  });

  it("is sent as a bearer token with every call, including the wallet's, and not before", async () => {
    const asked = answerApi({ network: { body: { data: {} } } });
    const headers = () => new Headers(asked.mock.lastCall?.[1]?.headers).get("authorization");
    await api.network();
    expect(headers()).toBeNull();
    logIn({ token: "t1", email: "ada@example.org" });
    await api.network();
    expect(headers()).toBe("Bearer t1");
    await callsOver(connection).network();
    expect(headers()).toBe("Bearer t1");
  });
});

describe("logging out", () => {
  beforeEach(() => {
    for (const key of ["token", "email", "checkAddress", "app-language"]) localStorage.setItem(key, "x");
  });

  it("ends the session at the server, deletes token, email and checkAddress, keeps the language, and reloads", async () => {
    const asked = answerApi({ "account/logout": { body: { data: {} } } });
    const reload = vi.fn();
    await logOut(reload);
    expect(new Headers(asked.mock.lastCall?.[1]?.headers).get("authorization")).toBe("Bearer x");
    expect(asked.mock.lastCall?.[1]?.keepalive).toBe(true);
    expect(Object.keys(localStorage)).toEqual(["app-language"]);
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each(["logout_error", "token_error"])("works for a session that the server does not have: %s", async (code) => {
    answerApi({ "account/logout": { status: 400, body: { error_code: code, message: "", request_id: "1" } } });
    const reload = vi.fn();
    await logOut(reload);
    expect(localStorage.getItem("token")).toBeNull();
    expect(reload).toHaveBeenCalledOnce();
  });

  const unconfirmed = "You are logged out in this browser. The server did not confirm it.";

  it.each([
    ["is unreachable", "unreachable" as const],
    ["fails", { status: 503, body: { error_code: "unavailable", message: "", request_id: "1" } }],
    ["is not ours", { status: 502, body: "Bad Gateway" }],
  ])("works without the server, and says so before it reloads where that %s", async (_, answer) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<Toaster />);
    answerApi({ "account/logout": answer });
    const reload = vi.fn();
    const done = logOut(reload);
    expect(await screen.findByText(unconfirmed)).toBeTruthy();
    expect(Object.keys(localStorage)).toEqual(["app-language"]);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5_000);
    await done;
    expect(reload).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_000_000);
  });

  it("does not wait forever for a server that does not answer", async () => {
    vi.useFakeTimers();
    vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => {}));
    const reload = vi.fn();
    const done = logOut(reload);
    expect(isLoggedIn()).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5_000);
    await done;
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe("a refused call", () => {
  beforeEach(() => {
    logIn({ token: "t1", email: "ada@example.org" });
    localStorage.setItem("app-language", "fr-FR");
  });

  it("with token_error clears local storage, logs out on screen, and still throws the body", async () => {
    store({ checkAddress: "true" });
    localStorage.setItem("wagmi.recentConnectorId", '"trust"');
    localStorage.removeItem("app-language");
    render(<Reader />);
    answerApi({ "account/info": tokenError });
    await act(() => expect(api.accountInfo()).rejects.toEqual(tokenError.body));
    expect(localStorage).toHaveLength(0);
    expect(shown()).toBe("false null");
  });

  it("with token_error keeps data outside the session: language, theme, the demo wallet's key, sent transactions", async () => {
    const kept = {
      "app-language": "fr-FR",
      "app-theme": "dark",
      [`${marker}.key`]: "0x01",
      "aqua.transactions.31337.0xa1": "[]",
    };
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
    localStorage.setItem("aqua.dismissedWallets", "{}");
    answerApi({ "account/info": tokenError });
    await expect(api.accountInfo()).rejects.toEqual(tokenError.body);
    expect({ ...localStorage }).toEqual(kept);
  });

  it.each(["logout_error", "login_failed", "pool_not_found"])("with %s changes nothing stored", async (error_code) => {
    const body = { error_code, message: "", request_id: "1" };
    answerApi({ "account/info": { status: 401, body } });
    await expect(api.accountInfo()).rejects.toEqual(body);
    expect(Object.keys(localStorage).sort()).toEqual(["app-language", "email", "token"]);
  });

  it("with token_error for an older token does not end the current log-in", async () => {
    let answer: (response: Response) => void = () => undefined;
    vi.spyOn(globalThis, "fetch").mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const late = api.accountInfo().catch((error: unknown) => error);
    logIn({ token: "t2", email: "ada@example.org" });
    answer(
      new Response(JSON.stringify(tokenError.body), { status: 401, headers: { "content-type": "application/json" } }),
    );
    await late;
    expect(localStorage.getItem("token")).toBe("t2");
  });
});
