import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { OptionalNotice } from "@aqua/sdk/api/notices";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { position } from "../../src/indexer/schema.ts";
import { mailFormat } from "../../src/mail/format.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import type { TestAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices, openOwner } from "./support.ts";

const SHARE = 10n ** 12n;
const en = mailFormat("en-US");
let world: World;
let queue: QueueCalls;
let term: TermWorld;
/** When the term product's supporting documents expire, Unix seconds. */
let evidenceUntil: number;

beforeAll(async () => {
  world = await openWorld();
  queue = await openQueue(world, world.vaults[0] as Address);
  evidenceUntil = (await world.head()).time + 80 * DAY;
  term = await openTermDeposit(world, { evidenceUntil: BigInt(evidenceUntil) });
  await world.mine([world.deposit(0, 0, 1_000n * DOLLAR)]);
});
afterAll(() => world.stop());

withDatabase("notices about deposits", (open) => {
  const suite = served(() => world, open, "suite");
  let owner: TestAccount;
  let notices: Notices;
  const chain = () => ({ chainId: CHAIN_ID, deployment: world.deployed.deployment, status: suite.indexer.status });
  const mine = async (calls: Parameters<World["mine"]>[0] = [], seconds?: number) => {
    await world.mine(calls, seconds);
    await suite.caughtUp();
  };
  const subjects = async () => (await notices.turn()).map(({ subject }) => subject);
  /** Mines an empty block at this time, Unix seconds. */
  const until = async (time: number) => mine([], time - (await world.head()).time);
  const choose = (body: object) =>
    notices.app.inject({
      method: "POST",
      url: "/api/v2/account/notifications",
      headers: { authorization: owner.authorization },
      payload: body,
    });

  /** Expects that one click stops these mails, and that the link affects only mails of this kind. */
  const expectStoppable = async (mail: OutboxMail | undefined, kind: OptionalNotice) => {
    const { "list-unsubscribe": one = "", "list-unsubscribe-post": post } = mail?.headers ?? {};
    expect([kind, post]).toEqual([kind, "List-Unsubscribe=One-Click"]);
    const [, url] = /^<https:\/\/aqua\.example(\/api\/v2\/account\/unsubscribe\?token=[\w-]+)>$/.exec(one) ?? [];
    expect(mail?.text).toContain(`https://aqua.example/unsubscribe?token=${url?.split("token=")[1]}`);
    const answer = await notices.app.inject({ url: url ?? "" });
    expect(answer.json()).toMatchObject({ data: { kind, on: true } });
  };

  beforeAll(async () => {
    owner = await openOwner(suite.db, [world.wallets[0] as Address]);
    notices = await openNotices(suite.db, [chain()]);
  });
  afterAll(async () => {
    expect(notices.errors).toEqual([]);
    await notices.close();
  });

  it("a withdrawal is reported once when a part of it can be collected, and once when all can", async () => {
    await mine([queue.deploy(900n * DOLLAR)], DAY);
    await mine([queue.request(0, 500n * SHARE)]);
    await mine([await world.report(0, 0n, DAY)], DAY);
    await mine([queue.process()], DAY);
    const [first, ...more] = await notices.turn();
    expect(more).toEqual([]);
    const [held] = (await suite.db.orm.select().from(position)).filter(({ claimable }) => claimable > 0n);
    expect(first?.to).toBe(owner.email);
    expect(first?.subject).toBe("You can collect your withdrawal from sahel-solar");
    const asset = { symbol: "tUSD", decimals: 6 };
    expect(first?.text, formatUnits(held?.claimable ?? 0n, 6)).toContain(en.amount(held?.claimable ?? 0n, asset));
    expect(first?.text).toContain("still in the withdrawal queue");
    // The share price is 1: of 500, what is not set aside waits.
    const rest = 500n * DOLLAR - (held?.claimable ?? 0n);
    expect(first?.text).toContain(`Value of the rest at this block: ${en.amount(rest, asset)}.`);
    for (const text of ["This money earns nothing more", "has no deadline and costs only the network fee"])
      expect(first?.text).toContain(text);
    await expectStoppable(first, "withdrawals");
    expect(await subjects()).toEqual([]);
    await mine([queue.repay(600n * DOLLAR)], DAY);
    await mine([queue.process()]);
    const [second] = await notices.turn();
    expect(second?.text).not.toMatch(/still in the withdrawal queue|the rest/);
    expect(await subjects()).toEqual([]);
    await mine([queue.claim(0)]);
    expect(await subjects()).toEqual([]);
  });

  it("a deposit is reported seven days before its maturity and on that day, with its instruction", async () => {
    await mine([term.open(0, 0, 500n * DOLLAR)]);
    const maturity = (await world.head()).time + 30 * DAY;
    await until(maturity - 7 * DAY - 60);
    expect(await subjects()).toEqual([]);
    await until(maturity - 7 * DAY);
    const [first, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(first?.subject).toBe(`Your time deposit matures on ${en.date(maturity * 1_000)}`);
    for (const text of ["500.00 tUSD", en.dateTime(maturity * 1_000), "no rollover"])
      expect(first?.text).toContain(text);
    await expectStoppable(first, "maturities");
    const day = maturity - (maturity % DAY);
    await until(day - 60);
    expect(await subjects()).toEqual([]);
    await until(day);
    const [today, ...none] = await notices.turn();
    expect([today?.subject, none]).toEqual([
      `${en.date(maturity * 1_000)} is the maturity day of your time deposit`,
      [],
    ]);
    await expectStoppable(today, "maturities");
    await until(maturity + 60);
    expect(await subjects()).toEqual([]);
  });

  it("documents are reported to holders 30 and 7 days before they expire", async () => {
    // The receipt has matured and is not yet paid, so it is still held. Notices that are switched off are neither sent
    // nor counted as sent.
    expect((await choose({ kinds: { evidence: false } })).statusCode).toBe(200);
    await until(evidenceUntil - 20 * DAY);
    expect(await subjects()).toEqual([]);
    await choose({ kinds: { evidence: true } });
    const subject = `term-product: the supporting documents expire on ${en.date(evidenceUntil * 1_000)}`;
    const [first, ...none] = await notices.turn();
    expect([first?.subject, none]).toEqual([subject, []]);
    await expectStoppable(first, "evidence");
    await until(evidenceUntil - 7 * DAY);
    expect(await subjects()).toEqual([subject]);
    await until(evidenceUntil + 60);
    expect(await subjects()).toEqual([]);
  });

  it("income is reported by month only to accounts that chose it", async () => {
    const after = (time: number) => {
      const date = new Date(time * 1_000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000;
    };
    await until(after((await world.head()).time) + 3_600);
    expect(await subjects()).toEqual([]);
    await choose({ kinds: { income: true } });
    const { time } = await world.head();
    const [mail, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Your income in ${en.month((time - 2 * 3_600) * 1_000)}`);
    expect(mail?.text).toContain("sahel-solar: 0.00 tUSD earned, value 500.00 tUSD");
    expect(mail?.text).toMatch(/^term-product: \d+\.\d+ tUSD earned, value 502\.05 tUSD$/m);
    await expectStoppable(mail, "income");
    await mine([], DAY);
    expect(await subjects()).toEqual([]);
    await until(after((await world.head()).time) + 9 * DAY);
    expect(await subjects()).toEqual([]);
  });
});
