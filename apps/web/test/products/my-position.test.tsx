import { act, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { MyPosition } from "../../src/features/product/my-position.tsx";
import { MyBalance } from "../../src/features/products/cells.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { makeProduct } from "../products.ts";
import { holding } from "../transact/holding.ts";
import { owner } from "../transact/time-product.ts";
import { aTime, blockTime } from "./details.ts";

async function open(winding_down: boolean) {
  const product = aTime({});
  const mine = holding({
    short_id: product.short_id,
    type: "time_deposit",
    deposit_id: "7",
    value: "40.000000",
    claimable: "0.000000",
    maturity: blockTime + 86_400_000,
    receipt: {
      term: { value: 90, unit: "day" },
      term_id: 0,
      rate: "0.06",
      break_rate: "0.02",
      penalty: "0",
      principal: "100.000000",
      interest_at_maturity: "1.479452",
      matured: false,
      roll: "none",
      roll_term_id: null,
      demanded_at: null,
      winding_down,
    },
  });
  await loadTexts("product");
  act(() => setWallet({ status: "connected", address: owner, chainId: 31337 }));
  answerApi({ "account/hold": list([mine]) });
  renderPage(<MyPosition product={product} />, "/product/x", "/product/x");
}

afterEach(() => act(() => clearWallet()));

it("my balance in a list has the digits of my position", () => {
  const mine = { values: new Map([["solar", "12.500000"]]), failed: false };
  renderPage(<MyBalance product={makeProduct()} balances={mine} />, "/", "/");
  expect(screen.getByTitle("12.500000 tUSD").textContent).toBe("12.50tUSD");
});

it("my position shows when the next receipt matures", async () => {
  await open(false);
  expect(await screen.findByText(/^1 receipt, matures/)).toBeTruthy();
});

it("my position shows the number of receipts in a winding down, without a maturity", async () => {
  await open(true);
  expect(await screen.findByText("1 receipt")).toBeTruthy();
  expect(screen.queryByText(/matures/)).toBeNull();
});
