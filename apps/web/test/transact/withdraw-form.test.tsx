import type { Position } from "@aqua/sdk/chain/vault-position";
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type PoolAt, poolOfProduct } from "../../src/features/transact/demand/preview.ts";
import { WithdrawForm } from "../../src/features/transact/demand/withdraw-form.tsx";
import { termsOf } from "../../src/features/transact/form/product-terms.ts";
import { useDrafts } from "../../src/features/transact/form/use-draft.ts";
import type { ActionState } from "../../src/features/transact/progress/use-action.ts";
import { formatDateTime } from "../../src/i18n/format.ts";
import { perform } from "../../src/wallet/lazy/operations.ts";
import { renderPage } from "../page-harness.tsx";
import { aProduct, blockTime, type ProductParts } from "./product.ts";

vi.mock("../../src/wallet/lazy/operations.ts", () => ({ perform: vi.fn(), estimateGas: async () => null }));

/** 100 shares, worth 105, all of which can be withdrawn at once. */
const position: Position = {
  block: 100,
  time: blockTime,
  status: "verified",
  assetBalance: 0n,
  noGas: false,
  gasPrice: 1n,
  shares: 100n * 10n ** 12n,
  maxDeposit: 0n,
  maxWithdraw: 104_999_999n,
  maxRedeem: 100n * 10n ** 12n,
  totalAssets: 1_050_000_000n,
  supply: 10n ** 15n,
  queue: null,
};
const idle: ActionState = {
  stage: { stage: "idle" },
  transaction: null,
  busy: false,
  start: async () => false,
  dismiss() {},
};

const product = aProduct();
function Form({ of = position, in: parts, by }: { of?: Position; in?: ProductParts; by?: ActionState }) {
  const product = aProduct(parts);
  const pool = poolOfProduct(product) as PoolAt;
  const who = by
    ? { terms: termsOf(product), owner: `0x${"4".repeat(40)}` as const, obstacle: null, action: by }
    : { terms: null, owner: null, obstacle: null, action: idle };
  return <WithdrawForm product={product} position={of} pool={pool} {...who} drafts={useDrafts("fixed")} />;
}

it("a withdrawal beyond the holding shows no figures", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  const field = screen.getByLabelText("Amount to withdraw");
  fireEvent.change(field, { target: { value: "50" } });
  expect(document.body.textContent).toContain("Paid now50.00");
  expect(document.body.textContent).toContain("You get50.00");
  fireEvent.change(field, { target: { value: "999999" } });
  expect(screen.getByRole("alert").textContent).toContain("104.99");
  expect(document.body.textContent).toContain("Paid now—");
  expect(document.body.textContent).toContain("You get—");
  expect(document.body.textContent).toContain("You redeem—");
});

/** Nothing is paid at once; all shares wait in the queue. */
const waits: Position = {
  ...position,
  maxWithdraw: 0n,
  maxRedeem: 0n,
  queue: { waiting: 0n, ahead: 0n, queued: 0n, claimable: 0n },
};
const days = (count: number) => count * 86_400_000;
const summary = () => screen.getByLabelText("Preview").textContent;

it("a withdrawal that waits shows the amount paid now, the queued amount and its date, above the irreversible step", () => {
  const exit_curve = [{ amount: "1050.000000", wait: { p50: days(30), p90: days(60) } }];
  renderPage(<Form of={waits} in={{ instant_capacity: "0.000000", exit_curve }} />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  expect(summary()).toBe(
    "Paid now0.00tUSDQueued (estimate)50.00tUSDLong wait: Estimated payment50% by Feb 14, 90% by Mar 16",
  );
  expect(screen.getByText("You can’t cancel a request.")).toBeTruthy();
});

it("a wait of a week has no warning, and an unknown wait has its reason", () => {
  const exit_curve = [
    { amount: "60.000000", wait: { p50: days(1), p90: days(7) } },
    { amount: "1050.000000", wait: null },
  ];
  renderPage(<Form of={waits} in={{ instant_capacity: "0.000000", exit_curve }} />, "/product/solar", "/product/solar");
  const field = screen.getByLabelText("Amount to withdraw");
  fireEvent.change(field, { target: { value: "50" } });
  expect(summary()).toContain("Estimated payment50% by Jan 16, 90% by Jan 22");
  fireEvent.change(field, { target: { value: "100" } });
  expect(summary()).toContain("Estimated payment—not enough history");
});

it("the figures describe the wallet's whole holding before an amount is typed", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  expect(document.body.textContent).toContain("Your whole deposit: 105.00 tUSDPaid now104.99tUSD");
});

it("an amount that is nearly everything withdraws everything", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  const field = screen.getByLabelText("Amount to withdraw");
  for (const value of ["105", "104.99"]) {
    fireEvent.change(field, { target: { value } });
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("button", { name: "Withdraw all" })).toBeTruthy();
    expect(document.body.textContent).toContain("You redeem100.00");
  }
  fireEvent.change(field, { target: { value: "104.97" } });
  expect(screen.getByRole("button", { name: "Withdraw 104.97 tUSD" })).toBeTruthy();
});

it("an immediate withdrawal names the report that sets its price, a waiting one does not", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  expect(document.body.textContent).toContain(
    `At the income report of ${formatDateTime(product.vault.last_report ?? 0)}`,
  );
  expect(document.body.textContent).toContain("A loss after it is not included");
});

it("a withdrawal that waits is not paid at the price of the last report", () => {
  const queue = { waiting: 0n, ahead: 0n, queued: 0n, claimable: 0n };
  renderPage(<Form of={{ ...position, maxWithdraw: 0n, maxRedeem: 0n, queue }} />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  expect(document.body.textContent).not.toContain("Income report");
});

it("the form offers only the rest after a partial payment whose rest was declined or failed", async () => {
  const partly: Position = {
    ...position,
    maxWithdraw: 60_000_000n,
    maxRedeem: 57_142_857_142_857n,
    queue: { waiting: 0n, ahead: 0n, queued: 0n, claimable: 0n },
  };
  const start: ActionState["start"] = async (action) => (await action(() => undefined)).stage === "sent";
  vi.mocked(perform).mockImplementationOnce(async (orders, _scope, report) => {
    expect(orders.map((order) => order.action)).toEqual(["withdraw", "request"]);
    report({ stage: "waiting", id: "1", part: { index: 1, of: 2 } });
    report({ stage: "simulating", part: { index: 2, of: 2 } });
    return { stage: "idle" };
  });
  renderPage(<Form of={partly} by={{ ...idle, start }} />, "/product/solar", "/product/solar");
  const field = screen.getByLabelText("Amount to withdraw") as HTMLInputElement;
  fireEvent.change(field, { target: { value: "100" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: /^Withdraw 60/ })));
  expect(field.value).toMatch(/^(40|39\.999999)$/);

  // If the owner declines the first transaction, the amount does not change.
  fireEvent.change(field, { target: { value: "100" } });
  vi.mocked(perform).mockImplementationOnce(async (_orders, _scope, report) => {
    report({ stage: "simulating" });
    return { stage: "idle" };
  });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: /^Withdraw 60/ })));
  expect(field.value).toBe("100");
});
