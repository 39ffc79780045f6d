import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { accountMails } from "../../src/account/mails.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { createMailer } from "../../src/mail/mail.ts";
import { createServerDatabase } from "../support/databases.ts";
import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";

const SECRET_KEY = "5e".repeat(32);
let folder: string;
let databaseUrl: string;
let db: Database;
let instance: Instance | null;
/** Accepts connections and never answers. */
let silent: Server;
let sockets: Set<Socket>;

beforeEach(async () => {
  folder = await makeDataFolder();
  databaseUrl = await createServerDatabase(inject("template"));
  db = await connectDatabase(databaseUrl);
  instance = null;
  sockets = new Set();
  silent = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  // The mails under way fail at once, so that the server need not wait for them.
  silent.close();
  for (const socket of sockets) socket.destroy();
  await instance?.stop();
  await db.close();
  await removeDataFolder(folder);
});

it("mails that wait for a silent mail server do not delay other jobs", async () => {
  const transport = { send: () => Promise.reject(new Error("the instance sends")), close() {} };
  const keys = createKeys(Buffer.from(SECRET_KEY, "hex"));
  const mailer = createMailer({ keys, transport, publicUrl: "https://aqua.example", definitions: accountMails });
  for (let n = 0; n < 40; n += 1)
    await mailer.enqueue(db.orm, {
      to: `reader${n}@aqua.example`,
      language: "en-US",
      content: { kind: "account_exists" },
    });
  const { port } = silent.address() as AddressInfo;
  const environment = {
    PORT: "0",
    MQTT_PORT: "off",
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    DATA_DIR: folder,
    PRODUCTS_DIR: folder,
    DEPLOYMENTS_DIR: folder,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  };
  instance = await startInstance(readConfig(environment), pino({ level: "silent" }));
  await expect.poll(() => sockets.size).toBeGreaterThan(0);
  const sweep = async () => (await db.orm.select().from(job)).find(({ kind }) => kind === "sweep");
  await expect.poll(sweep).toMatchObject({ lastError: "not yet", leaseUntil: null });
});
