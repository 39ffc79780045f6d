import type { ProductDetail } from "@aqua/sdk/api/product";
import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { NoticeList } from "../../src/features/product/notice-list.tsx";
import { depositObstacle } from "../../src/features/transact/eligibility/eligibility.ts";
import { ObstacleNotice } from "../../src/features/transact/eligibility/obstacle.tsx";
import { openObstacle } from "../../src/features/transact/term/term-eligibility.ts";
import { aDemand, aTime, blockTime } from "./details.ts";

/** What a product's contract does in a state: DemandVault and RedemptionQueue, or TermDeposit. */
type Deed =
  /** Pays a withdrawal at once, out of available cash (`instantLiquidity`). */
  | "instant"
  /** Takes withdrawal requests (`requestRedeem`), and pays out what is set aside. */
  | "request"
  /** Takes deposits again once the reason of the state is gone. */
  | "reopen"
  /** Pays principal and interest of a matured receipt (`close`). */
  | "close"
  /** Pays a receipt before maturity (`exitEarly`). */
  | "early"
  /** Pays every receipt the same part of what is recovered (`claim`). */
  | "share";

const until = blockTime + 3_600_000;
const queue = { address: "0x5FbDB2315678afecb367f032d93F642f64180aa3", shares: "0.0" };
const paused = { paused_until: until };
const late = { last_report: blockTime - 86_400_001 };
const review = { deposits_closed_until: until, loss_reviewed_until: until };
const afterLoss = { deposits_closed_until: until };
const lapsed = { evidence_until: blockTime };
const closed = { status: "closed" } as const;

type DemandParts = Parameters<typeof aDemand>[0];
/** Of 1,000 deposited, 200 are in the contract; the API's answer while it pays them out at once. */
const demand = ({ vault, ...parts }: NonNullable<DemandParts> = {}) =>
  aDemand({
    tvl: "1000.000000",
    cap: "5000.000000",
    cap_used: "1000.000000",
    instant_capacity: "200.000000",
    ...parts,
    vault: { queue, ...vault },
  });
/** The API's answer while the contract pays nothing at once: `_instant` of VaultExchange.sol. */
const stuck = (parts: DemandParts) => demand({ ...parts, instant_capacity: "0.000000" });
const windingDown = { winding_down: { received: "60.000000", claims: "101.500000" } };

const states: readonly [name: string, product: ProductDetail, deeds: readonly Deed[]][] = [
  ["an open demand deposit", demand(), ["instant", "request", "reopen"]],
  ["a paused demand deposit", demand(paused), ["instant", "request", "reopen"]],
  ["a demand deposit with a late report", stuck({ vault: late }), ["request", "reopen"]],
  ["a demand deposit whose loss is reviewed", stuck({ vault: review }), ["request", "reopen"]],
  ["a demand deposit after a loss", demand({ vault: afterLoss }), ["instant", "request", "reopen"]],
  ["a demand deposit with expired documents", demand({ vault: lapsed }), ["instant", "request", "reopen"]],
  ["a closed demand deposit", demand(closed), ["instant", "request"]],
  ["a paused demand deposit with a late report", stuck({ ...paused, vault: late }), ["request", "reopen"]],
  ["a paused demand deposit whose loss is reviewed", stuck({ ...paused, vault: review }), ["request", "reopen"]],
  ["a late report with expired documents", stuck({ vault: { ...late, ...lapsed } }), ["request", "reopen"]],
  ["a closed demand deposit with a late report", stuck({ ...closed, vault: late }), ["request"]],
  ["a closed demand deposit whose loss is reviewed", stuck({ ...closed, vault: review }), ["request"]],
  [
    "a closed, paused demand deposit after a loss",
    demand({ ...closed, ...paused, vault: afterLoss }),
    ["instant", "request"],
  ],
  ["a closed demand deposit with expired documents", demand({ ...closed, vault: lapsed }), ["instant", "request"]],
  ["an open time deposit", aTime(), ["close", "early", "reopen"]],
  // The review of a loss pauses a time deposit until its end.
  ["a paused time deposit, or one whose loss is reviewed", aTime(paused), ["close", "reopen"]],
  ["a time deposit with expired documents", aTime(lapsed), ["close", "early", "reopen"]],
  ["a paused time deposit with expired documents", aTime({ ...paused, ...lapsed }), ["close", "reopen"]],
  ["a closed time deposit", aTime(closed), ["close", "early"]],
  ["a closed, paused time deposit with expired documents", aTime({ ...closed, ...paused, ...lapsed }), ["close"]],
  ["a time deposit that is wound down", aTime({ books: windingDown }), ["share"]],
];

/** Sentences that promise a deed. */
const promises: readonly (readonly [Deed, RegExp])[] = [
  [
    "instant",
    /(?<!no cash )(is|are) available (to all depositors )?now|enough cash now to withdraw|withdrawals? (are|is|stay) open|can still withdraw\b/i,
  ],
  ["request", /join the queue|can still request|withdrawal requests/i],
  ["reopen", /deposits (and rollovers )?(reopen|resume)|accepts deposits again/i],
  ["close", /payments at maturity (continue|are open)|due at maturity|keep their rate and maturity/i],
  ["early", /early withdrawals (and payments at maturity )?(continue|are open)/i],
  ["share", /gets the same (share|fraction)|collect your share/i],
];

/** The sentences of a product's page and of its deposit panel, for a visitor without a wallet. */
function sentencesOf(product: ProductDetail): string[] {
  const visit = {
    wallet: { status: "disconnected", address: null, chainId: null } as const,
    ...{ position: null, visitor: null, now: product.as_of.time },
  };
  const obstacle =
    product.type === "time_deposit" ? openObstacle({ ...visit, product }) : depositObstacle({ ...visit, product });
  const none = () => {};
  const { container, unmount } = render(
    <>
      <NoticeList product={product} />
      {obstacle !== null && (
        <ObstacleNotice
          {...{ obstacle, product, address: null, faucet: false, onConnect: none, onRetry: none, onRefresh: none }}
        />
      )}
    </>,
  );
  const blocks = [...container.querySelectorAll("p, div")].filter(({ childElementCount }) => childElementCount === 0);
  const sentences = blocks.flatMap(({ textContent }) => textContent.split(/(?<=\.)\s+/));
  unmount();
  return sentences;
}

describe("a sentence about money is shown only where the contract does what it says:", () => {
  it.each(states)("%s", (_, product, deeds) => {
    for (const sentence of sentencesOf(product))
      for (const [deed, words] of promises)
        if (words.test(sentence)) expect(deeds, `“${sentence}” promises ${deed}`).toContain(deed);
  });

  it("each promise is made in some state", () => {
    const all = states.flatMap(([, product]) => sentencesOf(product));
    for (const [deed, words] of promises)
      expect(
        all.some((sentence) => words.test(sentence)),
        deed,
      ).toBe(true);
  });
});
