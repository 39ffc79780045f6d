import type { Position } from "@aqua/sdk/chain/vault-position";
import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { DepositForm } from "../../src/features/transact/demand/deposit-form.tsx";
import { type PoolAt, poolOfProduct } from "../../src/features/transact/demand/preview.ts";
import { useDrafts } from "../../src/features/transact/form/use-draft.ts";
import type { ActionState } from "../../src/features/transact/progress/use-action.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { aProduct, blockTime, type ProductParts } from "./product.ts";

const idle: ActionState = {
  stage: { stage: "idle" },
  transaction: null,
  busy: false,
  start: async () => false,
  dismiss() {},
};
const day = 86_400_000;
/** A wallet with one unit less than 1,000. */
const rich: Position = {
  block: 100,
  time: blockTime,
  status: "verified",
  assetBalance: 999_999_999n,
  noGas: false,
  gasPrice: 1n,
  shares: 0n,
  maxDeposit: 10n ** 12n,
  maxWithdraw: 0n,
  maxRedeem: 0n,
  totalAssets: 1_050_000_000n,
  supply: 10n ** 15n,
  queue: null,
};

function Form({ in: parts, of = null }: { in?: ProductParts; of?: Position | null }) {
  const product = aProduct({ inception: blockTime - 412 * day, instant_capacity: "5000.000000", ...parts });
  const nobody = { terms: null, owner: null, obstacle: null, action: idle };
  return (
    <DepositForm
      product={product}
      position={of}
      pool={poolOfProduct(product) as PoolAt}
      {...nobody}
      drafts={useDrafts("fixed")}
    />
  );
}
const announce = (...changes: object[]) =>
  answerApi({ "product/solar/announcements": { body: { data: { changes } } } });
beforeEach(() => void announce());
const show = (parts: ProductParts = {}, of: Position | null = null) =>
  renderPage(<Form in={parts} of={of} />, "/product/solar", "/product/solar");
const summary = () => screen.getByLabelText("Preview").textContent;
const apy = (value: string | null, annualised = true) => ({
  value,
  annualised,
  window_days: 30,
  kind: "variable" as const,
});
const type = (value: string) => fireEvent.change(screen.getByLabelText("Amount to deposit"), { target: { value } });

it("a deposit shows what it earns in a year, that all can be withdrawn now, and that nothing was ever lost", () => {
  show({ apy: apy("0.072600") });
  expect(document.body.textContent).toContain("Example: 1,000 tUSD");
  expect(summary()).toBe(
    "Annual gain, after feesabout +72.60 tUSDYou could withdraw nowall of itWorst past lossnone in 412 days",
  );
  type("2500");
  expect(document.body.textContent).not.toContain("Example");
  expect(summary()).toContain("about +181.50 tUSD");
});

it("a deposit into a product without available cash shows the dates of a long wait", () => {
  const exit_curve = [{ amount: "5000.000000", wait: { p50: 104 * day, p90: 129 * day } }];
  show({ instant_capacity: "0.000000", exit_curve, max_drawdown: "0.021000" });
  expect(summary()).toContain(
    "Long wait: You could withdraw now0.00 of 1,000 tUSDLong wait: Estimated wait50% by Apr 29, 90% by May 24",
  );
  expect(summary()).toContain("Worst past loss−2.10%");
});

it("the worst past loss includes one that was taken back, and says when it was", () => {
  show({ max_drawdown: "0.014700", max_drawdown_taken_back: Date.UTC(2026, 0, 3) });
  expect(summary()).toContain("Worst past loss−1.47%reversed Jan 3, 2026");
});

it("a rate that is not known is a dash with its reason", () => {
  show({ apy: apy(null) });
  expect(summary()).toContain("Annual gain, after fees—no rate measured yet");
});

it("a rate of a few days is not extended to a year", () => {
  show({ apy: apy("0.004", false) });
  expect(summary()).toContain("—needs 7 days of history");
});

it("the contracts are said to be not audited until the product's document names an audit", () => {
  show();
  expect(screen.getByText("The contracts have not been audited.")).toBeTruthy();
});

it("an audit named by the product's document takes the warning away", () => {
  show({ contract_audit: { auditor: "Tide", date: "2026-03-01", report: "https://tide.example" } });
  expect(screen.queryByText("The contracts have not been audited.")).toBeNull();
});

it("an amount that exceeds the balance by dust means the balance", () => {
  show({}, rich);
  type("1,000.00");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("button", { name: "Deposit 999.999999 tUSD" })).toBeTruthy();
  type("1,000.02");
  expect(screen.getByRole("alert").textContent).toContain("999.999999");
});

it("the maximum below the cap leaves room for the income of the next hour, which counts towards it", () => {
  const vault = {
    settled: "1000.000000",
    streaming: "36.000000",
    stream_start: blockTime,
    stream_end: blockTime + day,
  };
  show({ vault: { ...aProduct().vault, ...vault } }, { ...rich, maxDeposit: 500_000_000n });
  fireEvent.click(screen.getByText("Max"));
  expect((screen.getByLabelText("Amount to deposit") as HTMLInputElement).value).toBe("498.50");
});

it("the button comes before the details", () => {
  show();
  const button = screen.getByRole("button", { name: "Deposit" });
  const details = screen.getByText("Minimum received");
  expect(button.compareDocumentPosition(details) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(details.closest("details")?.open).toBe(false);
});

it("a deposit shows the announced fee beside today's, in the panel", async () => {
  const change = { operation: "0x1", nonce: 1, hash: "0x2", scheduled_at: 0, possible_until: 0 };
  const fees = { present: { fee: "0.1" }, next: { fee: "0.12" } };
  announce(
    { ...change, kind: "custodian", possible_from: blockTime, present: {}, next: {} },
    { ...change, kind: "fee", possible_from: Date.UTC(2026, 2, 2, 12), ...fees },
  );
  show();
  expect(await screen.findByText(/^Announced: 12\.00%, possible from Mar 2, 2026/)).toBeTruthy();
});

it("a deposit shows an error if announced fees could not be loaded", async () => {
  answerApi({ "product/solar/announcements": "unreachable" });
  show();
  expect(await screen.findByText(/^Announced changes could not be loaded\. Reload the page/)).toBeTruthy();
});
