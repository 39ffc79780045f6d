import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { EmailsSection } from "../../src/features/account/emails.tsx";
import UnsubscribePage from "../../src/features/account/unsubscribe/page.tsx";
import { renderPage } from "../page-harness.tsx";
import { answerCalls, data, field, notifications, refusal, sent } from "./harness.tsx";

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("token", "t-1");
});

describe("the e-mails of an account", () => {
  const show = async () => {
    renderPage(<EmailsSection />, "/account", "/account");
    await screen.findByLabelText("Language of e-mails");
  };
  const toggle = (name: string) => screen.getByRole<HTMLInputElement>("switch", { name });

  it("are listed with a switch each, save those that are always sent", async () => {
    answerCalls({ "account/notifications": data(notifications()) });
    await show();
    expect(screen.getAllByRole("switch").map((one) => (one as HTMLInputElement).checked)).toEqual([
      ...[true, true, true, true],
      false,
    ]);
    expect(screen.getAllByText("Always sent")).toHaveLength(3);
    expect(screen.queryByRole("switch", { name: "Wallet recoveries" })).toBeNull();
    expect(screen.getByText(/^When the identity verifier proposes to replace your wallet, /)).toBeTruthy();
    const note = document.getElementById(toggle("Maturing deposits").getAttribute("aria-describedby") ?? "");
    expect(note?.textContent).toBe("7 days before a time deposit matures, and on the day.");
  });

  it("are switched off and on at once, one at a time", async () => {
    const calls = answerCalls({
      "account/notifications": [
        data(notifications()),
        data(notifications({ off: ["maturities"] })),
        data(notifications()),
      ],
    });
    await show();
    fireEvent.click(toggle("Maturing deposits"));
    await waitFor(() => expect(toggle("Maturing deposits").checked).toBe(false));
    expect(sent(calls, "account/notifications").at(-1)?.body).toEqual({ kinds: { maturities: false } });
    await waitFor(() => expect(toggle("Maturing deposits").disabled).toBe(false));
    fireEvent.click(toggle("Maturing deposits"));
    await waitFor(() => expect(toggle("Maturing deposits").checked).toBe(true));
    expect(sent(calls, "account/notifications").at(-1)?.body).toEqual({ kinds: { maturities: true } });
  });

  it("come in the language that is chosen", async () => {
    const calls = answerCalls({
      "account/notifications": [data(notifications()), data(notifications({ language: "ko-KR" }))],
      "account/info": data({}),
    });
    await show();
    expect(field("Language of e-mails").value).toBe("fr-FR");
    fireEvent.change(field("Language of e-mails"), { target: { value: "ko-KR" } });
    await waitFor(() => expect(field("Language of e-mails").value).toBe("ko-KR"));
    expect(sent(calls, "account/notifications").at(-1)?.body).toEqual({ language: "ko-KR" });
  });

  it("stay as they were, with the reason, when a change fails", async () => {
    answerCalls({
      "account/notifications": [data(notifications()), refusal(429, "too_many_requests", { retry_after: 60 })],
    });
    await show();
    fireEvent.click(toggle("Expiring supporting documents"));
    expect((await screen.findByRole("alert")).textContent).not.toBe("");
    await waitFor(() => expect(within(screen.getByRole("alert")).getByText(/1 min/)).toBeTruthy());
    expect(toggle("Expiring supporting documents").checked).toBe(true);
  });

  it("can be loaded again after a failure", async () => {
    answerCalls({ "account/notifications": [refusal(503, "chain_unavailable"), data(notifications())] });
    renderPage(<EmailsSection />, "/account", "/account");
    expect(await screen.findByText("Your e-mail settings could not be loaded")).toBeTruthy();
    fireEvent.click(screen.getByRole("button"));
    expect(await screen.findByLabelText("Language of e-mails")).toBeTruthy();
  });
});

describe("the link that stops e-mails", () => {
  const show = (search: string) => renderPage(<UnsubscribePage />, "/unsubscribe", `/unsubscribe${search}`);

  it.each([
    ["the question", true, "Expiring supporting documents"],
    ["the outcome", false, "You no longer receive these e-mails"],
  ])("keeps %s when it cannot be loaded again", async (_, on, shown) => {
    const calls = answerCalls({
      "account/unsubscribe": [data({ kind: "evidence", on }), refusal(500, "internal_error")],
    });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={["/unsubscribe?token=sealed"]}>
          <UnsubscribePage />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await screen.findByText(new RegExp(shown));
    await queries.refetchQueries();
    // React Query notifies the page in the next task.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(calls).toHaveLength(2);
    expect(screen.getByText(new RegExp(shown))).toBeTruthy();
  });

  it("asks first and then stops one kind, without a log-in", async () => {
    localStorage.clear();
    const calls = answerCalls({
      "account/unsubscribe": [data({ kind: "evidence", on: true }), data({ kind: "evidence", on: false })],
    });
    show("?token=sealed");
    expect(await screen.findByRole("heading", { name: /Expiring supporting documents/ })).toBeTruthy();
    expect(calls).toHaveLength(1);
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stop these e-mails" })));
    expect(await screen.findByText("You no longer receive these e-mails: Expiring supporting documents")).toBeTruthy();
    expect(calls).toHaveLength(2);
    expect(screen.getByRole("link", { name: "Open my account" }).getAttribute("href")).toBe("/account#emails");
  });

  it("shows that the e-mails are already stopped", async () => {
    answerCalls({ "account/unsubscribe": data({ kind: "income", on: false }) });
    show("?token=sealed");
    expect(await screen.findByText("You no longer receive these e-mails: Monthly income")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it.each(["", "?token=garbage"])("shows that it is invalid (%j)", async (search) => {
    answerCalls({ "account/unsubscribe": refusal(404, "not_found") });
    show(search);
    expect(await screen.findByText("This link is not valid")).toBeTruthy();
  });
});
