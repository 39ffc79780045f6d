import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { connectDatabase } from "../../src/db/database.ts";
import { job } from "../../src/jobs/schema.ts";
import { createServerDatabase } from "../support/databases.ts";
import { launchServer } from "../support/process.ts";

const SMTP_PORT = await freePort();
const cleaners: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleaners.splice(0).reverse()) await clean();
});

it("a server killed while it hands a mail over sends it once more after its start, as the same mail, and then no more", async () => {
  const ids: string[] = [];
  let taken = () => {};
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      let data = "";
      stream.on("data", (chunk: Buffer) => {
        data += chunk.toString();
      });
      stream.on("end", () => {
        ids.push(/^Message-ID: (\S+)/im.exec(data)?.[1] ?? "none");
        taken();
        done();
      });
    },
  });
  smtp.on("error", () => {});
  await new Promise<void>((resolve) => smtp.listen(SMTP_PORT, "127.0.0.1", resolve));
  cleaners.push(() => new Promise<void>((resolve) => smtp.close(resolve)));

  const folder = await mkdtemp(join(tmpdir(), "aqua-killed-"));
  cleaners.push(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await createServerDatabase();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
    PRODUCTS_DIR: folder,
    DEPLOYMENTS_DIR: folder,
  };
  const first = await launchServer(environment);
  const killed = once(first.child, "exit");
  // The mail server has it, the table does not know yet.
  taken = () => first.child.kill("SIGKILL");
  const response = await fetch(`${first.url}/api/v2/account/send-verification-code`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "anna@aqua.example", purpose: "register" }),
  });
  expect(response.status).toBe(200);
  await killed;
  expect(ids).toHaveLength(1);
  const db = await connectDatabase(databaseUrl);
  cleaners.push(db.close);
  // Those are never done.
  const recurring = ["sweep", "notices"];
  const mails = async () => (await db.orm.select().from(job)).filter(({ kind }) => !recurring.includes(kind));
  expect(await mails()).toHaveLength(1);

  taken = () => {};
  const second = await launchServer(environment);
  expect((await fetch(`${second.url}/api/v2/dev/outbox`)).status).toBe(404);
  await expect.poll(mails, { timeout: 60_000, interval: 200 }).toEqual([]);
  expect(ids).toEqual([ids[0], ids[0]]);
  // Its open connection would keep the mail server from closing.
  second.child.kill("SIGKILL");
}, 180_000);
