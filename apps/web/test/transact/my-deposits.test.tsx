import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { MyDeposits } from "../../src/features/transact/term/my-deposits.tsx";
import { formatDateTime } from "../../src/i18n/format.ts";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { readTermPosition } from "../../src/wallet/lazy/operations.ts";
import { setWallet } from "../../src/wallet/store.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { holding } from "./holding.ts";
import { aTimeProduct, owner } from "./time-product.ts";

const receipt = {
  term: { value: 90, unit: "day" as const },
  term_id: 0,
  rate: "0.06",
  break_rate: "0.02",
  penalty: "0",
  principal: "1000.000000",
  interest_at_maturity: "14.794520",
  matured: false,
  roll: "all" as const,
  roll_term_id: 0,
  demanded_at: null,
  winding_down: false,
};

vi.mock("../../src/wallet/lazy/operations.ts", async (original) => ({
  ...(await original<object>()),
  readTermPosition: vi.fn(async () => {
    throw new Error("the chain does not answer");
  }),
}));

const maturesAt = 1_807_776_000_000;

function openMine({
  maturity = maturesAt,
  ...parts
}: {
  maturity?: number;
  winding_down?: boolean;
  matured?: boolean;
}) {
  const product = aTimeProduct();
  answerApi({ [`product/${product.short_id}`]: { body: { data: product } } });
  const mine = holding({
    short_id: product.short_id,
    type: "time_deposit",
    deposit_id: "7",
    maturity,
    receipt: { ...receipt, ...parts },
  });
  const receipts = { holdings: [mine], isPending: false, isError: false, refetch: async () => undefined };
  const props = { product, owner, onOpen() {} };
  renderPage(<MyDeposits {...props} receipts={receipts as never} />, "/product/fixed", "/product/fixed");
}

beforeEach(() => loadTexts("transact"));

it("each receipt shows its end and its interest", async () => {
  openMine({});
  expect(await screen.findByText("until Apr 15, 2027")).toBeTruthy();
  expect(screen.getByText("14.79452")).toBeTruthy();
});

it("no date or interest of a maturity is shown in a winding down", async () => {
  openMine({ winding_down: true });
  expect(await screen.findByText("Being wound down")).toBeTruthy();
  expect(screen.getByText("1,000.00")).toBeTruthy();
  expect(document.body.textContent).not.toContain("until");
  expect(document.body.textContent).not.toContain("14.79452");
  expect(document.body.textContent).not.toContain("starts anew");
});

it("an instruction is shown after maturity with the time until which it can be carried out", async () => {
  const maturity = Date.now() - 2 * 86_400_000;
  openMine({ maturity, matured: true });
  expect(await screen.findByText(/principal and interest roll over/)).toBeTruthy();
  const until = formatDateTime(maturity + 3 * 86_400_000);
  expect(document.body.textContent).toContain(`Anyone can carry out the instruction until ${until}.`);
});

it("an instruction that can no longer be carried out is not shown", async () => {
  openMine({ maturity: Date.now() - 4 * 86_400_000, matured: true });
  expect(await screen.findByText("Matured")).toBeTruthy();
  expect(document.body.textContent).not.toContain("roll over");
});

it("the chain is read for only one receipt, when an action on it is opened", async () => {
  Element.prototype.scrollIntoView = () => {};
  setWallet({ status: "connected", address: owner, chainId: 31337 });
  const product = aTimeProduct();
  answerApi({ [`product/${product.short_id}`]: { body: { data: product } } });
  const parts = {
    short_id: product.short_id,
    type: "time_deposit" as const,
    maturity: maturesAt,
    receipt,
    wallet: owner,
  };
  const holdings = Array.from({ length: 22 }, (_, id) => holding({ ...parts, deposit_id: String(id) }));
  const receipts = { holdings, isPending: false, isError: false, refetch: async () => undefined };
  renderPage(
    <MyDeposits product={product} owner={owner} onOpen={() => {}} receipts={receipts as never} />,
    "/product/fixed",
    "/product/fixed",
  );
  const early = await screen.findByRole("button", { name: "Withdraw early, receipt 7" });
  expect(readTermPosition).not.toHaveBeenCalled();
  fireEvent.click(early);
  await waitFor(() => expect(readTermPosition).toHaveBeenCalled());
  for (const [{ account, receipt }] of vi.mocked(readTermPosition).mock.calls)
    expect([account, receipt]).toEqual([owner, 7n]);
});
