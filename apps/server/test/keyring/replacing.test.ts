import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, like } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { sealedTotpSecrets } from "../../src/account/factors.ts";
import { accountMails } from "../../src/account/mails.ts";
import { account } from "../../src/account/schema.ts";
import { totpCode, totpPeriod } from "../../src/account/totp.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { isAnySealed } from "../../src/db/sealed.ts";
import { sealedDocuments, sealedPersons } from "../../src/identity/store.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { sealedPayloads } from "../../src/jobs/sealed.ts";
import { createKeys, keyIdOf } from "../../src/keys.ts";
import { limitUse } from "../../src/limits/schema.ts";
import { createMailer } from "../../src/mail/mail.ts";
import { outboxMails } from "../../src/mail/store.ts";
import { unsubscribeToken } from "../../src/notices/unsubscribe.ts";
import { bytesOf } from "../account/authenticator.ts";
import { createServerDatabase } from "../support/databases.ts";
import { makeDataFolder, removeDataFolder } from "../support/dataFolder.ts";
import { png, submissionForm } from "../support/identity.ts";

const FORMER = "5e".repeat(32);
const NEW = "a7".repeat(32);
const PASSWORD = "moon over the tide";
const OPERATOR = "operator-token-of-the-tests-0123456789";
const secretOf = (key: string) => Buffer.from(key, "hex");

let folder: string;
let databaseUrl: string;
let db: Database;
let instance: Instance | null;
let lines: { msg: string; [field: string]: unknown }[];

beforeEach(async () => {
  folder = await makeDataFolder();
  await mkdir(join(folder, "none"));
  databaseUrl = await createServerDatabase(inject("template"));
  db = await connectDatabase(databaseUrl);
  instance = null;
});
afterEach(async () => {
  await instance?.stop();
  await db.close();
  await removeDataFolder(folder);
});

/** Stops the running server and starts one with these keys. */
async function restart(secretKey: string): Promise<void> {
  await instance?.stop();
  instance = null;
  lines = [];
  const environment = {
    PORT: "0",
    MQTT_PORT: "off",
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    OPERATOR_TOKEN: OPERATOR,
    DATA_DIR: folder,
    PRODUCTS_DIR: join(folder, "none"),
    DEPLOYMENTS_DIR: join(folder, "none"),
  };
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  instance = await startInstance(readConfig(environment), log);
}

async function call(
  path: string,
  { body, token, cookie }: { body?: object; token?: string | undefined; cookie?: string | undefined } = {},
) {
  const response = await fetch(`${instance?.url}/api/v2/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    data: response.status === 200 ? JSON.parse(text).data : text,
    cookie: response.headers.get("set-cookie")?.split(";")[0],
  };
}

/** Waits for a mail to this address and returns the code in the newest one. */
async function codeFor(email: string, purpose: "register" | "reset_password"): Promise<string> {
  const before = (await outboxMails(db.orm, email, 10)).length;
  await call("account/send-verification-code", { body: { email, purpose } });
  await expect.poll(() => outboxMails(db.orm, email, 10)).toHaveLength(before + 1);
  const [mail] = await outboxMails(db.orm, email, 1);
  return /^ {4}(\d{6})$/m.exec(mail?.text ?? "")?.[1] ?? "";
}
const verify = (email: string, purpose: string, code: string) =>
  call("account/verify-email", { body: { email, purpose, code } });

async function register(email: string) {
  const { ticket } = (await verify(email, "register", await codeFor(email, "register"))).data;
  const answer = await call("account/register", { body: { email, password: PASSWORD, ticket, country: "FR" } });
  const [row] = await db.orm.select().from(account).where(eq(account.email, email));
  if (row === undefined) throw new Error(`${email} was not registered`);
  return { row, email, token: answer.data.token as string, cookie: answer.cookie };
}

/** True if password tries with this cookie count as those of a known device. */
async function isKnown(email: string, cookie: string | undefined): Promise<boolean> {
  await db.orm.delete(limitUse);
  await call("account/login", { body: { email, password: "none of hers" }, cookie });
  const counted = (prefix: string) =>
    db.orm
      .select()
      .from(limitUse)
      .where(like(limitUse.key, `${prefix}:%`));
  const [known, strange] = [await counted("password.device"), await counted("password.strangers")];
  await db.orm.delete(limitUse);
  expect(known.length + strange.length).toBeGreaterThan(0);
  return strange.length === 0;
}

async function waitForSealing(key: string): Promise<void> {
  const keyId = keyIdOf(secretOf(key));
  const left = async () => {
    const columns = [sealedPersons, sealedDocuments, sealedTotpSecrets, sealedPayloads];
    return (await Promise.all(columns.map((column) => isAnySealed(db.orm, column, { keyId })))).includes(true);
  };
  await expect.poll(left).toBe(false);
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain("nothing is sealed with a former key");
}

it("replacing a key loses no data, and neither does removing the old key afterwards", async () => {
  await restart(FORMER);
  const anna = await register("anna@aqua.example");
  const bob = await register("bob@aqua.example");
  const setUp = (await call("account/totp/new", { body: {}, token: anna.token })).data;
  const secret = bytesOf(setUp.secret);
  const totp = (shift: number) => totpCode(secret, totpPeriod(Date.now()) + shift);
  const added = await call("account/totp/add", { body: { code: totp(-1) }, token: anna.token });
  const [firstCode, secondCode] = added.data.codes as string[];
  const { payload, type } = await submissionForm();
  const submitted = await fetch(`${instance?.url}/api/v2/account/identity`, {
    method: "POST",
    headers: { "content-type": type, authorization: `Bearer ${anna.token}` },
    body: new Uint8Array(payload),
  });
  expect(submitted.status).toBe(200);
  const [waiting] = (await call("operator/identity?status=pending", { token: OPERATOR })).data.items;
  const former = createKeys(secretOf(FORMER));
  const link = unsubscribeToken(former, { accountId: anna.row.id, kind: "maturities" });
  const code = await codeFor("anna@aqua.example", "reset_password");
  expect((await call("account/delete", { body: { password: PASSWORD }, token: bob.token })).status).toBe(200);
  await expect.poll(() => readFile(join(folder, "deleted-accounts"), "utf8").catch(() => "")).not.toBe("");
  await instance?.stop();
  instance = null;

  const transport = { send: () => Promise.reject(new Error("the instance sends")), close() {} };
  const mailer = createMailer({
    keys: former,
    transport,
    publicUrl: "https://aqua.example",
    definitions: accountMails,
  });
  const content = { kind: "account_exists" } as const;
  await mailer.enqueue(db.orm, { to: "waits@aqua.example", language: "en-US", content });
  /** Simulates a restore from a backup made before the deletion. */
  const restoreBob = () => db.orm.insert(account).values(bob.row);
  const bobs = () => db.orm.select().from(account).where(eq(account.id, bob.row.id));

  async function expectAllThere(shift: number, recovery: string | undefined, cookie: string | undefined) {
    expect(await bobs()).toEqual([]);
    const shown = await call(`operator/identity/${waiting.id}`, { token: OPERATOR });
    expect(shown.data).toMatchObject({ name: "Ada Lovelace", birth_date: "1990-12-10" });
    const document = await fetch(`${instance?.url}/api/v2/operator/identity/${waiting.id}/document`, {
      headers: { authorization: `Bearer ${OPERATOR}` },
    });
    expect(Buffer.from(await document.arrayBuffer())).toEqual(png);
    expect((await call(`account/unsubscribe?token=${link}`)).data).toMatchObject({ on: true });
    expect(await isKnown(anna.email, cookie)).toBe(true);
    const login = (factor: object) =>
      call("account/login", { body: { email: anna.email, password: PASSWORD, factor }, cookie });
    expect((await login({ recovery })).status).toBe(200);
    const { status, cookie: renewed } = await login({ totp: totp(shift) });
    expect(status).toBe(200);
    return renewed;
  }

  await restoreBob();
  await restart(`${NEW},${FORMER}`);
  const said = lines.map(({ msg }) => msg);
  expect(said).toContain("the key of this database was replaced");
  expect(said).toContain("accounts of a restored backup were deleted again");
  await expect.poll(() => outboxMails(db.orm, "waits@aqua.example", 10)).toHaveLength(1);
  expect((await verify(anna.email, "reset_password", code)).status).toBe(200);
  const renewed = await expectAllThere(0, firstCode, anna.cookie);
  await waitForSealing(NEW);

  await restoreBob();
  await restart(NEW);
  await expectAllThere(1, secondCode, renewed);
  // Signatures of the former key identify no device any more, because that key may have leaked.
  expect(await isKnown(anna.email, anna.cookie)).toBe(false);
});

it("a server without the key in use is rejected in one line that names both keys, and changes nothing", async () => {
  await restart(FORMER);
  await restart(`${NEW},${FORMER}`);
  const id = (key: string) => keyIdOf(secretOf(key)).toString("hex");
  const stranger = randomUUID().replaceAll("-", "").repeat(2);
  for (const wrong of [FORMER, stranger, `${stranger},${FORMER}`]) {
    const named = wrong.split(",").map(id).join(", ");
    await expect(restart(wrong)).rejects.toMatchObject({
      name: "StartRefused",
      message: `SECRET_KEY (or secret.key in DATA_DIR) must hold the key this database is sealed with, ${id(NEW)}, not only ${named}`,
    });
  }
  await restart(NEW);
});
