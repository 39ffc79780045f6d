import type { Order } from "@aqua/sdk/chain/orders";
import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Obstacle } from "../../src/features/transact/eligibility/eligibility.ts";
import { ExitForm } from "../../src/features/transact/term/receipt-forms.tsx";
import type { ReceiptCase } from "../../src/features/transact/term/term-eligibility.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { renderPage } from "../page-harness.tsx";
import { holding } from "./holding.ts";
import { blockTime } from "./product.ts";
import { aReceipt, aTermPosition, aTimeProduct, owner } from "./time-product.ts";

beforeEach(() => loadTexts("transact"));

/** The form of a receipt of 1,000 tUSD after 30 of 90 days; the product's minimum deposit is 10 tUSD. */
function openForm(position: Parameters<typeof aTermPosition>[0] = {}) {
  const product = aTimeProduct();
  const circumstances: ReceiptCase = {
    product,
    wallet: { status: "connected", address: owner, chainId: product.chain_id },
    position: aTermPosition(position),
    visitor: null,
    now: blockTime,
    receipt: aReceipt(),
    holder: owner,
  };
  const onOrder = vi.fn(async (_: Order) => {});
  const notice = (obstacle: Obstacle | null) => obstacle && <p>{obstacle.code}</p>;
  renderPage(<ExitForm {...{ circumstances, holding: holding({}), notice, busy: false, onOrder }} />, "/", "/");
  return onOrder;
}
const field = () => screen.getByRole("textbox", { name: /Principal to withdraw/ });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const submit = () => fireEvent.submit(field().closest("form") as HTMLFormElement);

describe("ExitForm", () => {
  it("offers the whole principal at first", () => {
    const onOrder = openForm();
    expect(field()).toHaveProperty("value", "1,000");
    submit();
    // 1 000 and ⌊1 000 · 2 % · 30 / 365⌋ in smallest units.
    expect(onOrder).toHaveBeenCalledWith(
      expect.objectContaining({ action: "exitEarly", id: 7n, principal: 1_000_000_000n, minOut: 1_001_643_835n }),
    );
  });

  it("orders a part, and shows what it pays, costs and leaves", () => {
    const onOrder = openForm();
    type("400");
    expect(screen.getByLabelText("Preview").textContent).toContain("400.65");
    expect(screen.getByLabelText("Preview").textContent).toContain("Stays in the deposit600");
    submit();
    expect(onOrder).toHaveBeenCalledWith(expect.objectContaining({ principal: 400_000_000n, minOut: 400_657_534n }));
  });

  it.each([
    ["995", "At least 10 tUSD must stay. Withdraw up to 990 tUSD, or the whole deposit."],
    ["1,000.01", "Your deposit: 1,000 tUSD."],
    ["0", "Enter an amount above zero."],
    ["a few", "Enter an amount like 1,000.50."],
  ])("refuses %s with a reason and sends nothing", (text, reason) => {
    const onOrder = openForm();
    type(text);
    expect(screen.getByText(reason)).toBeDefined();
    expect(screen.getByRole("button", { name: "Withdraw early" })).toBeDefined();
    submit();
    expect(onOrder).not.toHaveBeenCalled();
  });

  it("allows only the whole receipt when the rest of any part would be below the minimum", () => {
    const onOrder = openForm({ minDeposit: 5_000_000_000n });
    type("1");
    expect(screen.getByText("At least 5,000 tUSD must stay. Withdraw the whole deposit.")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Whole deposit" }));
    submit();
    expect(onOrder).toHaveBeenCalledWith(expect.objectContaining({ principal: 1_000_000_000n }));
  });

  it("names the missing cash for the typed amount only", () => {
    openForm({ cash: 1_200_000_000n, deployed: 9_150_000_000n });
    expect(screen.getByText("noCashEarly")).toBeDefined();
    type("500");
    expect(screen.queryByText("noCashEarly")).toBeNull();
  });
});
