import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@aqua/sdk/api/client";
import type { SignedReading, TelemetryAnswer } from "@aqua/sdk/api/telemetry";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { verifyProof } from "@aqua/sdk/proofs/verify";
import pino from "pino";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleKey } from "../../../../devnet/src/accounts.ts";
import { readConfig } from "../../src/config.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { createServerDatabase } from "../support/databases.ts";
import type { TestDevice } from "../telemetry/devices.ts";
import { type LocalChain, openLocalChain, registerMeter } from "./local.ts";

const shortId = "sahel-solar";
const token = "t".repeat(32);
const ANCHORED_MS = 120_000;
let local: LocalChain;
let archive: string;
let meter: TestDevice;
let instance: Instance | null = null;
const logged: { msg: string; reason?: string }[] = [];

/** A chain with a key of the device, and a database in which the device is enrolled. */
beforeAll(async () => {
  local = await openLocalChain();
  await local.chain.follow(1);
  archive = join(local.environment.DATA_DIR as string, "batches");
  meter = await registerMeter(local);
}, 60_000);
afterAll(async () => {
  await instance?.stop();
  await local?.remove();
});

async function start(databaseUrl: string): Promise<void> {
  const settings = {
    ANCHORER_PRIVATE_KEY: roleKey("anchorer"),
    ANCHOR_EVERY: "5",
    BATCH_DIR: archive,
    DATABASE_URL: databaseUrl,
    OPERATOR_TOKEN: token,
    SECRET_KEY: "5e".repeat(32),
  };
  const log = pino({ level: "info" }, { write: (line: string) => logged.push(JSON.parse(line)) });
  instance = await startInstance(readConfig({ ...local.environment, ...settings }), log);
}
async function stop(): Promise<void> {
  await instance?.stop();
  instance = null;
}
/** A copy of a database that nobody uses, as a backup of this moment. */
const copyOf = (databaseUrl: string) => createServerDatabase(new URL(databaseUrl).pathname.slice(1));

async function call<Data>(path: string, body?: object): Promise<Data> {
  const response = await fetch(`${instance?.url}/api/v2/${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  });
  const answer = (await response.json()) as { data: Data; message?: string };
  if (!response.ok) throw new Error(answer.message);
  return answer.data;
}
const post = (readings: SignedReading[]) => call<TelemetryAnswer>("telemetry", { readings });
const apiOf = () => createClient({ baseUrl: `${instance?.url}/api/v2` });

async function measure(count: number): Promise<SignedReading[]> {
  const readings: SignedReading[] = [];
  for (let n = 0; n < count; n += 1) readings.push(await meter.next());
  return readings;
}
async function send(readings: SignedReading[]): Promise<void> {
  const stored = async () => {
    const { accepted, duplicates } = await post(readings);
    return accepted + duplicates;
  };
  await expect.poll(stored, { timeout: ANCHORED_MS }).toBe(readings.length);
}
const anchored = async () =>
  (await apiOf().anchors({ short_id: shortId })).items.reduce((sum, { count }) => sum + count, 0);
const expectAnchored = (count: number) => expect.poll(anchored, { timeout: ANCHORED_MS, interval: 250 }).toBe(count);
const parts = async () => {
  const { degraded } = (await (await fetch(`${instance?.url}/ready`)).json()) as { degraded: { part: string }[] };
  return degraded.map(({ part }) => part);
};

it("a server on an older database gets its batches back, and what has no file is declared lost", {
  timeout: 10 * ANCHORED_MS,
}, async () => {
  const first = await createServerDatabase();
  await start(first);
  const device = {
    ...{ name: meter.name, short_id: shortId, metric: "energy", exponent: -1, min: "0", max: "100000", max_step: null },
    ...{ interval: 1_000, place: "Field", latitude: 1, longitude: 2, model: "M", trust: "secure_element" },
  };
  await expect
    .poll(
      () =>
        call("operator/devices", device).then(
          () => true,
          () => false,
        ),
      { timeout: ANCHORED_MS },
    )
    .toBe(true);
  await send(await measure(3));
  await expectAnchored(3);
  await stop();
  const backup = await copyOf(first);

  await start(first);
  await send(await measure(4));
  await expectAnchored(7);
  const unanchored = await measure(2);
  await send(unanchored);
  await stop();

  // The older database gets batch 2 back. The device resends what was in no batch, as the refusal asks it to.
  await start(backup);
  const next = await measure(1);
  const refusal = async () => (await post(next)).rejected.map(({ reason, head }) => [reason, head?.seq]);
  await expect.poll(refusal, { timeout: ANCHORED_MS }).not.toContainEqual(["gap", 3]);
  expect(logged.map(({ msg }) => msg)).toContain(
    "batches that the chain has and the database lacked were imported from the batch archive",
  );
  await send([...unanchored, ...next]);
  await expectAnchored(10);
  await expect.poll(parts, { timeout: ANCHORED_MS }).toEqual([]);
  const reader = createPublicClient({ transport: http(local.chain.url), cacheTime: 0 });
  const chain = {
    call: async (to: `0x${string}`, data: `0x${string}`) => (await reader.call({ to, data })).data ?? "0x",
  };
  expect(verdictOf(await verifyProof(await apiOf().readingProof(meter.name, 5), chain))).toBe("pass");
  await stop();

  // The same again, and the file of the newest batch is gone from the archive too.
  const older = await copyOf(backup);
  await start(backup);
  await send(await measure(2));
  await expectAnchored(12);
  const { items } = await apiOf().anchors({ short_id: shortId });
  const [newest] = items;
  await stop();
  const folder = join(archive, "31337", shortId);
  const names = await readdir(folder);
  expect(names).toHaveLength(items.length);
  const lost = names.find((name) => name.startsWith(`${newest?.number}-`)) ?? "";
  await rm(join(folder, lost));

  await start(older);
  await expect.poll(parts, { timeout: ANCHORED_MS }).toEqual([`batches ${shortId}`]);
  const batch = { short_id: shortId, number: newest?.number ?? 0 };
  expect(await apiOf().readingLosses()).toMatchObject({
    missing: [{ short_id: shortId, from: batch.number, to: batch.number }],
    declared: [],
  });
  await expect
    .poll(() => logged.filter(({ reason }) => reason?.includes("declare it lost")), { timeout: ANCHORED_MS })
    .toHaveLength(1);
  const later = await measure(1);
  expect((await post(later)).rejected).toMatchObject([{ reason: "gap" }]);
  await expect(call("operator/batches/declare-lost", { ...batch, number: 1, reason: "x" })).rejects.toThrow(
    "Batch 1 of sahel-solar is not missing",
  );
  const reason = "The disk of the archive broke.";
  await call("operator/batches/declare-lost", { ...batch, reason });
  expect((await post(later)).rejected).toEqual([]);
  await expectAnchored(13);
  await expect.poll(parts, { timeout: ANCHORED_MS }).toEqual([]);
  expect(await apiOf().readingLosses()).toMatchObject({
    missing: [],
    declared: [{ short_id: shortId, batch: batch.number, reason }],
  });
  expect(
    (await apiOf().anchors({ short_id: shortId })).items.find(({ number }) => number === batch.number),
  ).toMatchObject({
    file: false,
  });
});
