import type { StatementLine } from "@aqua/sdk/api/portfolio";
import { linesOf } from "@aqua/sdk/chain/statement-lines";
import type { Hex, Log } from "viem";
import { describe, expect, it, vi } from "vitest";
import { type CheckedLine, checkLine } from "../../src/features/transparency/statement-line-verification.ts";
import { queueContract, summary, token, wallet } from "./fixtures.ts";
import { aLine, assets, block, deposited, hash, log, nobody, shares, term, time, vault } from "./lines.ts";
import { readIn, wordOf } from "./receipts.ts";

const stranger = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** Records console errors, where the site reports errors first. */
const logged = () => vi.spyOn(console, "error").mockImplementation(() => undefined);

interface World {
  logs?: readonly Log[];
  /** Null: the transaction is unknown. */
  receipt?: Record<string, unknown> | null;
  pending?: boolean;
  /** No node answers. */
  away?: boolean;
  /** The contract function or the RPC method that answers incorrectly. */
  broken?: "termOf" | "eth_getBlockByHash";
  /** Lines of the product's kind; those of a time deposit are listed under it. */
  lines?: StatementLine[];
  /** The newest block this site has indexed. */
  known?: number;
}

const mined = { status: "0x1", blockNumber: `0x${block.toString(16)}`, blockHash: `0x${"cd".repeat(32)}` };

/** A log as a node returns it. */
const encoded = (one: Log) => ({ ...one, logIndex: `0x${Number(one.logIndex).toString(16)}` });

function serve({
  logs = deposited(),
  receipt = {},
  pending,
  away,
  broken,
  lines = [aLine()],
  known = block,
}: World = {}) {
  const node = (method: string, params: [{ data: string }]) => {
    if (method === broken || (method === "eth_call" && readIn(params[0].data) === broken)) return "0x12";
    if (method === "eth_getTransactionReceipt") return receipt && { ...mined, logs: logs.map(encoded), ...receipt };
    if (method === "eth_getTransactionByHash") return pending ? { hash } : null;
    if (method === "eth_getBlockByHash") return { timestamp: `0x${time.toString(16)}` };
    // A receipt of 2 500 tUSD under term 2, whose penalty is half a percent.
    const words = readIn(params[0].data) === "receiptOf" ? [assets, 0n, 0n, 2n] : [0n, 0n, 10n ** 16n / 2n];
    return `0x${[...words, ...Array<bigint>(8 - words.length).fill(0n)].map(wordOf).join("")}`;
  };
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = new URL(String(input), "http://site");
    if (url.pathname.startsWith("/rpc/")) {
      if (away) throw new TypeError("Failed to fetch");
      const { method, params } = JSON.parse(String(init?.body));
      return Response.json({ jsonrpc: "2.0", id: 1, result: node(method, params) });
    }
    const ofTerm = (line: StatementLine) => line.deposit_id !== null;
    const productOf = (line: StatementLine) => (ofTerm(line) ? term : vault);
    const as_of = { chain_id: 31337, block: known, time: time * 1_000, stale: false };
    if (url.pathname.includes("/account/statement/")) {
      const asked = [url.pathname.split("/").at(-1), ...(url.searchParams.get("also")?.split(",") ?? [])];
      const own = lines.filter((line) => asked.includes(line.wallet.toLowerCase()));
      const products = [vault, term].map((product) => ({
        short_id: product.short_id,
        chain_id: product.chain_id,
        lines: own.filter((line) => productOf(line) === product),
      }));
      return Response.json({ data: { wallets: asked, products, as_of } });
    }
    const shortId = url.pathname.split("/").at(-2);
    const items = lines
      .filter((line) => productOf(line).short_id === shortId && line.hash === url.searchParams.get("hash"))
      .map((line) => ({ ...line, address: line.wallet }));
    return Response.json({ data: { items, total: items.length, page: 1, page_size: 100 } });
  });
}

const check = () => checkLine(hash, summary());
function compared(checked: CheckedLine) {
  if (checked.outcome !== "compared") throw new Error(checked.outcome);
  return checked;
}
/** The figures that differ, line by line. */
const different = (checked: CheckedLine) =>
  compared(checked).lines.map(({ figures }) =>
    figures.filter(({ standing }) => standing === "different").map(({ figure }) => figure),
  );
const standings = (checked: CheckedLine, index = 0) =>
  Object.fromEntries(compared(checked).lines[index]?.figures.map(({ figure, standing }) => [figure, standing]) ?? []);

const withdrawn = { kind: "withdraw", paid_in: "0.000000", paid_out: "2500.000000" } as const;
const receipt = { ...withdrawn, deposit_id: "7", shares: null, price: null } as const;

describe("the events of a statement", () => {
  const vaultLines = (logs: Log[]) =>
    linesOf(logs, {
      type: "demand_deposit",
      contract: vault.contract as Hex,
      queue: queueContract,
    }).map(({ kind, wallet: of, logIndex }) => [logIndex, kind, of === wallet.toLowerCase() ? "mine" : of]);
  const termLines = (logs: Log[]) =>
    linesOf(logs, { type: "time_deposit", contract: term.contract as Hex, queue: null }).map(
      ({ kind, depositId, logIndex, wallet: of }) => [
        logIndex,
        kind,
        depositId,
        of === wallet.toLowerCase() ? "mine" : of,
      ],
    );
  const low = stranger.toLowerCase();

  it("list a deposit once, although its mint is an event too", () => {
    expect(vaultLines(deposited())).toEqual([[1, "deposit", "mine"]]);
  });

  it("list a transfer for both wallets, and none that moves nothing", () => {
    const sent = (value: bigint, to = stranger) => log("vault", "Transfer", { from: wallet, to, value }, 4);
    expect(vaultLines([sent(5n)])).toEqual([
      [4, "transfer_out", "mine"],
      [4, "transfer_in", low],
    ]);
    expect(vaultLines([sent(0n)])).toEqual([]);
    expect(vaultLines([sent(5n, wallet)])).toEqual([]);
  });

  it("list a request once, and nothing for the queue itself", () => {
    const asked = { controller: wallet, owner: wallet, requestId: 0n, sender: wallet };
    const into = log("vault", "Transfer", { from: wallet, to: queueContract, value: 5n }, 1);
    expect(vaultLines([into, log("queue", "RedeemRequest", { ...asked, shares: 5n }, 2)])).toEqual([
      [2, "request", "mine"],
    ]);
    expect(vaultLines([into, log("queue", "RedeemRequest", { ...asked, shares: 6n }, 2)])).toEqual([
      [1, "transfer_out", "mine"],
      [2, "request", "mine"],
    ]);
    const burnt = log("vault", "Transfer", { from: queueContract, to: nobody, value: 5n }, 1);
    const redeemed = { sender: queueContract, receiver: queueContract, owner: queueContract, assets: 9n, shares: 5n };
    const processed = log("queue", "Processed", { batch: 1n, shares: 5n, assets: 9n }, 3);
    expect(vaultLines([burnt, log("vault", "Withdraw", redeemed, 2), processed])).toEqual([[3, "processed", null]]);
  });

  it("list claims, and requests that move with their owner to another wallet", () => {
    const claim = { sender: stranger, receiver: stranger, owner: wallet, assets: 9n, shares: 5n };
    expect(vaultLines([log("queue", "Withdraw", claim, 3)])).toEqual([[3, "claim", "mine"]]);
    expect(vaultLines([log("queue", "PlacesRecovered", { from: wallet, to: stranger, places: 2n }, 3)])).toEqual([
      [3, "transfer_out", "mine"],
      [3, "transfer_in", low],
    ]);
  });

  it("list a rollover as one line of the old receipt, and an opening as a deposit", () => {
    const opened = log(
      "term",
      "Opened",
      { id: 8n, owner: wallet, termId: 1n, principal: 9n, interest: 1n, openedAt: 1n, maturity: 2n },
      2,
    );
    expect(termLines([opened])).toEqual([[2, "deposit", "8", "mine"]]);
    const minted = log("term", "Transfer", { from: nobody, to: wallet, tokenId: 8n }, 1);
    const rolled = log("term", "RolledOver", { id: 7n, newId: 8n, paid: 3n }, 5);
    expect(termLines([minted, opened, rolled])).toEqual([[5, "rollover", "7", "mine"]]);
  });

  it.each([
    ["Closed", "mature"],
    ["ExitedEarly", "withdraw"],
    ["Claimed", "claim"],
  ])("list %s as %s", (event, kind) => {
    const burnt = log("term", "Transfer", { from: wallet, to: nobody, tokenId: 7n }, 1);
    expect(termLines([burnt, log("term", event, { id: 7n, owner: wallet, principal: 9n, paid: 9n }, 2)])).toEqual([
      [2, kind, "7", "mine"],
    ]);
  });

  it("list a transferred receipt for both wallets", () => {
    expect(termLines([log("term", "Transfer", { from: wallet, to: stranger, tokenId: 7n }, 1)])).toEqual([
      [1, "transfer_out", "7", "mine"],
      [1, "transfer_in", "7", low],
    ]);
  });
});

describe("the check of a statement's line", () => {
  it("finds every figure of a deposit equal", async () => {
    serve();
    const checked = await check();
    expect(compared(checked)).toMatchObject({ block, wallets: 1, queried: 1, source: { by: "site" } });
    expect(standings(checked)).toEqual({
      kind: "equal",
      wallet: "equal",
      amount: "equal",
      shares: "equal",
      price: "fits",
      paid_in: "equal",
      block: "equal",
      log_index: "equal",
      time: "equal",
    });
  });

  it.each<[string, Partial<StatementLine>, string[]]>([
    ["the kind", { kind: "claim" }, ["kind"]],
    ["the amount by the smallest unit", { amount: "2500.000001" }, ["amount"]],
    ["the shares by the smallest unit", { shares: "2380.952380952381" }, ["shares"]],
    ["shares that are missing", { shares: null }, ["shares"]],
    ["the price in its tenth digit", { price: "1.050000001000000000" }, ["price"]],
    ["a price that is none", { price: "much" }, ["price"]],
    ["a fee nobody took", { fee: "0.000001" }, ["fee"]],
    ["what was paid in", { paid_in: "2499.999999" }, ["paid_in"]],
    ["something paid out", { paid_out: "1.000000" }, ["paid_out"]],
    ["the block", { block: block + 1 }, ["block"]],
    ["the place of the event", { log_index: 0 }, ["log_index"]],
    ["the time by a second", { time: time * 1_000 + 1_000 }, ["time"]],
    ["a receipt that there is none of in a demand deposit", { deposit_id: "7" }, []],
  ])("detects %s that the site states differently", async (_what, parts, figures) => {
    serve({ lines: [aLine(parts)] });
    const [first] = different(await check());
    if (figures.length > 0) expect(first).toEqual(figures);
    else expect(first?.length).toBeGreaterThan(0);
  });

  it("detects a line that is missing, has another hash, or is listed under another wallet", async () => {
    for (const lines of [[], [aLine({ hash: `0x${"00".repeat(32)}` })], [aLine({ wallet: stranger })]]) {
      serve({ lines });
      const { lines: told } = compared(await check());
      expect(told.flatMap(({ figures }) => figures).some(({ standing }) => standing === "different")).toBe(true);
    }
    serve({ lines: [] });
    expect(compared(await check()).lines).toMatchObject([{ sides: "chain", kind: "deposit" }]);
  });

  it("detects a line without an event in the transaction", async () => {
    serve({ lines: [aLine(), aLine({ wallet: stranger, log_index: 9 })] });
    const { lines } = compared(await check());
    expect(lines.map(({ sides: told }) => told)).toEqual(["both", "site"]);
    expect(different(await check())[1]).toContain("amount");
  });

  it("compares several lines of one transaction, of two products", async () => {
    const closed = log("term", "Closed", { id: 7n, owner: wallet, paid: assets }, 5);
    serve({
      logs: [...deposited(), closed],
      lines: [aLine(), aLine({ ...receipt, kind: "mature", log_index: 5 })],
    });
    const checked = await check();
    expect(compared(checked).lines.map(({ product }) => product.short_id)).toEqual(["solar", "term"]);
    expect(different(checked)).toEqual([[], []]);
  });

  it("computes the cost of an early exit from the principal that left and the term, not from the whole receipt", async () => {
    const exited = log("term", "ExitedEarly", { id: 7n, owner: wallet, principal: 1_000_000_000n, paid: assets });
    // Half a per cent of 1 000 of the receipt's 2 500.
    const line = { ...receipt, log_index: 0, fee: "5.000000" };
    serve({ logs: [exited], lines: [aLine(line)] });
    expect(standings(await check())).toMatchObject({ fee: "equal", paid_out: "equal", deposit_id: "equal" });
    serve({ logs: [exited], lines: [aLine({ ...line, fee: "4.999999", deposit_id: "8" })] });
    expect(different(await check())).toEqual([["deposit_id", "fee"]]);
  });

  it("marks the cost of an early exit as not read where the chain does not return it, and logs why", async () => {
    const errors = logged();
    const exited = log("term", "ExitedEarly", { id: 7n, owner: wallet, principal: 1_000_000_000n, paid: assets });
    serve({ logs: [exited], lines: [aLine({ ...receipt, log_index: 0, fee: "12.500000" })], broken: "termOf" });
    const checked = await check();
    expect(standings(checked)).toMatchObject({ fee: "unread", amount: "equal" });
    expect(different(checked)).toEqual([[]]);
    expect(errors.mock.calls).toEqual([
      [expect.objectContaining({ message: "The fee of receipt 7 could not be read" })],
    ]);
    await vi.dynamicImportSettled();
  });

  it("logs why a transaction could not be read", async () => {
    const errors = logged();
    serve({ broken: "eth_getBlockByHash" });
    expect(await check()).toEqual({ outcome: "chain_away" });
    expect(errors.mock.calls).toEqual([
      [expect.objectContaining({ message: `Transaction ${hash} could not be read`, cause: expect.any(Error) })],
    ]);
    await vi.dynamicImportSettled();
  });

  it("leaves the value of a request open, and compares its shares", async () => {
    const asked = { controller: wallet, owner: wallet, requestId: 0n, sender: wallet, shares };
    const logs = [log("queue", "RedeemRequest", asked, 1)];
    const line = aLine({ kind: "request", paid_in: "0.000000" });
    serve({ logs, lines: [line] });
    expect(standings(await check())).toMatchObject({ amount: "open", price: "open", shares: "equal" });
    expect(different(await check())).toEqual([[]]);
    serve({ logs, lines: [{ ...line, shares: "1.0", paid_out: "1.000000" }] });
    expect(different(await check())).toEqual([["shares", "paid_out"]]);
  });

  describe("of a queue that redeemed", () => {
    const logs = [log("queue", "Processed", { batch: 1n, shares: 3n * shares, assets: 3n * assets }, 1)];
    const quiet = { kind: "processed", paid_in: "0.000000" } as const;
    const one = aLine(quiet);
    const two = aLine({ ...quiet, wallet: stranger, amount: "5000.000000", shares: "4761.904761904760" });

    it("compares each part with its share of the whole, and their sum with the whole", async () => {
      serve({ logs, lines: [one, two] });
      const checked = await check();
      expect(different(checked)).toEqual([[], [], []]);
      expect(compared(checked).lines.at(-1)).toMatchObject({ kind: "batch" });
      expect(standings(checked)).toMatchObject({ amount: "fits", shares: "open", price: "fits" });
    });

    it.each<[string, StatementLine, string[]]>([
      ["one that was paid more than its share", { ...two, amount: "5000.000002" }, ["amount"]],
      ["one that claims more shares", { ...two, shares: "4761.904762904760" }, ["amount"]],
      ["another price", { ...two, price: "1.06" }, ["price"]],
      ["money said to have left", { ...two, paid_out: "5000.000000" }, ["paid_out"]],
    ])("detects %s", async (_what, line, figures) => {
      serve({ logs, lines: [one, line] });
      expect(different(await check())[1]).toEqual(figures);
    });

    it("detects that one of them is missing", async () => {
      serve({ logs, lines: [one] });
      expect(different(await check()).at(-1)).toEqual(["amount", "shares"]);
    });
  });

  it("fetches statements of seventeen wallets at once, and reports when there are too many", async () => {
    const lines = Array.from({ length: 120 }, (_, index) =>
      aLine({ kind: "processed", wallet: `0x${(index + 1).toString(16).padStart(40, "0")}` }),
    );
    const calls = serve({ logs: [log("queue", "Processed", { batch: 1n, shares, assets }, 1)], lines });
    expect(compared(await check())).toMatchObject({ wallets: 120, queried: 102 });
    const asked = calls.mock.calls.filter(([url]) => String(url).includes("/account/statement/"));
    expect(asked).toHaveLength(6);
  });

  it.each<[string, World, CheckedLine["outcome"]]>([
    ["a hash nobody knows", { receipt: null }, "unknown"],
    ["one that waits for its block", { receipt: null, pending: true }, "pending"],
    ["one that failed", { receipt: { status: "0x0", logs: [] } }, "reverted"],
    ["one of another contract", { logs: deposited().map((one) => ({ ...one, address: token })) }, "foreign"],
    ["one that moved nothing", { logs: [{ ...(deposited()[0] as Log), topics: [hash as Hex] }], lines: [] }, "quiet"],
    ["a block this site has not come to", { known: block - 1 }, "behind"],
    ["a chain nobody answers for", { away: true }, "chain_away"],
  ])("distinguishes %s from a difference", async (_what, world, outcome) => {
    serve(world);
    expect(await check()).toEqual({ outcome });
  });

  it("treats a time refused by the site as not indexed yet", async () => {
    serve();
    const answers = vi.mocked(fetch).getMockImplementation();
    vi.mocked(fetch).mockImplementation(async (input, init) =>
      String(input).includes("/account/statement/")
        ? Response.json({ error_code: "validation_error" }, { status: 400 })
        : ((await answers?.(input, init)) as Response),
    );
    expect(await check()).toEqual({ outcome: "behind" });
  });
});
