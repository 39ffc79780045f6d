import { screen } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { outcomeText } from "../../src/features/transact/progress/outcome.ts";
import { Progress } from "../../src/features/transact/progress/progress.tsx";
import type { ActionState } from "../../src/features/transact/progress/use-action.ts";
import { nonceUnknown, type TrackedTransaction } from "../../src/wallet/transactions.ts";
import { renderPage } from "../page-harness.tsx";
import { aProduct } from "./product.ts";
import { owner } from "./time-product.ts";

const product = aProduct();
const aTransaction = (parts: Partial<TrackedTransaction> = {}): TrackedTransaction => ({
  id: "0x1",
  hash: null,
  chainId: product.chain_id,
  address: owner,
  nonce: 0,
  scope: product.short_id,
  kind: "deposit",
  shortId: product.short_id,
  amount: "40.000000",
  symbol: "tUSD",
  assetDecimals: 6,
  shareDecimals: 12,
  shares: "38.095238000000",
  description: "",
  stage: "confirmed",
  sentAt: 0,
  block: 101,
  reason: null,
  replacedBy: null,
  facts: {},
  ...parts,
});
const position = { value: "1039.999999", block: 101 };
const titleOf = (parts: Partial<TrackedTransaction>) => outcomeText(aTransaction(parts), product).title;

// jsdom cannot scroll.
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

describe("the outcome of an action", () => {
  it("says what was done, the amount first, with two digits at least", () => {
    expect(titleOf({})).toBe("You deposited 40.00 tUSD.");
    expect(titleOf({ kind: "withdraw", amount: "12.345678" })).toBe("You withdrew 12.345678 tUSD.");
    expect(titleOf({ kind: "claim" })).toBe("You collected 40.00 tUSD.");
    expect(titleOf({ kind: "request" })).toBe("Your request is in the queue.");
  });

  it("says the new position once it has been read at the transaction's block, not the one before", () => {
    const line = "Your position: 1,040.00 tUSD.";
    expect(outcomeText(aTransaction(), product, position).lines).toContain(line);
    expect(outcomeText(aTransaction(), product, { ...position, block: 100 }).lines).not.toContain(line);
    expect(outcomeText(aTransaction({ stage: "failed" }), product, position).lines).not.toContain(line);
  });

  it("leads to the portfolio, except on the portfolio's page and where nothing was done", () => {
    const show = (transaction: TrackedTransaction, at: string) => {
      const action: ActionState = {
        stage: { stage: "idle" },
        transaction,
        busy: false,
        start: async () => false,
        dismiss() {},
      };
      return renderPage(<Progress action={action} product={product} position={position} />, at, at);
    };
    const { unmount } = show(aTransaction(), "/product/solar");
    expect(screen.getByRole("link", { name: "View in Portfolios" }).getAttribute("href")).toBe("/portfolios");
    unmount();
    const failed = show(aTransaction({ stage: "failed" }), "/product/solar");
    expect(screen.queryByRole("link", { name: "View in Portfolios" })).toBeNull();
    failed.unmount();
    show(aTransaction(), "/portfolios");
    expect(screen.queryByRole("link", { name: "View in Portfolios" })).toBeNull();
  });

  it("does not say that nothing moved once a part is done, also where another wallet was chosen since", () => {
    const show = (partDone?: true) => {
      const reason = { code: "walletChanged", values: {} };
      const stage = { stage: "failed" as const, reason, ...(partDone && { partDone }) };
      const action: ActionState = { stage, transaction: null, busy: false, start: async () => false, dismiss() {} };
      const { unmount } = renderPage(<Progress action={action} product={product} />, "/", "/");
      const text = screen.getByTestId("action-progress").textContent;
      unmount();
      return text;
    };
    expect(show()).toContain("No money has moved.");
    expect(show(true)).not.toContain("No money has moved.");
    expect(show(true)).toContain("No further money has moved.");
  });

  it("shows the transaction that a next step waits for, and that it can be sped up once it is slow", () => {
    const awaited = aTransaction({ stage: "pending", kind: "approve", hash: `0x${"a".repeat(64)}` });
    const show = (sentAt: number) => {
      const stage = { stage: "approving" as const, id: awaited.id };
      const shown = { stage, transaction: null, awaited: { ...awaited, sentAt }, busy: true };
      const { unmount } = renderPage(
        <Progress action={{ ...shown, start: async () => false, dismiss() {} }} product={product} />,
        "/",
        "/",
      );
      const text = screen.getByTestId("action-progress").textContent;
      unmount();
      return text;
    };
    expect(show(Date.now())).toContain("0xaaa");
    expect(show(Date.now())).not.toContain("You can speed it up in your wallet.");
    expect(show(Date.now() - 300_001)).toContain("You can speed it up in your wallet.");
  });

  it("promises that no money has moved only of a transaction whose nonce is known to be free", () => {
    const linesOf = (parts: Partial<TrackedTransaction>) =>
      outcomeText(aTransaction({ stage: "dropped", ...parts }), product).lines.join(" ");
    expect(linesOf({ nonce: 7 })).toContain("no money has moved.");
    // A wallet with several owners returns its own hash, which is on no chain.
    expect(linesOf({ nonce: nonceUnknown })).not.toContain("no money has moved.");
    expect(linesOf({ nonce: nonceUnknown })).toContain("Look there before you try again");
  });
});
