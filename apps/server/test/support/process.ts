import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

const serverFolder = fileURLToPath(new URL("../..", import.meta.url));

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  /** Port of its MQTT broker, where the environment asks for one. */
  mqttPort: number;
  /** What it has written last. */
  said(): string;
}

/** The whole server as a process of its own that can be killed; it listens when this resolves. Killed after the test. */
export async function launchServer(environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: serverFolder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env.PATH ?? "", PORT: "0", MQTT_PORT: "off", ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  }
  const url = () => /"url":"([^"]+)"/.exec(said)?.[1] ?? said;
  await expect.poll(url, { timeout: 60_000 }).toMatch(/^http/);
  const mqttPort = /"port":(\d+)[^\n]*MQTT broker is listening/.exec(said)?.[1];
  return { child, url: url(), mqttPort: Number(mqttPort), said: () => said };
}
