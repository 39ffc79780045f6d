import { expect, test } from "vitest";
import { claimOf } from "../../src/features/transact/demand/claim-all.tsx";
import { holding } from "./holding.ts";
import { aProduct } from "./product.ts";
import { aTimeProduct, owner } from "./time-product.ts";

const queue = "0x6666666666666666666666666666666666666666";
const vault = aProduct({ vault: { queue: { address: queue, shares: "0" } } });

test("a queue's money is claimed, a matured receipt closed, a wound-down receipt drawn", () => {
  expect(claimOf(holding({}), vault, owner)).toMatchObject({ action: "claim", owner, expected: 612_300_000n });
  const receipt = holding({ deposit_id: "7" });
  expect(claimOf(receipt, aTimeProduct(), owner)).toMatchObject({ action: "close", id: 7n, expected: 612_300_000n });
  const down = aTimeProduct({ books: { ...aTimeProduct().books, winding_down: { claims: "2", received: "1" } } });
  expect(claimOf(receipt, down, owner)).toMatchObject({ action: "draw", id: 7n });
});

test("nothing is claimed for another wallet, or if there is nothing", () => {
  expect(claimOf(holding({ wallet: queue }), vault, owner)).toBeNull();
  expect(claimOf(holding({ claimable: "0.000000" }), vault, owner)).toBeNull();
  expect(claimOf(holding({ claimable: null, deposit_id: "7" }), aTimeProduct(), owner)).toBeNull();
});
