import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const serverFolder = fileURLToPath(new URL("../..", import.meta.url));

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  /** Port of its MQTT broker, if the environment configures one. */
  mqttPort: number;
  /** Returns the last output of the server. */
  said(): string;
}

const ATTEMPTS = 1_200;

/** Starts the whole server as a separate process. */
export function startServer(environment: Record<string, string>): {
  child: ChildProcess;
  listening: Promise<ServerProcess>;
} {
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: serverFolder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env.PATH ?? "", PORT: "0", MQTT_PORT: "off", ...environment },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  }

  async function listening(): Promise<ServerProcess> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const url = /"url":"(http[^"]+)"/.exec(said)?.[1];
      const mqttPort = /"port":(\d+)[^\n]*MQTT broker is listening/.exec(said)?.[1];
      if (url !== undefined) return { child, url, mqttPort: Number(mqttPort), said: () => said };
      if (child.exitCode !== null) break;
      await sleep(50);
    }
    throw new Error(`the server does not listen:\n${said}`);
  }
  return { child, listening: listening() };
}
