import type { Position } from "@aqua/sdk/chain/vault-position";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import ActionPanel from "../../src/features/transact/demand/action-panel.tsx";
import TimePanel from "../../src/features/transact/term/time-panel.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import * as operations from "../../src/wallet/lazy/operations.ts";
import { clearWallet, setWallet } from "../../src/wallet/store.ts";
import { stubMedia } from "../media.ts";
import { answerApi, list, renderPage } from "../page-harness.tsx";
import { holding } from "./holding.ts";
import { aProduct, blockTime } from "./product.ts";
import { aReceipt, aTermPosition, aTimeProduct, owner } from "./time-product.ts";

vi.mock("../../src/wallet/lazy/operations.ts", { spy: true });
const perform = vi.mocked(operations.perform);

const queueAddress = "0x6666666666666666666666666666666666666666";
const healthy = aProduct();
/** The product while the audit has an open finding about its accounts. */
const product = aProduct({
  withheld: ["accounts"],
  share: { ...healthy.share, price: null, supply: null },
  ...{ tvl: null, cap_used: null, instant_capacity: null, holders: null, max_drawdown: null },
  conditions: { ...healthy.conditions, cash: null, deployed: null },
  vault: {
    ...{ settled: null, streaming: null, supply: null, deployed: null },
    queue: { address: queueAddress, shares: null },
  },
});

/** 100 shares, worth 105, of which 40 can be withdrawn at once, and 7 to collect. */
const position: Position = {
  block: 90,
  time: blockTime,
  status: "verified",
  assetBalance: 1_000_000_000n,
  noGas: false,
  gasPrice: 1n,
  shares: 100n * 10n ** 12n,
  maxDeposit: 10n ** 12n,
  maxWithdraw: 40_000_000n,
  maxRedeem: 38_095_238_095_238n,
  totalAssets: 1_050_000_000n,
  supply: 10n ** 15n,
  queue: { waiting: 0n, ahead: 0n, queued: 0n, claimable: 7_000_000n },
};

const nothing = {
  network: { body: { data: { version: "0", chains: [], node_chains: [], faucet: false } } },
  "product/solar/announcements": { body: { data: { changes: [] } } },
};

beforeEach(async () => {
  stubMedia("width >= ");
  // jsdom cannot scroll.
  Element.prototype.scrollIntoView = () => {};
  await loadTexts("transact");
  vi.mocked(operations.readPosition).mockResolvedValue(position);
  vi.mocked(operations.estimateGas).mockResolvedValue(null);
  perform.mockReset();
  perform.mockResolvedValue({ stage: "idle" });
});
afterEach(() => {
  act(() => clearWallet());
  vi.unstubAllGlobals();
});

const connect = () => act(() => setWallet({ status: "connected", address: owner, chainId: product.chain_id }));

function openPanel(tab: "Deposit" | "Withdraw") {
  answerApi(nothing);
  renderPage(<ActionPanel product={product} />, "/product/solar", "/product/solar");
  fireEvent.click(screen.getByRole("tab", { name: tab }));
}
const ordersSent = () => perform.mock.calls[0]?.[0].map((order) => order.action);

it("a withdrawal is previewed and sent from the chain's figures while the API withholds its own", async () => {
  connect();
  openPanel("Withdraw");
  fireEvent.change(await screen.findByLabelText("Amount to withdraw"), { target: { value: "20" } });
  const send = await screen.findByRole("button", { name: "Withdraw 20 tUSD" });
  expect(screen.getByLabelText("Preview").textContent).toContain("Paid now20.00tUSD");
  await act(async () => fireEvent.click(send));
  expect(ordersSent()).toEqual(["withdraw"]);
});

it("everything can be withdrawn, with the rest through the queue", async () => {
  connect();
  openPanel("Withdraw");
  fireEvent.click(await screen.findByRole("button", { name: "Max withdrawal" }));
  await act(async () => fireEvent.click(await screen.findByRole("button", { name: /^Withdraw 3\d/ })));
  expect(ordersSent()).toEqual(["redeem", "request"]);
});

it("money that the queue has set aside can be collected", async () => {
  connect();
  openPanel("Withdraw");
  const claim = await screen.findByTestId("queue-claim");
  await act(async () => fireEvent.click(within(claim).getByRole("button", { name: "Collect 7 tUSD" })));
  expect(ordersSent()).toEqual(["claim"]);
});

it("the line with the network fee has its place before the fee is known, so that it moves no button", async () => {
  vi.mocked(operations.estimateGas).mockResolvedValue(10n ** 15n);
  connect();
  openPanel("Withdraw");
  const claim = await screen.findByTestId("queue-claim");
  const lines = claim.querySelectorAll("p").length;
  expect(claim.textContent).toContain("Network fee: —.");
  expect(await within(claim).findByText(/^Network fee: about 0\.001/)).toBeTruthy();
  expect(claim.querySelectorAll("p")).toHaveLength(lines);
});

it("a deposit says why it is not offered", async () => {
  connect();
  openPanel("Deposit");
  expect(await screen.findByText("Figures withheld")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Deposit/ })).toBeNull();
});

it("a visitor without a wallet sees the button that connects one, and no figure", async () => {
  openPanel("Withdraw");
  expect(await screen.findByRole("button", { name: "Connect Wallet" })).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/\d\.\d\d/);
});

it("a receipt whose figures are withheld is paid at maturity by the chain's figures", async () => {
  const time = aTimeProduct({ withheld: ["accounts"], tvl: null, cap_used: null, terms: [], term: null });
  const maturity = 1_700_000_000_000;
  const held = holding({
    ...{ short_id: time.short_id, type: "time_deposit", deposit_id: "7", maturity, withheld: true },
    ...{ value: null, claimable: null, principal: null },
    receipt: {
      ...{ term: { value: 90, unit: "day" }, term_id: 0, roll: "none", roll_term_id: null, demanded_at: null },
      ...{ rate: null, break_rate: null, penalty: null, principal: null, interest_at_maturity: null },
      ...{ matured: true, winding_down: false },
    },
  });
  answerApi({
    ...nothing,
    "account/hold": list([held]),
    [`product/${time.short_id}`]: { body: { data: time } },
  });
  const receipt = aReceipt({ openedAt: BigInt(maturity / 1_000) - 90n * 86_400n });
  vi.mocked(operations.readTermPosition).mockResolvedValue(aTermPosition({ receipt, terms: [] }));
  connect();
  renderPage(<TimePanel product={time} />, "/product/fixed", "/product/fixed");
  fireEvent.click(await screen.findByRole("tab", { name: /My deposits/ }));
  await act(async () => fireEvent.click(await screen.findByRole("button", { name: "Collect, receipt 7" })));
  await act(async () => fireEvent.click(await screen.findByRole("button", { name: /1,014/ })));
  expect(ordersSent()).toEqual(["close"]);
});
