import type { TermPosition } from "@aqua/sdk/chain/term-position";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDrafts } from "../../src/features/transact/form/use-draft.ts";
import type { ActionState } from "../../src/features/transact/progress/use-action.ts";
import { OpenForm, preselectedTerm } from "../../src/features/transact/term/open-form.tsx";
import { renderPage } from "../page-harness.tsx";
import { blockTime } from "./product.ts";
import { anOffer, aTermPosition, aTimeProduct, quarter } from "./time-product.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: blockTime - 60_000 }));
afterEach(() => vi.useRealTimers());

const idle: ActionState = {
  stage: { stage: "idle" },
  transaction: null,
  busy: false,
  start: async () => false,
  dismiss() {},
};
const half = { ...anOffer, term_id: 1, value: 6, unit: "month" as const, rate: "0.078", penalty: "0.005" };
const product = aTimeProduct({ terms: [anOffer, half], term: { value: 6, unit: "month" } });

function Form({ of = product, position = null }: { of?: typeof product; position?: TermPosition | null }) {
  return (
    <OpenForm product={of} owner={null} position={position} obstacle={null} action={idle} drafts={useDrafts("fixed")} />
  );
}
const summary = () => screen.getByLabelText("Preview").textContent;

it("the form starts with the term whose rate is the product's headline", () => {
  expect(preselectedTerm(product)?.term_id).toBe(1);
  expect(preselectedTerm({ ...product, term: null })?.term_id).toBe(0);
  expect(preselectedTerm({ ...product, terms: [{ ...anOffer, open: false }], term: null })).toBeNull();
  renderPage(<Form />, "/", "/");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^6 months/ }).checked).toBe(true);
});

it("the form offers no term and shows no payment of a product in a winding down or closed", () => {
  const winding_down = { claims: "100.000000", received: "40.000000" };
  for (const of of [
    { ...product, books: { ...product.books, winding_down } },
    { ...product, status: "closed" as const },
  ]) {
    renderPage(<Form of={of} />, "/", "/");
    expect(screen.queryAllByRole("radio")).toEqual([]);
    expect(screen.queryByText(/At maturity/)).toBeNull();
    cleanup();
  }
});

it("the form says that a loss is under review beside the losses that are booked", () => {
  for (const [losses, booked] of [
    ["0.000000", /none in [\d,]+ days?A loss is under review/],
    ["1250.000000", /1,250.00 tUSD reportedA loss is under review/],
  ] as const) {
    const books = { ...product.books, losses };
    renderPage(<Form of={{ ...product, books, loss_reviewed_until: blockTime }} />, "/", "/");
    expect(summary()).toMatch(booked);
    cleanup();
    renderPage(<Form of={{ ...product, books }} />, "/", "/");
    expect(summary()).not.toContain("under review");
    cleanup();
  }
});

it("the form shows rate, maturity and interest of each term, and no second rate beside it", () => {
  renderPage(<Form />, "/", "/");
  const chip = screen.getByRole("radio", { name: /^90 days/ }).parentElement;
  expect(chip?.textContent).toBe("90 days6.00%until Apr 15+14.79 tUSD");
  fireEvent.change(screen.getByLabelText("Amount to deposit"), { target: { value: "2000" } });
  // The interest is 29.589041, and "At maturity" shows 2,029.58.
  expect(chip?.textContent).toContain("+29.58 tUSD");
});

it("the form shows the payments at maturity, and early today and half way, with the cash for them", () => {
  renderPage(<Form />, "/", "/");
  expect(summary()).toContain("At maturity, Jul 15");
  expect(summary()).toContain("995.00 today (lowest)");
  expect(summary()).toMatch(/\d\.\d\d half way/);
  expect(summary()).toContain("available cash: 1,050.00 tUSD");
  expect(screen.getByText("The contracts have not been audited.")).toBeTruthy();
});

it("the form warns if there is no cash for an early withdrawal", () => {
  renderPage(<Form of={{ ...product, instant_capacity: "0.000000" }} />, "/", "/");
  expect(summary()).toContain("Not enough cash to withdraw early: If withdrawn early");
});

it("the form shows the other days of an early withdrawal under the details", () => {
  renderPage(<Form />, "/", "/");
  fireEvent.change(screen.getByLabelText("Amount to deposit"), { target: { value: "1000" } });
  expect(screen.getByTestId("early-exit").closest("details")?.open).toBe(false);
});

it("the form promises no more than an opening after midnight earns", () => {
  // 28 January 23:30 UTC; a month from the next day is a day shorter.
  const late = { ...product, as_of: { ...product.as_of, time: Date.parse("2027-01-28T23:30:00Z") } };
  renderPage(<Form of={{ ...late, terms: [{ ...half, value: 1, rate: "0.1" }] }} />, "/", "/");
  fireEvent.change(screen.getByLabelText("Amount to deposit"), { target: { value: "1000" } });
  const least = screen.getByText("Minimum received").parentElement;
  expect(least?.textContent).toContain("1,008.219178");
});

it("the form offers no more than is funded after midnight too", () => {
  // 28 February 23:30 UTC; a month from the next day is three days longer.
  const time = Date.parse("2027-02-28T23:30:00Z");
  const month = { ...quarter, count: 1, unit: "month" as const, rate: 10n ** 17n };
  const position = aTermPosition({ time, cash: 5_155_000_000n, terms: [month] });
  vi.setSystemTime(time);
  const of = { ...product, terms: [{ ...anOffer, value: 1, unit: "month" as const, rate: "0.1" }] };
  renderPage(<Form of={of} position={position} />, "/", "/");
  fireEvent.click(screen.getByRole("button", { name: "Max deposit" }));
  // 5 of free interest pay 588.709677 tUSD for 31 days at 10 %, and 651.785714 for 28.
  const amount = screen.getByLabelText<HTMLInputElement>("Amount to deposit");
  expect(Number(amount.value.replaceAll(",", ""))).toBeCloseTo(588.7097, 3);
});

it("the form uses the later of the newest block's time and the clock as the time of the opening", () => {
  const { unmount } = renderPage(<Form />, "/", "/");
  expect(summary()).toContain("At maturity, Jul 15");
  unmount();
  // A quiet chain, whose newest block is two days old.
  vi.setSystemTime(blockTime + 2 * 86_400_000);
  renderPage(<Form />, "/", "/");
  expect(summary()).toContain("At maturity, Jul 17");
});
