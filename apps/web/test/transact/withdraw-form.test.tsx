import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { api } from "../../src/features/api.ts";
import { poolOfProduct } from "../../src/features/transact/demand/preview.ts";
import { WithdrawForm } from "../../src/features/transact/demand/withdraw-form.tsx";
import { useDrafts } from "../../src/features/transact/form/use-draft.ts";
import type { ActionState } from "../../src/features/transact/progress/use-action.ts";
import { formatDateTime } from "../../src/i18n/format.ts";
import type { Position } from "../../src/wallet/chain/position.ts";
import { demandLiquidity } from "../figures/fixtures.ts";
import { renderPage } from "../page-harness.tsx";
import { aProduct, blockTime } from "./product.ts";

/** 100 shares, worth 105, all of which can be withdrawn at once. */
const position: Position = {
  block: 100,
  time: blockTime,
  status: "verified",
  assetBalance: 0n,
  nativeBalance: 10n ** 18n,
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
function Form({ of = position }: { of?: Position }) {
  const pool = poolOfProduct(product);
  const nobody = { terms: null, owner: null, obstacle: null, action: idle };
  return <WithdrawForm product={product} position={of} pool={pool} {...nobody} drafts={useDrafts()} />;
}

it("a withdrawal beyond the holding shows no figures", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  const field = screen.getByLabelText("Amount to withdraw");
  fireEvent.change(field, { target: { value: "50" } });
  expect(document.body.textContent).toContain("You get50.00");
  fireEvent.change(field, { target: { value: "999999" } });
  expect(screen.getByRole("alert").textContent).toContain("104.99");
  expect(document.body.textContent).toContain("You get—");
  expect(document.body.textContent).toContain("You give back—");
});

it("the wait of an exit is shown once it is known, and nothing before", async () => {
  const liquidity = demandLiquidity({
    short_id: product.short_id,
    exit_curve: [{ amount: "1050.000000", wait: null }],
  });
  let answer = (_: typeof liquidity) => {};
  vi.spyOn(api, "productLiquidity").mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const waits = {
    ...position,
    maxWithdraw: 0n,
    maxRedeem: 0n,
    queue: { waiting: 0n, ahead: 0n, queued: 0n, claimable: 0n },
  };
  renderPage(<Form of={waits} />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  const row = screen.getByText("How long").parentElement;
  expect(row?.textContent).toBe("How long—");
  answer(liquidity);
  await expect.poll(() => row?.textContent).toBe("How long—the past does not say yet");
});

it("what can be withdrawn at once says whose report sets its price, what waits does not", () => {
  renderPage(<Form />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  expect(document.body.textContent).toContain(
    `From the income report of ${formatDateTime(product.vault.last_report ?? 0)}`,
  );
  expect(document.body.textContent).toContain("later losses are not in it");
});

it("a withdrawal that waits is not paid at the price of the last report", () => {
  const queue = { waiting: 0n, ahead: 0n, queued: 0n, claimable: 0n };
  renderPage(<Form of={{ ...position, maxWithdraw: 0n, maxRedeem: 0n, queue }} />, "/product/solar", "/product/solar");
  fireEvent.change(screen.getByLabelText("Amount to withdraw"), { target: { value: "50" } });
  expect(document.body.textContent).not.toContain("From the income report");
});
