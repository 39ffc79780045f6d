import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { devnetProducts, shortIds } from "../products.ts";
import { type DeviceHead, telemetryFolder } from "./batches.ts";
import { devicesOf, fleet } from "./devices.ts";
import type { FleetHistory } from "./history.ts";
import type { Enrolled, FleetCalls } from "./operatorCalls.ts";

/** Replaces a file atomically. Only its owner may read it. */
export async function writeKept(dataDir: string, name: string, content: unknown): Promise<void> {
  const folder = telemetryFolder(dataDir);
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Returns the content that `writeKept` wrote under that name, or null. */
export async function readKept<Content>(dataDir: string, name: string): Promise<Content | null> {
  const file = join(telemetryFolder(dataDir), name);
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Content) : null;
}

/** The bearer token of the operator's calls in this world, made at its first start. */
export async function operatorToken(dataDir: string): Promise<string> {
  const known = await readKept<{ token: string }>(dataDir, TOKEN);
  if (known !== null) return known.token;
  const token = randomBytes(32).toString("hex");
  await writeKept(dataDir, TOKEN, { token });
  return token;
}

/** Batch files in one call, few enough for a commit to take about a second. */
const FILES_A_CALL = 64;
const TOKEN = "operator.json";
const SECRETS = "passwords.json";
const SEEDED_HEADS = "seeded.json";
const SEEDED_INTERVALS = "intervals.json";
type SeededIntervals = Readonly<Record<string, ReturnType<FleetHistory["intervalsOf"]>>>;

/** Stores the end of the seeded time for later starts: the last reading of each device, and its intervals. */
export async function keepSeeded(
  dataDir: string,
  heads: ReadonlyMap<string, DeviceHead>,
  history: FleetHistory,
): Promise<void> {
  const intervals: SeededIntervals = Object.fromEntries(fleet.map((one) => [one.name, history.intervalsOf(one)]));
  await writeKept(dataDir, SEEDED_INTERVALS, intervals);
  await writeKept(dataDir, SEEDED_HEADS, Object.fromEntries(heads));
}

/** Returns the last reading of each device in the seeded time, by the device's name. */
export async function seededHeads(dataDir: string): Promise<Readonly<Record<string, DeviceHead>>> {
  return (await readKept<Record<string, DeviceHead>>(dataDir, SEEDED_HEADS)) ?? {};
}

/** Each device's password for MQTT, by its name. */
export type Passwords = Readonly<Record<string, string>>;

/**
 * Enrols the fleet and imports the batches of the seeded time, as far as the server does not have them. Later starts do
 * nothing, and a start after an interrupted one continues where that ended.
 */
export async function settleFleet(
  calls: FleetCalls,
  dataDir: string,
  note: (text: string) => void,
): Promise<{ enrolled: Enrolled[]; passwords: Passwords }> {
  const known = new Map((await calls.devices()).map((device) => [device.name, device]));
  const passwords: Record<string, string> = { ...(await readKept<Passwords>(dataDir, SECRETS)) };
  for (const device of fleet) {
    const { name } = device;
    if (!known.has(name)) passwords[name] = await calls.enrol(device);
    // An interrupted start lost the password.
    else if (passwords[name] === undefined && known.get(name)?.retired_at === null) {
      passwords[name] = await calls.newSecret(name);
    }
  }
  await writeKept(dataDir, SECRETS, passwords);
  await importSeeded({ calls, dataDir, known, note });
  // A world seeded by an earlier version has no such file.
  const intervals = (await readKept<SeededIntervals>(dataDir, SEEDED_INTERVALS)) ?? {};
  for (const [name, all] of Object.entries(intervals)) {
    const told = known.get(name)?.intervals ?? [];
    for (const one of all) if (!told.some(({ since }) => since === one.since)) await calls.changeInterval(name, one);
  }
  for (const { shortId, closedAfter } of devnetProducts) {
    if (closedAfter === undefined) continue;
    for (const { name } of devicesOf(shortId)) if (!known.get(name)?.retired_at) await calls.retire(name);
  }
  return { enrolled: await calls.devices(), passwords };
}

async function importSeeded({
  calls,
  dataDir,
  known,
  note,
}: {
  calls: FleetCalls;
  dataDir: string;
  known: ReadonlyMap<string, Enrolled>;
  note: (text: string) => void;
}): Promise<void> {
  const seeded = await seededHeads(dataDir);
  const complete = (shortId: string) =>
    devicesOf(shortId).every(({ name }) => (known.get(name)?.last?.seq ?? 0) >= (seeded[name]?.seq ?? 0));
  const wanted = shortIds.filter((shortId) => !complete(shortId));
  const files = (await Promise.all(wanted.map((shortId) => batchFiles(dataDir, shortId)))).flat();
  for (let from = 0; from < files.length; from += FILES_A_CALL) {
    const some = await Promise.all(files.slice(from, from + FILES_A_CALL).map((file) => readFile(file)));
    await calls.importBatches(Buffer.concat(some));
    note(`${Math.round((100 * (from + some.length)) / files.length)} %`);
  }
}

async function batchFiles(dataDir: string, shortId: string): Promise<string[]> {
  const folder = join(telemetryFolder(dataDir), shortId);
  const numbers = (await readdir(folder)).map((name) => Number.parseInt(name, 10));
  return numbers.sort((a, b) => a - b).map((number) => join(folder, `${number}.ndjson`));
}
