import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceHead } from "./batches.ts";
import { deviceOf } from "./devices.ts";
import { intervalsFrom, type LiveDevice, LiveFleet } from "./live.ts";
import { FleetCalls } from "./operatorCalls.ts";
import { operatorToken, readKept, seededHeads, settleFleet, writeKept } from "./settle.ts";
import { httpUplink, mqttUplink } from "./uplinks.ts";

/**
 * File with the last reading of each device in the running world. It is written periodically, so that the server need
 * not be asked.
 */
const HEADS = "heads.json";
/** File with the last time at which the world ran. */
const RAN = "ran.json";
const KEEP_EVERY_MS = 5_000;
/** A longer pause between two ticks means that the world was suspended, as after a stop of the machine. */
const ASLEEP_MS = 60_000;

/**
 * Enrols the fleet when needed, and starts it.
 * @param mqttPort of the server's broker on this machine; null: it has none
 */
export async function startFleet({
  url,
  mqttPort,
  dataDir,
  note,
}: {
  url: string;
  mqttPort: number | null;
  dataDir: string;
  note: (text: string) => void;
}): Promise<{ stop(): Promise<void> }> {
  const calls = new FleetCalls(url, await operatorToken(dataDir));
  const { enrolled, passwords } = await settleFleet(calls, dataDir, note);
  const kept = { ...(await seededHeads(dataDir)), ...(await readKept<Record<string, DeviceHead>>(dataDir, HEADS)) };
  const devices = enrolled.flatMap(({ name, retired_at, last }) => {
    if (retired_at !== null) return [];
    const head = kept[name];
    return head === undefined ? [] : [{ device: deviceOf(name), head, lastTime: last?.time ?? null }];
  });
  const ran = (await readKept<{ until: number }>(dataDir, RAN))?.until ?? null;
  const noteIntervals = async (known: readonly Pick<LiveDevice, "device" | "lastTime">[], until: number | null) => {
    for (const one of known) {
      for (const change of intervalsFrom(one, until, Date.now())) await calls.changeInterval(one.device.name, change);
    }
  };
  await noteIntervals(devices, ran);
  const uplink = mqttPort === null ? httpUplink(calls) : mqttUplink(`mqtt://127.0.0.1:${mqttPort}`, passwords);
  const live = new LiveFleet(devices, {
    uplink,
    failed: (error) => console.error(`The devices of the local world: ${(error as Error).message}`),
  });
  await keepHeads(dataDir, live);
  live.start();
  const ended = new AbortController();
  const woken = (asleepSince: number) =>
    noteIntervals(
      devices.map(({ device }) => ({ device, lastTime: asleepSince })),
      asleepSince,
    );
  const keeping = keep({ dataDir, live, woken, signal: ended.signal });
  return {
    async stop() {
      ended.abort();
      await live.stop();
      await keeping;
      await keepHeads(dataDir, live);
    },
  };
}

async function keepHeads(dataDir: string, live: LiveFleet): Promise<void> {
  await writeKept(dataDir, HEADS, Object.fromEntries(live.heads));
  await writeKept(dataDir, RAN, { until: Date.now() });
}

async function keep({
  dataDir,
  live,
  woken,
  signal,
}: {
  dataDir: string;
  live: LiveFleet;
  woken: (asleepSince: number) => Promise<void>;
  signal: AbortSignal;
}): Promise<void> {
  let awake = Date.now();
  while (!signal.aborted) {
    await sleep(KEEP_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const now = Date.now();
    // When the server does not answer yet, it is sent the next time.
    const told =
      now - awake <= ASLEEP_MS ||
      (await woken(awake).then(
        () => true,
        () => false,
      ));
    if (told) awake = now;
    await keepHeads(dataDir, live);
  }
}
