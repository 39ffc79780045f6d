import { createClient } from "@aqua/sdk/api/client";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { verifyProof } from "@aqua/sdk/proofs/verify";
import pino from "pino";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleKey } from "../../../../devnet/src/accounts.ts";
import { readConfig } from "../../src/config.ts";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { insertDevice } from "../../src/telemetry/deviceStore.ts";
import { createServerDatabase } from "../support/databases.ts";
import type { TestDevice } from "../telemetry/devices.ts";
import { type LocalChain, openLocalChain, registerMeter } from "./local.ts";

const shortId = "sahel-solar";
let local: LocalChain;
let db: Database;
let instances: Instance[];
let meter: TestDevice;
const failures: string[] = [];
/**
 * A sent reading is stored once this server knows the chain's newest block. A stored one waits five seconds for a
 * batch, at most twice.
 */
const within = { stored: 10_000, anchored: 30_000 };

/** Two servers on one PostgreSQL, both with the anchorer's key, and a device with a key on chain. */
beforeAll(async () => {
  local = await openLocalChain();
  // A batch ends at the newest block. If only transactions made blocks, a batch could wait for the next block forever.
  await local.chain.follow(1);
  const databaseUrl = await createServerDatabase();
  const settings = { ANCHORER_PRIVATE_KEY: roleKey("anchorer"), ANCHOR_EVERY: "5", DATABASE_URL: databaseUrl };
  const config = readConfig({ ...local.environment, ...settings, SECRET_KEY: "5e".repeat(32), MQTT_PORT: "0" });
  const log = pino({ level: "error" }, { write: (line: string) => failures.push(line) });
  instances = [await startInstance(config, log), await startInstance(config, log)];
  db = await connectDatabase(databaseUrl);

  meter = await registerMeter(local);
  const figures = { metric: "energy", exponent: -1, min: 0n, max: 10n ** 9n, maxStep: null, interval: 1_000 } as const;
  const where = { place: "Field", latitude: 1, longitude: 2, model: "M", trust: "secure_element" } as const;
  await insertDevice(db.orm, {
    name: meter.name,
    chainId: 31337,
    shortId,
    ...figures,
    ...where,
    secretHash: new Uint8Array(32),
    createTime: 1,
  });
});
afterAll(async () => {
  for (const instance of instances ?? []) await instance.stop();
  await db?.close();
  await local?.remove();
});

const apiOf = (instance: Instance | undefined) => createClient({ baseUrl: `${instance?.url}/api/v2` });

async function send(instance: Instance | undefined, count: number): Promise<void> {
  const readings: unknown[] = [];
  for (let n = 0; n < count; n += 1) readings.push(await meter.next());
  const post = async () => {
    const response = await fetch(`${instance?.url}/api/v2/telemetry`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ readings }),
    });
    const { data } = (await response.json()) as { data: { accepted: number; duplicates: number } };
    return data.accepted + data.duplicates;
  };
  // The server knows the key once it knows the block of its registration.
  await expect.poll(post, { timeout: within.stored }).toBe(count);
}

it("several processes anchor each reading once, and one continues after another has ended", {
  timeout: 4 * within.stored + 2 * within.anchored,
}, async () => {
  const [one, other] = instances;
  const api = apiOf(other);
  const counted = async () =>
    (await api.anchors({ short_id: shortId })).items.reduce((sum, { count }) => sum + count, 0);
  await send(one, 3);
  await send(other, 4);
  await expect.poll(counted, { timeout: within.anchored, interval: 250 }).toBe(7);
  await send(one, 2);
  await instances.shift()?.stop();
  await send(other, 5);
  await expect.poll(counted, { timeout: within.anchored, interval: 250 }).toBe(14);

  const { items } = await api.anchors({ short_id: shortId });
  expect(items.map(({ number }) => number)).toEqual(items.map((_, index) => items.length - index));
  const reader = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
  const chain = {
    call: async (to: `0x${string}`, data: `0x${string}`) => (await reader.call({ to, data })).data ?? "0x",
  };
  for (const seq of [1, 7, 14]) {
    expect(verdictOf(await verifyProof(await api.readingProof(meter.name, seq), chain))).toBe("pass");
  }
  const metrics = await (await fetch(`${other?.url}/metrics`)).text();
  expect(metrics).toContain('aqua_anchorer_out_of_gas{chain_id="31337"} 0');
  expect(metrics).not.toContain("aqua_anchoring_stopped{");
  expect(failures).toEqual([]);
});
