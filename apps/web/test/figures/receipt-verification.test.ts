import type { Holding } from "@aqua/sdk/api/portfolio";
import { describe, expect, it, vi } from "vitest";
import { type CheckedReceipt, checkReceipt } from "../../src/features/transparency/receipt-verification.ts";
import { other, wallet } from "./fixtures.ts";
import { aBlock, aHolding, answerOf, onChain, product, type Read, readIn, time } from "./receipts.ts";

interface World {
  chain?: ReturnType<typeof onChain> | null;
  held?: Holding[];
  /** Times of the compared block and of the newest one, Unix seconds. */
  times?: [bigint, bigint];
  /** The result of a contract without these functions. */
  strange?: string;
  /** The function whose answer is too short. */
  broken?: Read;
  /** The newest block has no time. */
  timeless?: boolean;
}

/** The site and its node; calls to both are recorded by the `fetch` mock. */
function serve({
  chain = onChain(),
  held = [aHolding()],
  strange,
  broken,
  timeless,
  times = [time, time],
}: World = {}) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = String(input);
    if (url.includes("/rpc/")) {
      if (!chain) throw new TypeError("Failed to fetch");
      const { method, params } = JSON.parse(String(init?.body));
      const isNewest = params[0] === "latest";
      const block = method === "eth_getBlockByNumber" && aBlock(times[isNewest ? 1 : 0]);
      const isBroken = block ? timeless && isNewest : readIn(params[0].data) === broken;
      const result = isBroken ? "0x12" : block || (strange ?? answerOf(params[0].data, chain));
      return Response.json({ jsonrpc: "2.0", id: 1, result });
    }
    const page = Number(new URL(url, "http://site").searchParams.get("page"));
    return Response.json({
      data: { items: held.slice((page - 1) * 100, page * 100), total: held.length, page, page_size: 100 },
    });
  });
}

const check = () => checkReceipt(product, 7n);
const compared = (checked: CheckedReceipt) => {
  if (checked.outcome !== "compared") throw new Error(checked.outcome);
  return checked;
};
const different = (checked: CheckedReceipt) =>
  compared(checked)
    .figures.filter(({ standing }) => standing !== "equal")
    .map(({ figure }) => figure);

const receipt = aHolding().receipt as NonNullable<Holding["receipt"]>;
const told = (parts: Partial<typeof receipt>) => aHolding({ receipt: { ...receipt, ...parts } });
/** The figures in the receipt's own part of the site's response. */
const ofReceipt = [...["status", "principal", "term", "rate", "break_rate", "penalty", "interest", "due", "roll"]];
const changed = (name: Read, index: number, value: bigint) => {
  const chain = onChain();
  chain[name][index] = value;
  return chain;
};

describe("the check of a receipt", () => {
  it("finds every figure equal, at the block of the site's data", async () => {
    const calls = serve();
    const checked = await check();
    expect(different(checked)).toEqual([]);
    expect(compared(checked)).toMatchObject({ block: 4_100, age: 0, source: { by: "site" } });
    const asked = calls.mock.calls
      .filter(([url]) => String(url).includes("/rpc/"))
      .map(([, init]) => JSON.parse(String(init?.body)));
    const blocksOf = (name: string) => asked.filter(({ method }) => method === name).map(({ params }) => params);
    expect(blocksOf("eth_call").map(([, block]) => block)).toEqual(["latest", "latest", ...Array(5).fill("0x1004")]);
    expect(blocksOf("eth_getBlockByNumber").map(([block]) => block)).toEqual(["0x1004", "latest"]);
  });

  it("computes the value at the block's own time, and detects another time that the site states for it", async () => {
    const later = aHolding();
    later.as_of.time += 86_400_000;
    serve({ held: [later] });
    expect(different(await check())).toEqual(["block_time"]);
    serve({ times: [time - 86_400n, time] });
    expect(different(await check())).toEqual(["block_time", "value"]);
  });

  it("says by how much the newest block is later than the one that the site chose", async () => {
    serve({ times: [time, time + 3_600n] });
    expect(compared(await check()).age).toBe(3_600_000);
  });

  it.each<[string, Holding, string[]]>([
    ["the owner", aHolding({ wallet: other }), ["owner"]],
    ["the state", told({ matured: true }), ["status"]],
    ["the principal by the smallest unit", told({ principal: "2500.000001" }), ["principal", "due"]],
    ["the term", told({ term: { value: 7, unit: "month" } }), ["term"]],
    ["the rate", told({ rate: "0.060000000000000001" }), ["rate"]],
    ["the rate of leaving early", told({ break_rate: "0.02" }), ["break_rate"]],
    ["the penalty", told({ penalty: "0.004" }), ["penalty"]],
    ["the opening by a second", aHolding({ start: (aHolding().start ?? 0) + 1_000 }), ["start"]],
    ["the maturity by a second", aHolding({ maturity: (aHolding().maturity ?? 0) - 1_000 }), ["maturity"]],
    ["the interest", told({ interest_at_maturity: "75.000000" }), ["interest", "due"]],
    ["what is to happen at maturity", told({ roll: "none", roll_term_id: null }), ["roll"]],
    ["the term to come", told({ roll_term_id: 1 }), ["roll"]],
    ["the value by the smallest unit", aHolding({ value: aHolding().value?.replace(/.$/, "x") ?? null }), ["value"]],
    ["all that hangs on a receipt left out", aHolding({ receipt: null }), ofReceipt],
  ])("detects %s that the site states differently", async (_what, holding, figures) => {
    serve({ held: [holding] });
    expect(different(await check())).toEqual(figures);
  });

  it.each<[string, ReturnType<typeof onChain>, string[]]>([
    ["another owner", changed("ownerOf", 0, BigInt(other)), ["owner"]],
    ["another principal", changed("receiptOf", 0, 1n), ["principal", "interest", "value"]],
    ["a later maturity", changed("receiptOf", 2, 2_000_000_000n), ["maturity"]],
    ["a state of its own", changed("receiptOf", 4, 2n), ["status"]],
    ["less due", changed("quoteExit", 0, 2_500_000_000n), ["interest", "due"]],
    ["other rates", changed("termOf", 0, 10n ** 16n), ["rate", "value"]],
    ["a winding down with half of the money", changed("books", 4, 5_200_000_000n), ["value"]],
  ])("detects %s on chain", async (_what, chain, figures) => {
    serve({ chain });
    expect(different(await check())).toEqual(figures);
  });

  it("ignores trailing zeros of a figure, and the case of an address", async () => {
    serve({ held: [aHolding({ ...told({ principal: "2500", rate: "0.0600" }), wallet: wallet.toLowerCase() })] });
    expect(different(await check())).toEqual([]);
  });

  it("searches all pages of the owner's holdings", async () => {
    const others = Array.from({ length: 100 }, (_, index) => aHolding({ deposit_id: String(100 + index) }));
    serve({ held: [...others, aHolding()] });
    expect(different(await check())).toEqual([]);
  });

  it("reports a receipt that this site does not list, and never compares another product's", async () => {
    serve({ held: [aHolding({ short_id: "other" })] });
    const checked = compared(await check());
    expect(checked.block).toBeNull();
    expect(checked.owner).toBe(wallet);
    expect(checked.figures.every(({ standing, site }) => standing === "different" && site === null)).toBe(true);
  });

  it.each([
    [3n, "closed"],
    [4n, "exited"],
    [5n, "rolled"],
    [6n, "settled"],
  ])("shows a receipt in state %s as gone and does not query the site", async (state, name) => {
    const calls = serve({ chain: changed("receiptOf", 4, state) });
    expect(await check()).toMatchObject({ outcome: "gone", state: name, principal: 2_500_000_000n });
    expect(calls.mock.calls.every(([url]) => String(url).includes("/rpc/"))).toBe(true);
  });

  it.each<[string, World, CheckedReceipt["outcome"]]>([
    ["a number nobody opened", { chain: { ...onChain(), receiptOf: Array(8).fill(0n) } }, "none"],
    ["a contract without receipts", { strange: "0x" }, "no_deposit"],
    ["a chain nobody answers for", { chain: null }, "chain_away"],
  ])("distinguishes %s from a difference", async (_what, world, outcome) => {
    serve(world);
    expect(await check()).toEqual({ outcome });
  });

  it.each<[string, World, string]>([
    ["the owner", { broken: "ownerOf" }, "The owner of receipt 7 could not be read"],
    ["the figures", { broken: "quoteExit" }, "Receipt 7 could not be read"],
    ["the newest block", { timeless: true }, "The newest block could not be read"],
  ])("logs why %s could not be read", async (_what, world, message) => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    serve(world);
    expect(await check()).toEqual({ outcome: "chain_away" });
    expect(errors.mock.calls).toEqual([[expect.objectContaining({ message, cause: expect.any(Error) })]]);
    await vi.dynamicImportSettled();
  });

  it("rethrows the API's error", async () => {
    serve();
    const node = vi.mocked(fetch).getMockImplementation();
    vi.mocked(fetch).mockImplementation(async (input, init) =>
      String(input).includes("/rpc/")
        ? ((await node?.(input, init)) as Response)
        : Response.json({ error_code: "chain_unavailable" }, { status: 503 }),
    );
    await expect(check()).rejects.toMatchObject({ error_code: "chain_unavailable" });
  });
});
