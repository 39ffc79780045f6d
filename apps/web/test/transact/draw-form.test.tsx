import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { DrawForm } from "../../src/features/transact/term/receipt-forms.tsx";
import type { ReceiptCase } from "../../src/features/transact/term/term-eligibility.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { renderPage } from "../page-harness.tsx";
import { holding } from "./holding.ts";
import { blockTime } from "./product.ts";
import { aReceipt, aTermPosition, aTimeProduct, owner } from "./time-product.ts";

beforeEach(() => loadTexts("transact"));

function openDraw(paid: bigint) {
  const product = aTimeProduct();
  const circumstances: ReceiptCase = {
    product,
    wallet: { status: "connected", address: owner, chainId: product.chain_id },
    position: aTermPosition({ claims: 1n }),
    visitor: null,
    now: blockTime,
    receipt: aReceipt({ paid, claimable: 1_000_000n }),
    holder: owner,
  };
  const props = { circumstances, holding: holding({}), notice: () => null, busy: false, onOrder: async () => {} };
  renderPage(<DrawForm {...props} />, "/", "/");
}
const owed = () => screen.getByLabelText("Preview").textContent;

it("a receipt's claim is its principal and interest", () => {
  openDraw(0n);
  expect(owed()).toContain("Owed to this receipt1,014.79452");
});

it("a drawn amount is no longer part of a receipt's claim", () => {
  openDraw(600_000_000n);
  expect(owed()).toContain("Owed to this receipt414.79452");
});
