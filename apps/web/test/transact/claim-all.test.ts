import type { Holding } from "@aqua/sdk/api/account";
import { expect, test } from "vitest";
import { claimOf } from "../../src/features/transact/claim-all.tsx";
import { aProduct } from "./product.ts";
import { aTimeProduct, owner } from "./time-product.ts";

function holding(parts: Partial<Holding>): Holding {
  return {
    short_id: "solar",
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
const queue = "0x6666666666666666666666666666666666666666";
const vault = aProduct({ vault: { queue: { address: queue, shares: "0" } } });

test("money of a queue is claimed, a matured receipt closed, one of a winding down draws its share", () => {
  expect(claimOf(holding({}), vault, owner)).toMatchObject({ action: "claim", owner, expected: 612_300_000n });
  const receipt = holding({ deposit_id: "7" });
  expect(claimOf(receipt, aTimeProduct(), owner)).toMatchObject({ action: "close", id: 7n, expected: 612_300_000n });
  const down = aTimeProduct({ books: { ...aTimeProduct().books, winding_down: { claims: "2", received: "1" } } });
  expect(claimOf(receipt, down, owner)).toMatchObject({ action: "draw", id: 7n });
});

test("nothing is collected for another wallet, and nothing where nothing is", () => {
  expect(claimOf(holding({ wallet: queue }), vault, owner)).toBeNull();
  expect(claimOf(holding({ claimable: "0.000000" }), vault, owner)).toBeNull();
  expect(claimOf(holding({ claimable: null, deposit_id: "7" }), aTimeProduct(), owner)).toBeNull();
});
