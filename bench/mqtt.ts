/**
 * Measures the cost of receiving readings over MQTT with QoS 1, one per message: the whole server on PostgreSQL, with
 * every setting that makes a commit durable, beside Mosquitto and the library of our broker, which acknowledge the same
 * messages and do nothing with them. Run: npm run bench -- mqtt
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { startServer } from "../apps/server/test/support/startServer.ts";
import { runBroker } from "../apps/server/test/telemetry/mqtt/brokers.ts";
import { enrolFleet, FloodDevice, prepare } from "../apps/server/test/telemetry/mqtt/flood.ts";
import { usageOf } from "../apps/server/test/telemetry/mqtt/usage.ts";
import { freePort } from "../devnet/test/support/port.ts";

const DEVICES = 100;
const EACH = 1_000;
const WINDOW = 50;

const folder = mkdtempSync(join(tmpdir(), "aqua-bench-"));
const fleet: FloodDevice[] = [];
for (let index = 0; index < DEVICES; index += 1) fleet.push(await prepare(`meter-${index}`, EACH, 0));

/** Messages acknowledged for each CPU second of these processes. */
async function measure(name: string, port: number, pids: readonly (number | undefined)[]): Promise<number> {
  const cpu = () => pids.reduce<number>((sum, pid) => sum + (usageOf(pid)?.cpu ?? Number.NaN), 0);
  const lines = fleet.map((one) => new FloodDevice(one.device, one.readings, one.script));
  await Promise.all(lines.map((one) => one.connect(port)));
  const before = cpu();
  const started = performance.now();
  while (lines.some(({ settled }) => settled < EACH)) {
    for (const one of lines) one.send(EACH, WINDOW);
    await sleep(10);
  }
  const seconds = (performance.now() - started) / 1_000;
  const perCore = (DEVICES * EACH) / (cpu() - before);
  await Promise.all(lines.map((one) => one.leave()));
  const figures = [(DEVICES * EACH) / seconds, perCore].map((one) => Math.round(one).toString().padStart(8));
  console.log(`${name.padEnd(44)} ${figures[0]} /s ${figures[1]} /s a core ${seconds.toFixed(1).padStart(7)} s`);
  return perCore;
}

async function libraryAlone(): Promise<number> {
  const port = await freePort();
  const code = `
    import { createServer } from "node:net";
    import { Aedes } from "aedes";
    const broker = await Aedes.createBroker();
    createServer(broker.handle).listen(${port}, "127.0.0.1", () => console.log("listening"));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  const reached = await measure("the broker's library alone", port, [child.pid]);
  child.kill("SIGKILL");
  return reached;
}

async function mosquittoAlone(): Promise<void> {
  const port = await freePort();
  const broker = await runBroker("mosquitto", folder, port);
  await measure("Mosquitto alone", port, [broker.pid]);
  await broker.stop();
}

async function wholeServer(): Promise<number> {
  const postgres = await startPostgres([]);
  const db = await connectDatabase(postgres.url);
  await migrate(db);
  await enrolFleet(db, fleet);
  await db.close();
  const places = { DATA_DIR: folder, PRODUCTS_DIR: folder, DEPLOYMENTS_DIR: folder };
  const { child, listening } = startServer({ ...places, DATABASE_URL: postgres.url, MQTT_PORT: "0" });
  try {
    const { mqttPort } = await listening;
    return await measure("the server on PostgreSQL", mqttPort, [child.pid, postgres.pid]);
  } finally {
    child.kill("SIGKILL");
    await postgres.stop();
  }
}

try {
  await mosquittoAlone();
  const floor = await libraryAlone();
  const reached = await wholeServer();
  console.log(`of what the broker's library alone allows: ${Math.round((reached / floor) * 100)} %`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
