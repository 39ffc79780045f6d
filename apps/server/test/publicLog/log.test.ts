import { randomBytes } from "node:crypto";
import { actHeaders } from "@aqua/sdk/api/operator";
import { openCheckpoint } from "@aqua/sdk/proofs/log/checkpoint";
import { actCommitment, operatorAct, readEntry } from "@aqua/sdk/proofs/log/entry";
import { leafHash, readBundle, rootOfLeaves, tilePath } from "@aqua/sdk/proofs/log/tree";
import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { createKeys } from "../../src/keys.ts";
import { publicLogRoutes, restoreRoutes } from "../../src/publicLog/routes.ts";
import { publicLogEntry } from "../../src/publicLog/schema.ts";
import { growTree, storedRoot } from "../../src/publicLog/tree.ts";
import { createDevices } from "../../src/telemetry/devices.ts";
import { deviceOperatorRoutes } from "../../src/telemetry/operatorRoutes.ts";
import { openAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { LOG_ORIGIN, operatorAccess, publicLogOf } from "../support/publicLog.ts";
import { CHAIN, listProduct } from "../telemetry/rows.ts";

const TOKEN = "t".repeat(40);
const operator = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const device = {
  ...{ name: "pump-1", short_id: "tide", metric: "energy", exponent: -3, place: "Brest", latitude: 48.4 },
  ...{ longitude: -4.5, model: "P1", trust: "declared", min: "0", max: "1000", interval: 60_000 },
  ...{ max_step: null, co_signer: null },
};

withDatabase("the public log", (open) => {
  let db: Database;
  let app: FastifyInstance;
  let log: Awaited<ReturnType<typeof publicLogOf>>;
  const keys = createKeys(new Uint8Array(32).fill(3));

  beforeAll(async () => {
    db = await open();
    await listProduct(db, "tide", { number: 1 });
    await openAccount(db);
    // As it was before there was a log.
    await db.orm.delete(publicLogEntry);
    log = await publicLogOf(db, keys, [operator.address.toLowerCase() as `0x${string}`]);
    const access = operatorAccess(db, keys, {
      token: TOKEN,
      operators: [operator.address.toLowerCase() as `0x${string}`],
    });
    const devices = createDevices({ db, chainIds: [CHAIN], writer: log.writer });
    const none = undefined as never;
    ({ app } = await testApp({
      features: [
        publicLogRoutes(db, log.key),
        restoreRoutes({ db, writer: log.writer, access }),
        deviceOperatorRoutes({ devices, importBatches: none, losses: none, access }),
      ],
    }));
  });
  afterAll(() => app?.close());

  interface Signing {
    signer?: typeof operator;
    time?: number;
    site?: string;
    signed?: string;
    nonce?: `0x${string}`;
    call?: string;
    /** The reason that is sent, and the one that is signed. */
    reason?: string;
    signedReason?: string;
  }

  async function post(path: string, body: object, signing: Signing | null = {}) {
    const sent = JSON.stringify(body);
    const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    if (signing !== null) {
      const { signer = operator, time = Date.now(), site = LOG_ORIGIN, signed = sent } = signing;
      const nonce = signing.nonce ?? toHex(randomBytes(32));
      const call = signing.call ?? `POST operator/${path}`;
      const { reason, signedReason = reason } = signing;
      if (reason !== undefined) headers[actHeaders.reason] = encodeURIComponent(reason);
      const message = operatorAct({ site, call, commitment: actCommitment(nonce, signed), time, reason: signedReason });
      headers[actHeaders.time] = String(time);
      headers[actHeaders.nonce] = nonce;
      headers[actHeaders.signature] = await signer.signTypedData(message);
    }
    return app.inject({ method: "POST", url: `/api/v2/operator/${path}`, headers, payload: sent });
  }

  /** Reads the whole log as anybody can, and checks each hash up to the signed checkpoint. */
  async function read() {
    while ((await growTree(db, keys, log.key)) > 0);
    const get = async (path: string) => (await app.inject(`/api/v2/log/${path}`)).rawPayload;
    const verifier = (await get("key")).toString().trim();
    const checkpoint = openCheckpoint((await get("checkpoint")).toString(), verifier);
    const entries: Uint8Array[] = [];
    for (let n = 0; entries.length < checkpoint.size; n += 1) {
      const width = Math.min(256, checkpoint.size - entries.length);
      entries.push(...readBundle(new Uint8Array(await get(tilePath("entries", n, width)))));
      const tile = await get(tilePath(0, n, width));
      const leaves = entries.slice(n * 256).map(leafHash);
      expect(Buffer.concat(leaves).equals(tile)).toBe(true);
    }
    return { checkpoint, entries };
  }

  it("states what was stored before it began, and names its operators", async () => {
    const { checkpoint, entries } = await read();
    const kinds = entries.map((entry) => readEntry(entry).kind);
    expect(kinds).toEqual(["account", "operators"]);
    expect(checkpoint.root).toEqual(rootOfLeaves(entries.map(leafHash)));
    expect(checkpoint.origin).toBe(LOG_ORIGIN);
  });

  it("states an account by keyed hashes only", async () => {
    const { entries } = await read();
    const text = Buffer.from(entries[0] as Uint8Array).toString();
    const { rows } = await db.orm.execute<{ id: string; email: string; subject: string }>(sql`select * from account`);
    for (const secret of [rows[0]?.id, rows[0]?.email, rows[0]?.subject]) expect(text).not.toContain(secret);
    expect(Object.values(readEntry(entries[0] as Uint8Array).content ?? {})).toEqual(
      expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{64}$/)]),
    );
  });

  it("states a device with the signed call that enrolled it", async () => {
    const answer = await post("devices", device);
    expect(answer.statusCode).toBe(200);
    const { entries } = await read();
    const entry = readEntry(entries.at(-1) as Uint8Array);
    expect(entry).toMatchObject({ kind: "device", subject: "pump-1", version: 1, content: { place: "Brest" } });
    expect(entry.act).toMatchObject({ call: "POST operator/devices", operator: operator.address.toLowerCase() });
    expect(JSON.parse(entry.act?.body ?? "")).toEqual(device);
    expect(actCommitment(entry.act?.nonce ?? "", entry.act?.body ?? "")).toBe(entry.act?.commitment);
    expect((await post("devices/pump-1/retire", {})).statusCode).toBe(200);
    const after = await read();
    const retired = readEntry(after.entries.at(-1) as Uint8Array);
    expect(retired).toMatchObject({ version: 2, content: { retired_time: expect.any(Number) } });
  });

  const other = { ...device, name: "pump-2" };
  it.each<[string, Signing | null]>([
    ["without a signature", null],
    ["with the signature of somebody else", { signer: stranger }],
    ["with a signature that is ten minutes old", { time: Date.now() - 600_000 }],
    ["with a signature for another site", { site: "other.example/log" }],
    ["with a signature for another body", { signed: "{}" }],
    ["with a reason that is not signed", { reason: "Flood", signedReason: "Fire" }],
    ["with a signature for another call", { call: "POST operator/devices/pump-1/secret" }],
  ])("refuses a change %s", async (_name, signing) => {
    const before = (await read()).checkpoint.size;
    const answer = await post("devices", other, signing);
    expect(answer.json()).toMatchObject({ error_code: "signature_invalid" });
    expect((await read()).checkpoint.size).toBe(before);
  });

  it("states why an operator made a call, in any script", async () => {
    const reason = "Pump 1 wurde geflutet – 浸水";
    expect((await post("devices/pump-1/retire", {}, { reason })).statusCode).toBe(200);
    const { entries } = await read();
    expect(readEntry(entries.at(-1) as Uint8Array)).toMatchObject({ subject: "pump-1", reason });
  });

  it("accepts a signature once", async () => {
    const signing = { nonce: toHex(randomBytes(32)), time: Date.now() };
    expect((await post("devices/pump-1/retire", {}, signing)).statusCode).toBe(200);
    expect((await post("devices/pump-1/retire", {}, signing)).json()).toMatchObject({
      error_code: "signature_invalid",
      message: "This signature was used before",
    });
  });

  it("lets the token alone read", async () => {
    const answer = await app.inject({ url: "/api/v2/operator/devices", headers: { authorization: `Bearer ${TOKEN}` } });
    expect(answer.statusCode).toBe(200);
  });

  it("grows over full tiles to the root of all its entries", async () => {
    await db.transaction(async (tx) => {
      for (let turn = 0; turn < 300; turn += 1) await log.writer.act(tx, `POST operator/jobs/retry`, null);
    });
    const { checkpoint, entries } = await read();
    expect(entries.length).toBeGreaterThan(300);
    expect(checkpoint.root).toEqual(rootOfLeaves(entries.map(leafHash)));
    const missing = await app.inject(`/api/v2/log/${tilePath(0, 1, 255)}`);
    expect(missing.statusCode).toBe(404);
    expect((await app.inject("/api/v2/log/tile/0/1")).statusCode).toBe(404);
  });

  it("keeps an entry out of the tree that somebody else wrote", async () => {
    const { checkpoint } = await read();
    await db.orm.execute(sql`insert into public_log_entry (kind, subject, version, content, mac)
      select kind, subject, version + 1, content, mac from public_log_entry where kind = 'device' order by version desc limit 1`);
    const forged = await read();
    expect(forged.checkpoint.size).toBe(checkpoint.size);
    await db.orm.execute(sql`delete from public_log_entry where refused`);
  });

  it("has no root while hashes are missing, and reports a database that does not answer as such", async () => {
    expect(await storedRoot(3, async () => [])).toBeNull();
    const away = () => Promise.reject(new Error("the database is away"));
    await expect(storedRoot(3, away)).rejects.toThrow("the database is away");
  });

  it("is not continued from a tree that somebody changed", async () => {
    await db.orm.execute(sql`update public_log_node set hash = '\\x00' where level = 0 and index = 258`);
    await db.transaction((tx) => log.writer.act(tx, "POST operator/jobs/retry", null));
    await expect(growTree(db, keys, log.key)).rejects.toThrow("not the one of the last checkpoint");
  });
});
