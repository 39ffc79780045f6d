import type { Address } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mailFormat } from "../../src/mail/format.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices, openOwner } from "./support.ts";

const en = mailFormat("en-US");
const evidence = `0x${"ab".repeat(32)}` as const;
let world: World;
let queue: QueueCalls;
let term: TermWorld;

beforeAll(async () => {
  world = await openWorld();
  queue = await openQueue(world, world.vaults[0] as Address);
  term = await openTermDeposit(world);
  await world.mine([world.deposit(0, 0, 1_000n * DOLLAR), term.open(0, 1, 1_000n * DOLLAR)]);
});
afterAll(() => world.stop());

withDatabase("notices about losses", (open) => {
  const suite = served(() => world, open, "suite");
  let notices: Notices;
  const mine = async (calls: Parameters<World["mine"]>[0] = [], seconds?: number) => {
    await world.mine(calls, seconds);
    await suite.caughtUp();
  };
  const review = async () => {
    const [, until] = (await term.read("reviewedLoss")) as [bigint, bigint];
    return en.dateTime(Number(until) * 1_000);
  };

  beforeAll(async () => {
    await openOwner(suite.db, [world.wallets[0] as Address]);
    await openOwner(suite.db, [world.wallets[1] as Address]);
    const chain = { chainId: CHAIN_ID, deployment: world.deployed.deployment, status: suite.indexer.status };
    notices = await openNotices(suite.db, [chain]);
  });
  afterAll(async () => {
    expect(notices.errors).toEqual([]);
    await notices.close();
  });

  it("reach a demand deposit's holders once while the loss can be reversed, and cannot be stopped", async () => {
    await mine([queue.deploy(900n * DOLLAR)]);
    await mine([await world.report(0, -5n * DOLLAR)]);
    expect(await notices.turn()).toEqual([]);
    await mine([await world.report(0, -50n * DOLLAR)]);
    const until = en.dateTime(((await world.head()).time + DAY) * 1_000);
    const [mail, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("sahel-solar: a large loss is under review");
    expect(mail?.text).toContain(`can be reversed until ${until}`);
    expect(mail?.headers).not.toHaveProperty("list-unsubscribe");
    expect(await notices.turn()).toEqual([]);
  });

  it("say of a time deposit until when the loss can be reversed, and then that it is wound down", async () => {
    const books = (await term.read("books")) as { cash: bigint; liabilities: bigint };
    await mine([term.as("treasurer", "withdrawInterest", [books.cash - books.liabilities])]);
    await mine([term.as("treasurer", "deploy", [500n * DOLLAR])]);
    const loss = term.as("reporter", "bookLoss", [400n * DOLLAR, evidence]);
    await mine([loss]);
    const [first, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(first?.subject).toBe("term-product: a loss is under review that may end the product");
    expect(first?.text).toContain(`can be reversed until ${await review()}, not later`);
    await mine([term.as("confirmer", "takeBackLoss", [])]);
    await mine([term.as("confirmer", "confirmLoss", []), loss]);
    const [second] = await notices.turn();
    expect(second?.text).toContain(`can be reversed until ${await review()}, not later`);
    await mine([], DAY + 60);
    expect(await notices.turn()).toEqual([]);
    await mine([term.as("faucet", "settleLoss", [])]);
    const [last, ...none] = await notices.turn();
    expect([last?.subject, none]).toEqual(["term-product is being wound down", []]);
    expect(last?.text).toContain("principal first, and interest after that");
    expect(await notices.turn()).toEqual([]);
  });
});
