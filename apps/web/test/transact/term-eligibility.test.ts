import type { ChainReceipt, TermPosition } from "@aqua/sdk/chain/term-position";
import { expect, test } from "vitest";
import {
  choicesOf,
  closeObstacle,
  drawObstacle,
  earlyExitObstacle,
  instructionObstacle,
  openObstacle,
  type ReceiptCase,
  rolloverObstacle,
} from "../../src/features/transact/term/term-eligibility.ts";
import type { Wallet } from "../../src/wallet/store.ts";
import { holding } from "./holding.ts";
import { blockTime } from "./product.ts";
import { aReceipt, anOffer as aTerm, aTermPosition, aTimeProduct, at, owner, quarter } from "./time-product.ts";

const connected: Wallet = { status: "connected", address: owner, chainId: 31337 };
const matured = { openedAt: at - 90n * 86_400n };

interface Parts {
  product?: Parameters<typeof aTimeProduct>[0];
  wallet?: Partial<Wallet>;
  position?: Partial<TermPosition> | "error" | null;
  receipt?: Partial<ChainReceipt> | null;
}

function aCase({ product, wallet, position = {}, receipt = {} }: Parts): ReceiptCase {
  return {
    product: aTimeProduct(product),
    wallet: { ...connected, ...wallet },
    position: position === null || position === "error" ? position : aTermPosition(position),
    visitor: null,
    now: blockTime + 1_000,
    receipt: receipt === null ? null : aReceipt(receipt),
    holder: owner,
  };
}
const until = blockTime + 86_400_000;

test("a verified wallet with money may open a deposit", () => {
  expect(openObstacle(aCase({}))).toBeNull();
});

test.each<[string, Parts, string]>([
  [
    "a winding down the server knows",
    { product: { books: { ...aTimeProduct().books, winding_down: { claims: "1", received: "0" } } } },
    "windingDown",
  ],
  ["a winding down only the chain knows", { position: { claims: 1n } }, "windingDown"],
  ["a closed product", { product: { status: "closed" } }, "termClosed"],
  ["a product closed on chain a moment ago", { position: { open: false } }, "termClosed"],
  ["a pause", { position: { pausedUntil: until } }, "termPaused"],
  [
    "a loss under review, which a closed product may have too",
    { product: { status: "closed", loss_reviewed_until: until }, position: { pausedUntil: until } },
    "termLossReview",
  ],
  ["evidence that has lapsed", { product: { evidence_until: blockTime } }, "termEvidenceLapsed"],
  ["no open term", { product: { terms: [{ ...aTerm, open: false }] } }, "noTerm"],
  [
    "a cap that is reached",
    { product: { cap: "10000.000000", terms: [{ ...aTerm, room: "0.000000" }] }, position: null },
    "capReached",
  ],
  ["no interest funded", { product: { terms: [{ ...aTerm, room: "0.000000" }] }, position: null }, "interestDry"],
  ["a cap that was reached a moment ago", { position: { cap: 10_005_000_000n } }, "capReached"],
  ["interest that was promised a moment ago", { position: { cash: 5_150_000_001n } }, "interestDry"],
  ["no wallet", { wallet: { status: "disconnected", address: null, chainId: null } }, "notConnected"],
  ["another network", { wallet: { chainId: 1 } }, "wrongNetwork"],
  ["a chain that does not answer", { position: "error" }, "chainUnavailable"],
  ["a record that is missing", { position: { status: "none" } }, "account"],
  ["a record that ran out", { position: { status: "exit_only" } }, "exitOnly"],
  ["a frozen record", { position: { status: "frozen" } }, "frozen"],
  ["no gas", { position: { noGas: true } }, "noGas"],
  ["no money", { position: { assetBalance: 0n } }, "noAssets"],
])("%s prevents opening a deposit", (_, parts, code) => {
  expect(openObstacle(aCase(parts))?.code).toBe(code);
});

test("a matured receipt is paid even if the product is paused or closed or the record is expired", () => {
  const position = { pausedUntil: until, open: false, status: "exit_only" } as const;
  const product = { status: "closed", evidence_until: blockTime } as const;
  expect(closeObstacle(aCase({ receipt: matured, product, position }))).toBeNull();
});

test("a due payment without enough cash shows the missing amount", () => {
  const poor = aCase({ receipt: matured, position: { cash: 1_000_000_000n, deployed: 9_350_000_000n } });
  // 1 000 in cash, of which 135.205480 are the other receipts' interest.
  expect(closeObstacle(poor)).toEqual({ code: "noCash", needed: "1014.794520", here: "864.794520" });
});

test.each<[string, Parts, string]>([
  ["not before its maturity", {}, "notMatured"],
  [
    "not by another wallet than its own",
    { receipt: { ...matured, owner: "0x5555555555555555555555555555555555555555" } },
    "otherWallet",
  ],
  ["not twice", { receipt: { ...matured, owner: null } }, "receiptGone"],
  ["not while frozen", { receipt: matured, position: { status: "frozen" } }, "frozen"],
  ["not by one another wallet has replaced", { receipt: matured, position: { status: "retired" } }, "retired"],
  ["not in a winding down, where it draws", { receipt: matured, position: { claims: 1n } }, "windingDown"],
  ["not without gas", { receipt: matured, position: { noGas: true } }, "noGas"],
])("a receipt is paid: %s", (_, parts, code) => {
  expect(closeObstacle(aCase(parts))?.code).toBe(code);
});

test("a receipt is not read for a wallet that does not own it", () => {
  const other = { ...aCase({ receipt: null }), holder: "0x5555555555555555555555555555555555555555" };
  expect(closeObstacle(other)).toEqual({ code: "otherWallet", holder: other.holder });
});

test("an early exit requires no pause and enough cash, and ends with maturity", () => {
  expect(earlyExitObstacle(aCase({}))).toBeNull();
  expect(earlyExitObstacle(aCase({ position: { status: "exit_only" } }))).toBeNull();
  expect(earlyExitObstacle(aCase({ product: { evidence_until: blockTime } }))).toBeNull();
  expect(earlyExitObstacle(aCase({ position: { pausedUntil: until } }))?.code).toBe("termPaused");
  expect(earlyExitObstacle(aCase({ product: { loss_reviewed_until: until } }))?.code).toBe("termLossReview");
  expect(earlyExitObstacle(aCase({ receipt: matured }))?.code).toBe("maturedAlready");
  expect(earlyExitObstacle(aCase({ position: { cash: 1_200_000_000n, deployed: 9_150_000_000n } }))).toEqual({
    code: "noCashEarly",
    needed: "1001.643835",
    here: "614.794520",
  });
});

test("a part of a receipt may exit early when the cash does not suffice for the whole", () => {
  const short = aCase({ position: { cash: 1_200_000_000n, deployed: 9_150_000_000n } });
  expect(earlyExitObstacle(short, 500_000_000n)).toBeNull();
  expect(earlyExitObstacle(short, 700_000_000n)).toMatchObject({ code: "noCashEarly", needed: "701.150684" });
});

test("a rollover requires everything a new deposit requires, except money", () => {
  const roll = (parts: Parts, term: typeof quarter | null = quarter) =>
    rolloverObstacle(aCase({ receipt: matured, ...parts }), term, "all")?.code ?? null;
  expect(roll({ position: { assetBalance: 0n } })).toBeNull();
  expect(roll({ receipt: {} })).toBe("notMatured");
  expect(roll({ position: { pausedUntil: until } })).toBe("termPaused");
  expect(roll({ product: { evidence_until: blockTime } })).toBe("termEvidenceLapsed");
  expect(roll({ product: { evidence_until: until } })).toBeNull();
  expect(roll({ position: { open: false } })).toBe("termClosed");
  expect(roll({}, { ...quarter, open: false })).toBe("noTerm");
  expect(roll({ position: { status: "exit_only" } })).toBe("exitOnly");
  expect(roll({}, { ...quarter, cap: 0n })).toBe("rollCap");
  expect(roll({ position: { cash: 5_150_000_000n } })).toBe("rollInterest");
});

test("an instruction can be changed until maturity, also by a wallet with an expired record", () => {
  expect(instructionObstacle(aCase({ position: { status: "exit_only", pausedUntil: until } }))).toBeNull();
  expect(instructionObstacle(aCase({ receipt: matured }))?.code).toBe("maturedAlready");
  expect(instructionObstacle(aCase({ position: { claims: 1n } }))?.code).toBe("windingDown");
});

test("an instruction that is not carried out yet can be changed for three days after maturity", () => {
  const late = (seconds: bigint, roll: ChainReceipt["roll"]) =>
    instructionObstacle(aCase({ receipt: { openedAt: at - 90n * 86_400n - seconds, roll } }))?.code ?? null;
  expect(late(0n, "all")).toBeNull();
  expect(late(3n * 86_400n, "principal")).toBeNull();
  expect(late(3n * 86_400n + 1n, "all")).toBe("maturedAlready");
  expect(late(0n, "none")).toBe("maturedAlready");
});

test.each<[string, Parts, object, string[]]>([
  ["before maturity", {}, {}, ["instruct", "exit"]],
  ["after maturity without an instruction", { receipt: matured }, {}, ["close", "rollover"]],
  [
    "after maturity with an instruction that can be carried out",
    { receipt: { ...matured, roll: "all" } },
    {},
    ["close", "rollover", "instruct"],
  ],
  [
    "with an instruction that can no longer be carried out",
    { receipt: { openedAt: at - 94n * 86_400n, roll: "all" } },
    {},
    ["close", "rollover"],
  ],
  [
    "by the server's data while the chain is read",
    { position: null, receipt: null },
    { maturity: blockTime, receipt: { roll: "principal" } },
    ["close", "rollover", "instruct"],
  ],
  ["in a winding down", { position: { claims: 1n } }, {}, ["draw"]],
])("the choices of a receipt %s", (_, parts, listed, choices) => {
  expect(choicesOf(aCase(parts), holding(listed))).toEqual(choices);
});

test("a receipt draws its share in a winding down", () => {
  const down = { claims: 1n } as const;
  expect(drawObstacle(aCase({ position: down, receipt: { claimable: 5n } }))).toBeNull();
  expect(drawObstacle(aCase({ position: down, receipt: { claimable: 0n } }))?.code).toBe("nothingToDraw");
  expect(drawObstacle(aCase({ position: { ...down, status: "frozen" }, receipt: { claimable: 5n } }))?.code).toBe(
    "frozen",
  );
});
