import { productDocument } from "@aqua/sdk/api/document";
import { webhookData } from "@aqua/sdk/api/webhooks";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { productState, vaultState } from "../../src/indexer/schema.ts";
import { RetryLater } from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { createEvidenceJob, EVIDENCE_JOB, type EvidenceJobParts } from "../../src/notices/evidenceExpiry.ts";
import { scheduleOperatorJob } from "../../src/notices/operatorJob.ts";
import { createEmit } from "../../src/webhooks/emit.ts";
import { webhookEvent } from "../../src/webhooks/schema.ts";
import { document } from "../product/sahel.ts";
import { withDatabase } from "../support/databases.ts";
import { CHAIN, indexChain, listProduct } from "../telemetry/rows.ts";

const hash = (byte: string) => `0x${byte.repeat(32)}` as const;
const EXPIRES = "2027-06-30";
/** The end of the last day on which the documents are valid. */
const END = Date.parse("2027-07-01");
const paper = { title: "Inspection", issuer: "Bureau", issued: "2026-07-01", expires: EXPIRES, hash: hash("aa") };
const licence = { ...paper, title: "Licence", hash: hash("bb") };
const withEvidence = (evidence: object[]) => productDocument.parse({ ...document, evidence, translations: {} });
const documents = new Map([
  [hash("01"), withEvidence([paper, { ...paper, expires: null, hash: hash("cc") }])],
  [hash("02"), withEvidence([{ ...paper, expires: "2028-06-30", hash: hash("dd") }])],
  [hash("03"), withEvidence([paper, licence])],
]);
const to = ["ops@aqua.example", "night@aqua.example"];

withDatabase("notices to operators about evidence that expires", (open) => {
  let db: Database;
  let clock: number;
  let chainState: string;
  const sent: { to: string; content: { kind: string; days?: number; lines: object[] } }[] = [];
  const errors: object[] = [];
  const logged = { error: (fields: object) => void errors.push(fields) };
  const mailer = { enqueue: async (_tx: unknown, mail: (typeof sent)[number]) => void sent.push(mail) };
  const status = () => ({ state: chainState });

  beforeEach(async () => {
    db = await open();
    clock = END - 90 * DAY_MS;
    chainState = "live";
    sent.length = 0;
    errors.length = 0;
    await indexChain(db);
    await listProduct(db, "sahel-solar", { number: 1, metadataHash: hash("01") });
  });

  /** The job of one server. */
  const jobOf = (change: Partial<EvidenceJobParts> = {}) =>
    createEvidenceJob({
      ...{ db, chains: [{ chainId: CHAIN, deployment: {} as never, status }], documents },
      ...{ operatorMail: to, emit: createEmit(true, () => clock), mailer: mailer as never },
      ...{ notifyJobs() {}, log: logged, now: () => clock },
      ...change,
    });
  const signal = new AbortController().signal;
  const run = (handler = jobOf()) =>
    expect(handler({}, { id: 1, attempts: 1, waitedMs: 0, signal })).rejects.toThrow(RetryLater);
  /** Runs the job `left` milliseconds before the expiry. Returns the mails to the first address. */
  async function mailsAt(left: number, handler = jobOf()): Promise<string[]> {
    clock = END - left;
    sent.length = 0;
    await run(handler);
    expect(errors).toEqual([]);
    expect(sent.filter((mail) => mail.to === to[1])).toHaveLength(sent.length / 2);
    return sent
      .filter((mail) => mail.to === to[0])
      .map(({ content }) => `${content.kind} ${content.days ?? ""}`.trim());
  }
  const eventDays = async () => {
    const stored = await db.orm.select().from(webhookEvent).orderBy(webhookEvent.time);
    return stored.map(({ body }) => JSON.parse(body).data.days);
  };

  it("are sent 30, 7 and 1 days before the end of the last day, and once after it", async () => {
    const inTime = [
      ...[await mailsAt(30 * DAY_MS + 1), await mailsAt(30 * DAY_MS), await mailsAt(8 * DAY_MS)],
      ...[await mailsAt(7 * DAY_MS), await mailsAt(2 * DAY_MS), await mailsAt(DAY_MS), await mailsAt(1)],
      ...[await mailsAt(0), await mailsAt(-DAY_MS), await mailsAt(-400 * DAY_MS)],
    ];
    expect(inTime).toEqual([
      ...[[], ["evidence_due 30"], []],
      ...[["evidence_due 7"], [], ["evidence_due 1"], []],
      ...[["evidence_lapsed"], [], []],
    ]);
    expect(await eventDays()).toEqual([30, 7, 1, 0]);
  });

  it("name product, document, issuer and last day", async () => {
    await mailsAt(30 * DAY_MS);
    const lines = [{ title: "Inspection", issuer: "Bureau", date: "June 30, 2027 UTC" }];
    const facts = { product: "Sahel Solar", chain: expect.any(String), count: 1, path: "/product/sahel-solar" };
    expect(sent[0]?.content).toEqual({ kind: "evidence_due", ...facts, days: 30, lines });
    const [event] = await db.orm.select().from(webhookEvent);
    const { type, timestamp, data } = JSON.parse(event?.body ?? "");
    expect([type, timestamp]).toEqual(["evidence", "2027-06-01T00:00:00.000Z"]);
    const { title, issuer } = paper;
    const place = { chain_id: CHAIN, short_id: "sahel-solar" };
    expect(data).toEqual({ ...place, title, issuer, hash: paper.hash, expires_at: END, days: 30 });
    expect(webhookData.evidence.parse(data)).toEqual(data);
  });

  it("of several documents of a product are one e-mail and an event for each", async () => {
    await db.orm.update(productState).set({ metadataHash: hash("03") });
    expect(await mailsAt(7 * DAY_MS)).toEqual(["evidence_due 7"]);
    expect(sent[0]?.content).toMatchObject({ count: 2, lines: [{ title: "Inspection" }, { title: "Licence" }] });
    expect(await eventDays()).toEqual([7, 7]);
  });

  it("are sent once by several servers that run at the same time", async () => {
    clock = END - 7 * DAY_MS;
    await Promise.all([run(jobOf()), run(jobOf()), run(jobOf())]);
    expect(sent).toHaveLength(to.length);
    expect(await eventDays()).toEqual([7]);
  });

  it("are only the newest one after a time without a server, and none that is older than one already sent", async () => {
    expect(await mailsAt(DAY_MS / 2)).toEqual(["evidence_due 1"]);
    expect(await mailsAt(6 * DAY_MS)).toEqual([]);
    expect(await mailsAt(-5 * DAY_MS)).toEqual(["evidence_lapsed"]);
    expect(await eventDays()).toEqual([1, 0]);
  });

  describe("about the time on chain until which the evidence is valid", () => {
    /** The second from which on the contract takes no deposits, in Unix milliseconds. */
    const UNTIL = END - 60 * DAY_MS;
    const setUntil = (until: number) => db.orm.update(vaultState).set({ evidenceUntil: until / 1_000 });
    const mailsBefore = (left: number, until = UNTIL) => mailsAt(END - until + left);
    const events = async () => {
      const stored = await db.orm.select().from(webhookEvent).orderBy(webhookEvent.time);
      return stored.map(({ body }) => {
        const { type, data } = JSON.parse(body);
        expect(webhookData.evidence_until.parse(data)).toEqual(data);
        return [type, data.until, data.days];
      });
    };

    it("are sent 30, 7 and 1 days before it, and once after it", async () => {
      await setUntil(UNTIL);
      const inTime = [
        ...[await mailsBefore(30 * DAY_MS + 1), await mailsBefore(30 * DAY_MS), await mailsBefore(8 * DAY_MS)],
        ...[await mailsBefore(7 * DAY_MS), await mailsBefore(DAY_MS), await mailsBefore(1)],
        ...[await mailsBefore(0), await mailsBefore(-DAY_MS)],
      ];
      expect(inTime).toEqual([
        ...[[], ["evidence_until_due 30"], []],
        ...[["evidence_until_due 7"], ["evidence_until_due 1"], []],
        ...[["evidence_until_lapsed"], []],
      ]);
      expect(await events()).toEqual([30, 7, 1, 0].map((days) => ["evidence_until", UNTIL, days]));
    });

    it("name product, chain and time", async () => {
      await setUntil(UNTIL);
      await mailsBefore(7 * DAY_MS);
      const facts = { product: "Sahel Solar", chain: expect.any(String), path: "/product/sahel-solar" };
      const until = "May 2, 2027 at 12:00 AM UTC";
      expect(sent[0]?.content).toEqual({ kind: "evidence_until_due", ...facts, until, days: 7 });
    });

    it("end with a renewal, and begin again before the new time", async () => {
      await setUntil(UNTIL);
      expect(await mailsBefore(7 * DAY_MS)).toEqual(["evidence_until_due 7"]);
      const next = UNTIL + 35 * DAY_MS;
      await setUntil(next);
      expect(await mailsBefore(0)).toEqual([]);
      expect(await mailsBefore(7 * DAY_MS, next)).toContain("evidence_until_due 7");
    });

    it("reach nobody for a product without devices or one that is closed, and are sent once by several servers", async () => {
      await setUntil(0);
      expect(await mailsBefore(0)).toEqual([]);
      await setUntil(UNTIL);
      await db.orm.update(productState).set({ status: 1 });
      expect(await mailsBefore(0)).toEqual([]);
      await db.orm.update(productState).set({ status: 0 });
      await Promise.all([run(jobOf()), run(jobOf())]);
      expect(sent).toHaveLength(to.length);
      expect(await events()).toHaveLength(1);
    });
  });

  it("end when the registry commits to a document with renewed evidence", async () => {
    expect(await mailsAt(7 * DAY_MS)).toEqual(["evidence_due 7"]);
    await db.orm
      .update(productState)
      .set({ metadataHash: hash("02") })
      .where(eq(productState.chainId, CHAIN));
    expect([await mailsAt(DAY_MS), await mailsAt(-DAY_MS)]).toEqual([[], []]);
    clock = Date.parse("2028-06-01");
    await run();
    expect(sent[0]?.content).toMatchObject({ days: 30, lines: [{ date: "June 30, 2028 UTC" }] });
  });

  it("wait while the tables are behind the chain or the document is not known", async () => {
    chainState = "syncing";
    expect(await mailsAt(7 * DAY_MS)).toEqual([]);
    chainState = "live";
    expect(await mailsAt(7 * DAY_MS - HOUR_MS, jobOf({ documents: new Map() }))).toEqual([]);
    expect(await mailsAt(7 * DAY_MS - HOUR_MS)).toEqual(["evidence_due 7"]);
  });

  it("are webhooks only without OPERATOR_MAIL, and e-mails only without WEBHOOK_URL", async () => {
    expect(await mailsAt(7 * DAY_MS, jobOf({ operatorMail: [] }))).toEqual([]);
    expect(await eventDays()).toEqual([7]);
    expect(await mailsAt(DAY_MS, jobOf({ emit: null }))).toEqual(["evidence_due 1"]);
    expect(await eventDays()).toEqual([7]);
  });

  it("are not marked as sent without OPERATOR_MAIL and WEBHOOK_URL", async () => {
    const nowhere = { operatorMail: [], emit: null };
    clock = END - 7 * DAY_MS;
    await jobOf(nowhere)({}, { id: 1, attempts: 1, waitedMs: 0, signal });
    await scheduleOperatorJob(db.orm, EVIDENCE_JOB, nowhere);
    expect(await db.orm.select().from(job)).toEqual([]);
    expect(await mailsAt(7 * DAY_MS)).toEqual(["evidence_due 7"]);
  });

  it("have one job for all servers, which a failure on one chain does not end", async () => {
    const settings = { operatorMail: to, emit: null };
    for (let server = 0; server < 2; server += 1) await scheduleOperatorJob(db.orm, EVIDENCE_JOB, settings);
    expect(await db.orm.select({ kind: job.kind }).from(job)).toEqual([{ kind: EVIDENCE_JOB }]);
    clock = END - 7 * DAY_MS;
    const broken = {
      chainId: 5,
      deployment: {} as never,
      status() {
        throw new Error("no status");
      },
    };
    await indexChain(db, 5);
    await run(jobOf({ chains: [broken, { chainId: CHAIN, deployment: {} as never, status }] }));
    expect([errors.length, sent.length]).toEqual([1, to.length]);
  });
});
