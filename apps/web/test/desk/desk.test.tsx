import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Decision } from "../../src/features/desk/decision.tsx";
import OperatorPage from "../../src/features/desk/page.tsx";
import { deskToken, forgetDeskToken, storeDeskToken } from "../../src/features/desk/session.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { answerCalls, data, enter, note, refusal, sent, type } from "../account/harness.tsx";
import { renderPage } from "../page-harness.tsx";

const time = Date.UTC(2026, 10, 1, 12);
const state = { name: "ada", scopes: ["identity", "operations"], expires_at: time, signs: false, four_eyes: [] };
const known = {
  ...{ id: "c-1", status: "pending", provider: "manual", email: "<b>bob</b>@example.com", country: "SN" },
  ...{ document_kind: "passport", submitted_at: time, decided_at: null, valid_until: null, reason: null },
  ...{ name: "Bob", birth_date: "1990-01-01", document: { type: "image/png", size: 68 }, wallets: [] },
} as const;
const empty = {
  "operator/desk": data(state),
  "operator/identity": data({ items: [known], total: 1, page: 1, page_size: 20 }),
  "operator/status": data({
    ...{
      time,
      instances: [],
      leaders: [],
      chains: [],
      degraded: [],
      jobs: [],
      troubled_jobs: [],
      anchoring: [],
      keys: [],
    },
  }),
};

beforeEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  forgetDeskToken(false);
  await loadTexts("desk", "security", "forms", "profile", "reasons", "transparency", "products", "readings", "ui");
});

const open = (address = "/operator") => renderPage(<OperatorPage />, "/operator", address);

it("the page says that a site without operators' calls has no desk", async () => {
  answerCalls({ "operator/desk/login/options": refusal(404, "not_found") });
  open();
  expect(await screen.findByRole("heading", { name: "This site has no desk" })).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

it("the log-in asks for a passkey, names a wrong token at its field and clears the field", async () => {
  const calls = answerCalls({
    "operator/desk/login/options": data({ challenge: "x" }),
    "operator/desk/passkey/new": refusal(401, "token_error"),
  });
  vi.stubGlobal("PublicKeyCredential", class {});
  vi.stubGlobal("isSecureContext", true);
  open();
  fireEvent.click(await screen.findByText("First time here?"));
  type("Your operator’s token", " aqua_wrong ");
  enter("Your operator’s token");
  await waitFor(() => expect(note("Your operator’s token")).toContain("This token is not valid, or has expired."));
  expect(sent(calls, "operator/desk/passkey/new")[0]?.headers.authorization).toBe("Bearer aqua_wrong");
  expect(screen.getByLabelText<HTMLInputElement>("Your operator’s token").value).toBe("");
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("aqua_wrong");
  vi.unstubAllGlobals();
});

it("a log-in that has ended leads back to the log-in and touches no log-in of a depositor", async () => {
  localStorage.setItem("token", "depositor");
  storeDeskToken("desk_x");
  answerCalls({
    "operator/desk": refusal(401, "token_error"),
    "operator/desk/login/options": data({ challenge: "x" }),
  });
  open();
  expect(await screen.findByText("Your session has ended")).toBeTruthy();
  expect([deskToken(), localStorage.getItem("token")]).toEqual([null, "depositor"]);
});

it("a part that the operator may not read names the scope, and its call is not made", async () => {
  storeDeskToken("desk_x");
  const calls = answerCalls({
    ...empty,
    "operator/desk": data({ ...state, scopes: ["devices"] }),
    ...failing,
  });
  open();
  expect(await screen.findByText("This part needs the scope identity")).toBeTruthy();
  expect(sent(calls, "operator/identity")).toEqual([]);
  expect(sent(calls, "operator/status")).toEqual([]);
});

it("parts that could not be loaded say so, and the others stay", async () => {
  storeDeskToken("desk_x");
  answerCalls({ ...empty, ...failing });
  open();
  expect(await screen.findByText("<b>bob</b>@example.com")).toBeTruthy();
  expect(await screen.findByText("The income could not be loaded")).toBeTruthy();
  expect(await screen.findByText("No job has failed")).toBeTruthy();
});

const broken = refusal(500, "internal_error");
const failing = {
  "transparency/summary": broken,
  "transparency/audit": broken,
  "transparency/fleet": broken,
  "product/list": broken,
};

it("an approval states what happens, and is made once it is confirmed", async () => {
  const calls = answerCalls({ "operator/identity/c-1/approve": data({ ...known, status: "verified" }) });
  const outcomes: unknown[] = [];
  renderDecision(async (outcome) => void outcomes.push(outcome));
  type("Valid for (days)", "30");
  enter("Valid for (days)");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("You verify <b>bob</b>@example.com for 30 days");
  expect(sent(calls, "operator/identity/c-1/approve")).toEqual([]);
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(outcomes).toEqual([{ made: "approved" }]));
  expect(sent(calls, "operator/identity/c-1/approve")[0]?.body).toEqual({ valid_days: 30 });
});

it("the first of two operators reads who was first and that nothing is changed yet", async () => {
  const waiting = { waits_for_second: true, first: "ada", until: time };
  answerCalls({ "operator/identity/c-1/approve": { status: 202, body: { data: waiting } } });
  const outcomes: unknown[] = [];
  renderDecision(async (outcome) => void outcomes.push(outcome));
  enter("Valid for (days)");
  const dialog = await screen.findByRole("dialog");
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(outcomes).toEqual([{ waiting }]));
});

it("a decision that failed says so in the dialog and loses nothing", async () => {
  answerCalls({ "operator/identity/c-1/approve": "unreachable" });
  renderDecision(async () => {});
  enter("Valid for (days)");
  const dialog = await screen.findByRole("dialog");
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(within(dialog).getByRole("alert").textContent).not.toBe(""));
});

it.each(["0", "3651", "1.5", "x", ""])("%s days are not accepted", async (days) => {
  const calls = answerCalls({});
  renderDecision(async () => {});
  type("Valid for (days)", days);
  enter("Valid for (days)");
  await waitFor(() => expect(note("Valid for (days)")).toContain("whole number from 1 to"));
  expect(calls).toEqual([]);
});

it("a site whose changes need a signature offers commands in place of buttons", () => {
  renderDecision(async () => {}, { ...state, signs: true });
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  expect(screen.getByText("aqua identity approve c-1 --days 365")).toBeTruthy();
});

function renderDecision(onDecided: Parameters<typeof Decision>[0]["onDecided"], of: typeof state = state) {
  renderPage(<Decision known={known as never} state={of} onDecided={onDecided} />, "/operator", "/operator");
}
