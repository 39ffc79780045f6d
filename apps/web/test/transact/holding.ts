import type { Holding } from "@aqua/sdk/api/portfolio";
import { owner } from "./time-product.ts";

/** A holding of `owner` with 612.30 tUSD to claim; everything else is 0. */
export function holding(parts: Partial<Holding>): Holding {
  return {
    short_id: "solar",
    withheld: false,
    wallet: owner,
    name: "Solar",
    type: "demand_deposit",
    chain_id: 31337,
    symbol: "tUSD",
    decimals: 6,
    shares: null,
    deposit_id: null,
    receipt: null,
    principal: "0",
    value: "0",
    exit_value: "0",
    average_cost: null,
    realised: "0",
    unrealised: "0",
    interest: "0",
    apy: null,
    start: null,
    maturity: null,
    pending_shares: null,
    claimable: "612.300000",
    cost_estimated: false,
    as_of: { chain_id: 31337, block: 1, time: 1, stale: false },
    ...parts,
  };
}
