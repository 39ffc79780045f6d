import { webhookData } from "@aqua/sdk/api/webhooks";
import { eq } from "drizzle-orm";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RetryLater } from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { mailFormat } from "../../src/mail/format.ts";
import { createLossJob, LOSS_JOB, type LossJobParts } from "../../src/notices/lossReviews.ts";
import { scheduleOperatorJob } from "../../src/notices/operatorJob.ts";
import { createEmit } from "../../src/webhooks/emit.ts";
import { webhookEvent } from "../../src/webhooks/schema.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices, openOwner } from "./support.ts";

type Sent = { to: string; content: { kind: string; until?: string; id?: string } };

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
  let chain: LossJobParts["chains"][number];
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
    chain = { chainId: CHAIN_ID, deployment: world.deployed.deployment, status: suite.indexer.status };
    notices = await openNotices(suite.db, [chain]);
  });
  afterAll(async () => {
    expect(notices.errors).toEqual([]);
    await notices.close();
  });

  /** Runs the operators' job once and returns its new mails. */
  async function toOperators(change: Partial<LossJobParts> = {}): Promise<Sent[]> {
    const sent: Sent[] = [];
    const handler = createLossJob({
      ...{ db: suite.db, chains: [chain], documents: new Map(), operatorMail: ["ops@aqua.example"] },
      ...{
        emit: createEmit(true),
        mailer: { enqueue: async (_tx: unknown, mail: Sent) => void sent.push(mail) } as never,
      },
      ...{ notifyJobs() {}, log: { error: (fields: object) => expect(fields).toEqual({}) } },
      ...change,
    });
    const { signal } = new AbortController();
    await expect(handler({}, { id: 1, attempts: 1, waitedMs: 0, signal })).rejects.toThrow(RetryLater);
    return sent;
  }
  const kinds = async (change: Partial<LossJobParts> = {}) =>
    (await toOperators(change)).map(({ content }) => content.kind);
  const events = async () =>
    (await suite.db.orm.select().from(webhookEvent).orderBy(webhookEvent.time)).map(({ body }) => {
      const { type, data } = JSON.parse(body);
      expect([type, webhookData.loss.parse(data)]).toEqual(["loss", data]);
      return [data.short_id, data.stage];
    });

  it("reach a demand deposit's holders once while the loss can be reversed, and cannot be stopped", async () => {
    await mine([queue.deploy(900n * DOLLAR)]);
    await mine([await world.report(0, -5n * DOLLAR)]);
    expect([await notices.turn(), await toOperators()]).toEqual([[], []]);
    await mine([await world.report(0, -50n * DOLLAR)]);
    const until = en.dateTime(((await world.head()).time + DAY) * 1_000);
    const [mail, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("sahel-solar: a large loss is under review");
    expect(mail?.text).toContain(`can be reversed until ${until}`);
    expect(mail?.headers).not.toHaveProperty("list-unsubscribe");
    const behind = { ...chain, status: () => ({ state: "backfill" }) as never };
    expect(await toOperators({ chains: [behind] })).toEqual([]);
    expect(await toOperators()).toEqual([
      {
        ...{ to: "ops@aqua.example", language: "en-US" },
        content: expect.objectContaining({
          kind: "loss_to_judge",
          id: "sahel-solar",
          chainId: String(CHAIN_ID),
          until,
        }),
      },
    ]);
    expect([await notices.turn(), await toOperators()]).toEqual([[], []]);
    await mine([], DAY);
    expect(await toOperators()).toEqual([]);
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
    expect(await kinds()).toEqual(["loss_to_judge"]);
    await mine([term.as("confirmer", "takeBackLoss", [])]);
    expect(await kinds()).toEqual([]);
    await mine([term.as("confirmer", "confirmLoss", []), loss]);
    const [second] = await notices.turn();
    expect(second?.text).toContain(`can be reversed until ${await review()}, not later`);
    expect(await kinds()).toEqual(["loss_to_judge"]);
    await mine([], DAY + 60);
    expect([await notices.turn(), await kinds(), await kinds()]).toEqual([[], ["loss_to_settle"], []]);
    await mine([term.as("faucet", "settleLoss", [])]);
    const [last, ...none] = await notices.turn();
    expect([last?.subject, none]).toEqual(["term-product is being wound down", []]);
    expect(last?.text).toContain("Interest is paid only once all principal is repaid");
    expect([await notices.turn(), await kinds()]).toEqual([[], []]);
    expect(await events()).toEqual([
      ["sahel-solar", "reviewed"],
      ["term-product", "reviewed"],
      ["term-product", "reviewed"],
      ["term-product", "unsettled"],
    ]);
  });

  it("reach operators only where a receiver is set", async () => {
    await scheduleOperatorJob(suite.db.orm, LOSS_JOB, { operatorMail: [], emit: null });
    const scheduled = () => suite.db.orm.select({ kind: job.kind }).from(job).where(eq(job.kind, LOSS_JOB));
    expect(await scheduled()).toEqual([]);
    for (let server = 0; server < 2; server += 1)
      await scheduleOperatorJob(suite.db.orm, LOSS_JOB, { operatorMail: ["ops@aqua.example"], emit: null });
    expect(await scheduled()).toEqual([{ kind: LOSS_JOB }]);
  });
});
