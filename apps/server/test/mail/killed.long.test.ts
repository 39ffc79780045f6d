import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
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

/** Returns the environment of a server that sends its mails to SMTP_PORT, and its database. */
async function environmentOf() {
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
  const db = await connectDatabase(databaseUrl);
  cleaners.push(db.close);
  // Recurring jobs never end, so they are left out.
  const recurring = ["sweep", "notices"];
  const mails = async () => (await db.orm.select().from(job)).filter(({ kind }) => !recurring.includes(kind));
  return { environment, mails };
}

async function askForCode(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v2/account/send-verification-code`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "anna@aqua.example", purpose: "register" }),
  });
  expect(response.status).toBe(200);
}

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

  const { environment, mails } = await environmentOf();
  const first = await launchServer(environment);
  const killed = once(first.child, "exit");
  // The mail server has accepted the mail, but the table does not record it yet.
  taken = () => first.child.kill("SIGKILL");
  await askForCode(first.url);
  await killed;
  expect(ids).toHaveLength(1);
  expect(await mails()).toHaveLength(1);

  taken = () => {};
  const second = await launchServer(environment);
  expect((await fetch(`${second.url}/api/v2/dev/outbox`)).status).toBe(404);
  await expect.poll(mails, { interval: 200 }).toEqual([]);
  expect(ids).toEqual([ids[0], ids[0]]);
  // Its open connection would prevent the mail server from closing.
  second.child.kill("SIGKILL");
});

it("a server stopped while the mail server says nothing ends in time, and its next start sends the mail", async () => {
  let connected = () => {};
  const asked = new Promise<void>((resolve) => (connected = resolve));
  const silent = createServer((socket) => {
    socket.on("error", () => {});
    socket.resume();
    connected();
  });
  await new Promise<void>((resolve) => silent.listen(SMTP_PORT, "127.0.0.1", resolve));
  const { environment, mails } = await environmentOf();
  const first = await launchServer(environment);
  const ended = once(first.child, "exit");
  await askForCode(first.url);
  await asked;
  first.child.kill("SIGTERM");
  // The exit code would be 1 if the stop took too long.
  expect(await ended).toEqual([0, null]);
  expect(await mails()).toMatchObject([{ leaseUntil: null, failedTime: null }]);
  await new Promise((resolve) => silent.close(resolve));

  let received = 0;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => {
        received += 1;
        done();
      });
    },
  });
  smtp.on("error", () => {});
  await new Promise<void>((resolve) => smtp.listen(SMTP_PORT, "127.0.0.1", resolve));
  cleaners.push(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const second = await launchServer(environment);
  await expect.poll(mails, { interval: 200 }).toEqual([]);
  expect(received).toBe(1);
  second.child.kill("SIGKILL");
});
