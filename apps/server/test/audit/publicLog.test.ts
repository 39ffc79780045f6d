import { randomUUID } from "node:crypto";
import { signCheckpoint } from "@aqua/sdk/proofs/log/checkpoint";
import { readEntry } from "@aqua/sdk/proofs/log/entry";
import { rootAt } from "@aqua/sdk/proofs/log/tree";
import { sql } from "drizzle-orm";
import { keccak256 } from "viem";
import { beforeAll, expect, it } from "vitest";
import { accountPasskey, accountTotp, recoveryCode } from "../../src/account/schema.ts";
import type { Difference } from "../../src/audit/difference.ts";
import { auditPublicLog } from "../../src/audit/publicLog.ts";
import type { Database } from "../../src/db/database.ts";
import { identityDocument } from "../../src/identity/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { setNotifications } from "../../src/notices/preferences.ts";
import { createOperators } from "../../src/operators/service.ts";
import { storeDocument } from "../../src/product/documentStore.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { carriedCheckpoint, growTree, nodesOf } from "../../src/publicLog/tree.ts";
import { walletSwitch } from "../../src/records/schema.ts";
import { createDevices } from "../../src/telemetry/devices.ts";
import { createLosses } from "../../src/telemetry/losses.ts";
import { linkWallet, openAccount, verifyAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { publicLogOf } from "../support/publicLog.ts";
import { CHAIN, listProduct } from "../telemetry/rows.ts";

const wallets = ["a1", "b2"].map((byte) => `0x${byte.repeat(20)}` as const);
const device = {
  ...{ short_id: "tide", metric: "energy" as const, exponent: -3, place: "Brest", latitude: 48.4, longitude: -4.5 },
  ...{
    model: "P1",
    trust: "declared" as const,
    min: "0",
    max: "1000",
    interval: 60_000,
    max_step: null,
    co_signer: null,
  },
};

/** What somebody with all rights changes, and the table at which it is found. */
const changes: [set: string, table: string][] = [
  ...[
    "place = 'Paris'",
    "latitude = 0",
    "longitude = 0",
    "model = 'P2'",
    "trust = 'attested'",
    "secret_hash = '\\x00'",
    "create_time = 1",
    "retired_time = null",
    "min = min - 1",
    "max = max + 1",
    "max_step = 5",
    "interval = 5",
  ].map((set): [string, string] => [`update device set ${set} where name = 'pump-1'`, "device"]),
  ["update device_interval set interval = interval + 1", "device_interval"],
  ["update device_interval set since = since - 1", "device_interval"],
  ["delete from device_interval", "device_interval"],
  ["update declared_loss set reason = 'none'", "declared_loss"],
  ["update declared_loss set time = time + 1", "declared_loss"],
  ["delete from declared_loss", "declared_loss"],
  ["delete from product_document", "product_document"],
  ["insert into product_document values ('0x12', '\\x12', 1)", "product_document"],
  ...["email = 'x@y.z'", "password_hash = 'x'", "country = 'DE'", "language = 'fr-FR'", "subject = '0x12'"].map(
    (set): [string, string] => [`update account set ${set} where email = (select min(email) from account)`, "account"],
  ),
  ["delete from account where email = (select min(email) from account)", "account"],
  [`insert into account values ('${randomUUID()}', 'm@y.z', 'x', 'FR', 'en-US', '0x99', 1)`, "account"],
  ["update account_passkey set public_key = '\\x01'", "account_passkey"],
  ["delete from account_passkey", "account_passkey"],
  ["update account_totp set name = 'mine'", "account_totp"],
  ["delete from account_totp", "account_totp"],
  ["update recovery_code set code_hash = 'mine'", "recovery_code"],
  ["update identity_case set status = 'pending'", "identity_case"],
  ["update identity_case set valid_until = valid_until + 1", "identity_case"],
  ["update identity_case set country = 'DE'", "identity_case"],
  ["delete from identity_case", "identity_case"],
  ["update identity_document set type = 'image/png'", "identity_document"],
  ["update account_wallet set current = not current", "account_wallet"],
  ["update account_wallet set signature = '0x12' where current", "account_wallet"],
  [
    "update account_wallet set account_id = (select max(id) from account a where a.id <> account_wallet.account_id)",
    "account_wallet",
  ],
  ["update wallet_switch set effective_time = 1", "wallet_switch"],
  ["delete from wallet_switch", "wallet_switch"],
  ["update notice_preference set enabled = not enabled", "notice_preference"],
  ["update operator set scopes = 'identity'", "operator"],
  ["update operator set expire_time = null", "operator"],
  ["insert into operator values ('eve', 'x', 'identity', null, 1, null, null)", "operator"],
  ["delete from operator", "operator"],
  ["update public_log set size = size - 1", "public_log"],
  ["update public_log set checkpoint = replace(checkpoint, 'log', 'lag')", "public_log"],
  ["update public_log_entry set content = '\\x00' where index = 1", "public_log_entry"],
  [
    "update public_log_entry set subject = 'pump-9' where index = (select index from public_log_entry where kind = 'device' limit 1)",
    "public_log_entry",
  ],
  ["delete from public_log_entry where index = 0", "public_log_entry"],
  ["delete from public_log_entry where index = (select max(index) from public_log_entry)", "public_log_entry"],
  ["update public_log_entry set refused = true where index = 0", "public_log_entry"],
  ["update public_log_node set hash = '\\x00' where index = 0", "public_log_node"],
  ["delete from public_log_node where index = 0", "public_log_node"],
];

withDatabase("the audit of the public log", (open) => {
  let db: Database;
  let log: Awaited<ReturnType<typeof publicLogOf>>;
  const keys = createKeys(new Uint8Array(32).fill(3));

  beforeAll(async () => {
    db = await open();
    await listProduct(db, "tide", { number: 1 });
    const [first] = [await openAccount(db), await openAccount(db)];
    await verifyAccount(db, first.id);
    await linkWallet(db, first, wallets[0] as `0x${string}`, async () => "0x1234");
    await db.orm.execute(sql`update identity_case set person = '\\x00'`);
    const [row] = (await db.orm.execute<{ id: string }>(sql`select id from identity_case`)).rows;
    const document = { caseId: row?.id as string, type: "image/jpeg", size: 1, content: new Uint8Array(1) };
    await db.orm.insert(identityDocument).values(document);
    const own = { accountId: first.id, name: "key", createTime: 1 };
    await db.orm
      .insert(accountPasskey)
      .values({ ...own, id: "k", publicKey: new Uint8Array(2), counter: 0, transports: [] });
    await db.orm.insert(accountTotp).values({ ...own, secret: new Uint8Array(1), activeTime: 2 });
    await db.orm.insert(recoveryCode).values({ accountId: first.id, codeHash: "c" });
    const ofSwitch = {
      id: "s",
      accountId: first.id,
      from: wallets[1] as `0x${string}`,
      to: wallets[0] as `0x${string}`,
    };
    const times = { createTime: 1, effectiveTime: 2, stopTime: null };
    await db.orm.insert(walletSwitch).values({ ...ofSwitch, ...times, linked: true, tokenHash: "t" });
    // These rows are older than the log.
    await db.orm.delete(publicLogEntry);
    log = await publicLogOf(db, keys);
    const { writer } = log;
    await db.transaction((tx) => setNotifications(tx, first.id, { kinds: { income: true }, now: 1, writer }));
    const ada = { name: "ada", scopes: ["read" as const], address: null, valid_days: 1 };
    await createOperators({ db, keys, writer }).add(ada, null);
    const devices = createDevices({ db, chainIds: [CHAIN], writer });
    await devices.enrol({ ...device, name: "pump-1" });
    await devices.enrol({ ...device, name: "pump-2" });
    await devices.changeInterval("pump-1", { interval: 30_000 });
    await devices.retire("pump-1");
    await createLosses({ db, chainIds: [CHAIN], writer }).declareReadings("pump-2", "a fire");
    const content = Buffer.from("{}");
    await db.transaction(async (tx) => {
      await storeDocument(tx, { hash: keccak256(content), content }, 1);
      await writer.row(tx, "product_document", { subject: keccak256(content) });
    });
    while ((await growTree(db, keys, log.key)) > 0);
  });

  async function audit(seen = log.seen): Promise<Difference[]> {
    const found: Difference[] = [];
    for await (const { differences } of auditPublicLog({ db, keys, key: log.key, seen: { ...seen } }))
      found.push(...differences);
    return found;
  }

  /** Makes a change in the tables for the time of `work`. */
  async function changed<T>(statement: string, work: () => Promise<T>): Promise<T> {
    const tables = (
      await db.orm.execute<{ name: string }>(sql`select tablename as name from pg_tables
        where schemaname = 'public' and tablename ~ '^(account|identity|recovery|wallet_sw|notice_p|device|declared|product_doc|public_log|operator)'`)
    ).rows.map(({ name }) => name);
    for (const name of tables)
      await db.orm.execute(sql.raw(`create table if not exists kept.${name} as table public.${name}`));
    const changes = await db.orm.execute(sql.raw(`${statement} returning 1`));
    expect(changes.rows.length).toBeGreaterThan(0);
    try {
      return await work();
    } finally {
      await db.transaction(async (tx) => {
        await tx.execute(sql.raw("set local session_replication_role = replica"));
        for (const name of tables) {
          await tx.execute(sql.raw(`delete from public.${name}`));
          await tx.execute(sql.raw(`insert into public.${name} select * from kept.${name}`));
        }
      });
    }
  }

  it("finds nothing while nobody changes anything", async () => {
    await db.orm.execute(sql.raw("create schema kept"));
    expect(await audit()).toEqual([]);
  });

  it.each(changes)("finds %s", async (statement, table) => {
    const found = await changed(statement, () => audit());
    expect(found.map((one) => one.table)).toContain(table);
    expect(await audit()).toEqual([]);
  });

  it("finds an older copy of the whole log by the checkpoint that it saw last, and accepts it once it is declared", async () => {
    const seen = { ...log.seen };
    for await (const _ of auditPublicLog({ db, keys, key: log.key, seen }, { onlyNew: true }));
    expect(seen.size).toBeGreaterThan(0);
    const carried = await carriedCheckpoint(db.orm);
    const size = seen.size - 1;
    const older = { origin: log.key.origin, size };
    const rows = await db.orm.execute<{ content: Uint8Array }>(
      sql`select content from public_log_entry where index = ${size}`,
    );
    expect(readEntry(new Uint8Array(rows.rows[0]?.content as Uint8Array)).kind).toBe("product_document");
    await changed(`delete from public_log_entry where index = ${size}`, async () => {
      await db.orm.execute(sql`delete from public_log_node where level = 0 and index = ${size}`);
      await db.orm.execute(sql`delete from product_document`);
      const checkpoint = signCheckpoint({ ...older, root: await rootAt(size, nodesOf(db.orm)) }, log.key.seed);
      await db.orm.execute(sql`update public_log set size = ${size}, checkpoint = ${checkpoint}`);
      expect(await audit(seen)).toMatchObject([{ table: "public_log", row: `checkpoint ${seen.size}`, found: null }]);
      const content = { reason: "a disk failed", size: carried?.size as number, root: carried?.root as string };
      await db.transaction((tx) => log.writer.note(tx, { kind: "restore", content }));
      await growTree(db, keys, log.key);
      expect(await audit(seen)).toEqual([]);
    });
  });
});
