import type { TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import type { ChainReceipt, ChainTerm, TermPosition } from "@aqua/sdk/chain/term-position";
import { aProduct, blockTime } from "./product.ts";

export const owner = "0x4444444444444444444444444444444444444444";
const dollar = 1_000_000n;
const wad = 10n ** 18n;
/** Time of the block at which everything is read, Unix seconds. */
export const at = BigInt(blockTime / 1_000);

/** 90 days at 6 %, 2 % on an early exit, no penalty. */
export const quarter: ChainTerm = {
  id: 0,
  count: 90,
  unit: "day",
  rate: (6n * wad) / 100n,
  breakRate: (2n * wad) / 100n,
  penalty: 0n,
  open: true,
  cap: 1_000_000n * dollar,
  principal: 10_000n * dollar,
};

/** A receipt of 1 000 for 90 days, opened 30 days before the block. */
export function aReceipt(parts: Partial<ChainReceipt> = {}): ChainReceipt {
  const openedAt = parts.openedAt ?? at - 30n * 86_400n;
  return {
    id: 7n,
    owner,
    principal: 1_000n * dollar,
    openedAt,
    maturity: openedAt + 90n * 86_400n,
    term: quarter,
    roll: "none",
    rollTermId: 0,
    paid: 0n,
    claimable: 0n,
    ...parts,
  };
}

/** 10 000 owed with 150 of interest, 5 000 of it deployed; 200 of interest are free. */
export function aTermPosition(parts: Partial<TermPosition> = {}): TermPosition {
  return {
    block: 100,
    time: blockTime,
    status: "verified",
    assetBalance: 5_000n * dollar,
    noGas: false,
    gasPrice: 1n,
    open: true,
    cap: 1_000_000n * dollar,
    minDeposit: 10n * dollar,
    pausedUntil: 0,
    buffer: wad / 10n,
    cash: 5_350n * dollar,
    deployed: 5_000n * dollar,
    liabilities: 10_150n * dollar,
    reserved: 150n * dollar,
    claims: 0n,
    terms: [quarter],
    receipt: null,
    ...parts,
  };
}

export const anOffer: TermOffer = {
  term_id: 0,
  value: 90,
  unit: "day",
  rate: "0.06",
  break_rate: "0.02",
  penalty: "0",
  open: true,
  cap: "1000000.000000",
  room: "13518.518518",
  maturity: blockTime + 90 * 86_400_000,
  apy: "0.061370",
};

export function aTimeProduct(parts: Partial<TimeDetail> = {}): TimeDetail {
  const { vault: _, max_drawdown: _fall, max_drawdown_taken_back: _end, exit_curve: _curve, ...page } = aProduct();
  return {
    ...page,
    type: "time_deposit",
    share: null,
    tvl: "10050.000000",
    cap: "1000000.000000",
    cap_used: "10000.000000",
    evidence_until: null,
    loss_reviewed_until: null,
    terms: [anOffer],
    books: {
      cash: "5350.000000",
      deployed: "5000.000000",
      principal: "10000.000000",
      liabilities: "10150.000000",
      reserved: "150.000000",
      free_interest: "200.000000",
      coverage: "1.019",
      losses: "0.000000",
      winding_down: null,
      receipts: 3,
    },
    ...parts,
  };
}
