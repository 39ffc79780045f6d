import { readFileSync } from "node:fs";
import { join } from "node:path";
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
/** The API's answers in the conditions of the file. */
const demandIn = {
  paused: { paused_until: until, deposits_paused: true },
  late: { vault: { last_report: blockTime - 86_400_001 } },
  review: { vault: { deposits_closed_until: until, loss_reviewed_until: until } },
  loss: { vault: { deposits_closed_until: until } },
  lapsed: { vault: { evidence_until: blockTime } },
  closed: { status: "closed" },
} as const;
const timeIn = {
  paused: { paused_until: until, deposits_paused: true },
  review: { paused_until: until, deposits_paused: true, loss_reviewed_until: until },
  unsettled: { paused_until: blockTime, deposits_paused: true, loss_reviewed_until: blockTime },
  lapsed: { evidence_until: blockTime },
  closed: { status: "closed" },
  winding: { books: { winding_down: { received: "60.000000", claims: "101.500000" } } },
} as const;

function demand(conditions: readonly string[]): ProductDetail {
  const parts = conditions.map((name): Parameters<typeof aDemand>[0] => demandIn[name as keyof typeof demandIn]);
  const vault = Object.assign({ queue }, ...parts.map((part) => part?.vault));
  // Of 1,000 deposited, 200 are in the contract. `_instant` of VaultExchange.sol pays nothing in these two.
  const stuck = conditions.includes("late") || conditions.includes("review");
  const amounts = { tvl: "1000.000000", cap: "5000.000000", cap_used: "1000.000000" };
  return aDemand({
    ...amounts,
    instant_capacity: stuck ? "0.000000" : "200.000000",
    ...Object.assign({}, ...parts, { vault }),
  });
}

const time = (conditions: readonly string[]): ProductDetail =>
  aTime(Object.assign({}, ...conditions.map((name) => timeIn[name as keyof typeof timeIn])));

/** contracts/test/unit/Promises.t.sol brings the contracts into each state and does each deed, or is refused. */
const [, ...rows] = readFileSync(join(import.meta.dirname, "../../../../contracts/test/vectors/promises.csv"), "utf8")
  .trimEnd()
  .split("\n");
const words = (text = "") => text.split(" ").filter((word) => word !== "");
const states = rows.map((row) => {
  const [type, conditions, deeds] = row.split(",");
  const made = type === "demand" ? demand(words(conditions)) : time(words(conditions));
  return [`${type} deposit, ${conditions || "open"}`, made, words(deeds) as Deed[]] as const;
});

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
