import { beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { privilegedAct } from "../../src/indexer/schema.ts";
import type { Product } from "../../src/indexer/world.ts";
import { lossReviewOf } from "../../src/product/termStore.ts";
import { withDatabase } from "../support/databases.ts";

const contract = `0x${"11".repeat(20)}` as const;
const product = { chainId: 31_337, address: contract } as Product;

withDatabase("lossReviewOf", (open) => {
  let db: Database;
  let block: number;
  beforeEach(async () => {
    db = await open();
    block = 100;
  });
  const act = async (name: string, args: Record<string, string> = {}, of: `0x${string}` = contract) => {
    block += 1;
    const place = { chainId: 31_337, block, logIndex: 0, time: block, hash: `0x${"22".repeat(32)}` as const };
    await db.orm.insert(privilegedAct).values({ ...place, contract: of, name, args });
  };
  const review = (until: number, of = contract) => act("TermLossReviewed", { amount: "5", until: String(until) }, of);
  const read = () => lossReviewOf(db.orm, product);

  it("is the end of the review that began last, whatever other acts follow", async () => {
    expect(await read()).toBeNull();
    await review(2_000);
    await act("TermInterestFunded", { assets: "1" });
    await act("TermPausedUntil", { until: "2000" });
    expect(await read()).toBe(2_000);
  });

  it("is null once the loss is booked or taken back, and for a loss of another product", async () => {
    await review(2_000);
    await act("TermLossConfirmed");
    await act("TermLossBooked", { amount: "5" });
    expect(await read()).toBeNull();
    await review(3_000);
    await act("TermLossTakenBack", { amount: "5" });
    expect(await read()).toBeNull();
    await review(4_000, `0x${"33".repeat(20)}`);
    expect(await read()).toBeNull();
  });
});
