import { eq } from "drizzle-orm";
import { Registry } from "prom-client";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { accountMails } from "../../src/account/mails.ts";
import type { Database } from "../../src/db/database.ts";
import { createJobRunner } from "../../src/jobs/runner.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { createMailFeature } from "../../src/mail/feature.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("a mail server that rejects our mails", (open) => {
  let db: Database;
  let server: SMTPServer;
  let isAllowed = false;
  let port: number;
  beforeEach(async () => {
    db = await open();
    port = await freePort();
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onMailFrom: (_address, _session, done) =>
        done(isAllowed ? null : Object.assign(new Error("5.7.1 sender not allowed"), { responseCode: 553 })),
      onData(stream, _session, done) {
        stream.resume().on("end", done);
      },
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  it("MailFeature stores waiting mails, reports the server's answer in health and metrics, and sends the mails once it can", async () => {
    const said: string[] = [];
    const log = { error: (_fields: object, message: string) => void said.push(message), warn() {} };
    const feature = createMailFeature({
      db,
      keys: createKeys(new Uint8Array(32)),
      config: {
        mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: "no-reply@aqua.example" },
        publicUrl: "https://aqua.example",
        demo: false,
      },
      definitions: accountMails,
      log,
    });
    const registry = new Registry();
    feature.metrics?.(registry);
    const waiting = async () => /^aqua_mails_waiting (\d+)$/m.exec(await registry.metrics())?.[1];
    const mails = () => db.orm.select().from(job).where(eq(job.kind, "mail.send"));

    expect([feature.troubles?.(), await waiting()]).toEqual([[], "0"]);
    for (const to of ["anna@aqua.example", "bert@aqua.example"]) {
      await feature.mailer.enqueue(db.orm, { to, language: "en-US", content: { kind: "account_exists" } });
    }
    const settings = { pollMs: 20, firstPauseMs: 10, longestPauseMs: 40 };
    const runner = createJobRunner({ db, log, handlers: feature.jobs ?? {}, settings });
    runner.start();
    await expect.poll(waiting).toBe("2");
    const note = expect.stringMatching(/553 5\.7\.1 .*MAIL FROM.*MAIL_FROM/);
    await expect.poll(() => feature.troubles?.()).toEqual([{ part: "mail", reason: "refused", note }]);
    expect(await mails()).toMatchObject([{ failedTime: null }, { failedTime: null }]);
    // The problem is logged once, not for every try.
    expect(said).toEqual(["the mail server accepts no mails; they wait until it does"]);

    isAllowed = true;
    await expect.poll(mails).toEqual([]);
    expect([feature.troubles?.(), await waiting()]).toEqual([[], "0"]);
    const text = await registry.metrics();
    expect(text).toContain('aqua_mails_total{outcome="sent"} 2\n');
    expect(text).toMatch(/aqua_mails_total\{outcome="failed"\} [1-9]/);
    await runner.stop();
    await feature.stop?.();
  });
});
