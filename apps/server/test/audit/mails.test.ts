import { webhookData } from "@aqua/sdk/api/webhooks";
import { HOUR_MS } from "@aqua/sdk/durations";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import type { Difference } from "../../src/audit/difference.ts";
import { findingEvent } from "../../src/audit/feature.ts";
import { AUDIT_MAIL_JOB, createAuditMailJob, scheduleAuditMail, scheduleOpenAuditMail } from "../../src/audit/mails.ts";
import { auditFinding } from "../../src/audit/schema.ts";
import { createAuditStore } from "../../src/audit/store.ts";
import type { Database } from "../../src/db/database.ts";
import { RetryLater } from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { createEmit } from "../../src/webhooks/emit.ts";
import { webhookEvent } from "../../src/webhooks/schema.ts";
import { withDatabase } from "../support/databases.ts";

const CHAIN = 31337;

withDatabase("e-mails to operators about findings", (open) => {
  let db: Database;
  let clock = 1_800_000_000_000;
  const sent: { to: string; content: { kind: string; [name: string]: unknown } }[] = [];
  const mailer = { enqueue: async (_tx: unknown, mail: (typeof sent)[number]) => void sent.push(mail) };
  const to = ["ops@aqua.example", "night@aqua.example"];
  beforeAll(async () => {
    db = await open();
  });

  const find = (count: number, table = "report") => {
    const differences = Array.from({ length: count }, (_, index): Difference => {
      return { table, row: `block ${clock}, log ${index}`, column: "delta", expected: "1", found: "x".repeat(500) };
    });
    return createAuditStore(db, scheduleAuditMail).find(CHAIN, differences, clock);
  };
  const heal = () => db.orm.update(auditFinding).set({ healed: clock });
  const waiting = () => db.orm.select().from(job).where(eq(job.kind, AUDIT_MAIL_JOB));

  /** Runs the job as the runner does. Returns the kinds of the mails to the first address. */
  async function run(): Promise<string[]> {
    const [found] = await waiting();
    if (!found) return [];
    sent.length = 0;
    const handler = createAuditMailJob({ db, to, mailer: mailer as never, notifyJobs() {}, now: () => clock });
    await handler(found.payload, {} as never).then(
      () => db.orm.delete(job).where(eq(job.id, found.id)),
      (error: unknown) => expect(error).toBeInstanceOf(RetryLater),
    );
    expect(sent.filter((mail) => mail.to === to[1])).toHaveLength(sent.length / 2);
    return sent.filter((mail) => mail.to === to[0]).map(({ content }) => content.kind);
  }

  it("are one for all findings of an audit, one more an hour later for newer ones, and one when all are right", async () => {
    await find(7);
    await find(2, "reading");
    expect(await waiting()).toHaveLength(1);
    expect(await run()).toEqual(["audit_findings"]);
    const found = expect.stringMatching(/^x{100}…$/);
    const lines = Array.from({ length: 5 }, (_, index) => {
      return { row: `report · block ${clock}, log ${index} · delta`, expected: "1", found };
    });
    expect(sent[0]?.content).toEqual({ kind: "audit_findings", count: 9, open: 9, tables: "report, reading", lines });
    expect(await run()).toEqual([]);
    clock += HOUR_MS / 2;
    await find(3, "anchor");
    expect(await run()).toEqual([]);
    clock += HOUR_MS / 2;
    expect(await run()).toEqual(["audit_findings"]);
    expect(sent[0]?.content).toMatchObject({ count: 3, open: 12, tables: "anchor" });
    await heal();
    expect(await run()).toEqual(["audit_corrected"]);
    expect(await run()).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    clock += HOUR_MS;
    expect(await run()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it("name rows that were corrected before the first e-mail, too", async () => {
    await find(1);
    await heal();
    expect(await run()).toEqual(["audit_findings", "audit_corrected"]);
    clock += HOUR_MS;
    await run();
    expect(await waiting()).toEqual([]);
  });

  it("have an event for the operator's system beside them, for each finding once", async () => {
    const emit = createEmit(true, () => clock);
    const store = createAuditStore(db, async (tx, added) => {
      for (const finding of added) await emit(tx, findingEvent(finding));
    });
    const differences = [
      { table: "report", row: "block 7, log 1", column: "delta", expected: "1", found: "2" },
      { table: "receipt", row: "block 7, log 2", column: null, expected: "a row", found: null },
    ];
    for (let time = 0; time < 2; time += 1) await store.find(CHAIN, differences, clock);
    const stored = await db.orm.select().from(webhookEvent).orderBy(webhookEvent.createTime);
    const data = stored.map(({ body }) => JSON.parse(body).data).sort((a, b) => a.id - b.id);
    const common = { id: expect.any(Number), chain_id: CHAIN, found_at: clock };
    expect(data).toEqual([
      { ...common, table: "report", row: "block 7, log 1", column: "delta" },
      { ...common, table: "receipt", row: "block 7, log 2", column: null },
    ]);
    expect(webhookData.finding.array().parse(data)).toEqual(data);
    await heal();
  });

  it("follow an open finding whose job is missing", async () => {
    await scheduleOpenAuditMail(db.orm, clock);
    expect(await waiting()).toEqual([]);
    await createAuditStore(db).find(CHAIN, [{ table: "t", row: "r", column: null, expected: null, found: "1" }], clock);
    expect(await waiting()).toEqual([]);
    await scheduleOpenAuditMail(db.orm, clock);
    expect(await run()).toEqual(["audit_findings"]);
    expect(sent[0]?.content).toMatchObject({ count: 1 });
  });
});
