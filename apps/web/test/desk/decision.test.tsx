import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Decision } from "../../src/features/desk/decision.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { answerCalls, data, enter, note, sent, type } from "../account/harness.tsx";
import { now } from "../figures/fixtures.ts";
import { renderPage } from "../page-harness.tsx";
import { detail, state } from "./fixtures.ts";

beforeEach(async () => {
  vi.restoreAllMocks();
  await loadTexts("desk", "forms", "reasons", "ui");
});

it("an approval states what happens, and is made once it is confirmed", async () => {
  const calls = answerCalls({ "operator/identity/case-1/approve": data(detail({ status: "verified" })) });
  const outcomes: unknown[] = [];
  renderDecision(async (outcome) => void outcomes.push(outcome));
  type("Valid for (days)", "30");
  enter("Valid for (days)");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("You verify eve@example.com for 30 days");
  expect(sent(calls, "operator/identity/case-1/approve")).toEqual([]);
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(outcomes).toEqual([{ made: "approved" }]));
  expect(sent(calls, "operator/identity/case-1/approve")[0]?.body).toEqual({ valid_days: 30 });
});

it("the first of two operators reads who was first and that nothing is changed yet", async () => {
  const waiting = { waits_for_second: true, first: "ada", until: now };
  answerCalls({ "operator/identity/case-1/approve": { status: 202, body: { data: waiting } } });
  const outcomes: unknown[] = [];
  renderDecision(async (outcome) => void outcomes.push(outcome));
  enter("Valid for (days)");
  const dialog = await screen.findByRole("dialog");
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(outcomes).toEqual([{ waiting }]));
});

it("a decision that failed says so in the dialog and loses nothing", async () => {
  answerCalls({ "operator/identity/case-1/approve": "unreachable" });
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
  renderDecision(async () => {}, state({ signs: true }));
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  expect(screen.getByText("aqua identity approve case-1 --days 365")).toBeTruthy();
});

function renderDecision(onDecided: Parameters<typeof Decision>[0]["onDecided"], of = state()) {
  renderPage(<Decision known={detail()} state={of} onDecided={onDecided} />, "/operator", "/operator");
}
