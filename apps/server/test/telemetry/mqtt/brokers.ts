import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../support/debianPrograms.ts";
import { connectDevice } from "./support.ts";

/** Brokers that an operator may use, in Debian's packages, configured by docs/operators/telemetry.md. */
export const brokers = {
  mosquitto: (folder: string, port: number) => `
listener ${port} 127.0.0.1
allow_anonymous true
persistence true
persistence_location ${folder}/
autosave_on_changes true
autosave_interval 1
max_queued_messages 0
max_inflight_messages 0
${process.getuid?.() === 0 ? "user root" : ""}
`,
  "nats-server": (folder: string, port: number) => `
server_name: test
host: "127.0.0.1"
port: -1
jetstream { store_dir: "${folder}" }
mqtt { host: "127.0.0.1", port: ${port}, ack_wait: "5s", max_ack_pending: 65535 }
`,
};
export type BrokerName = keyof typeof brokers;

export interface RunningBroker {
  pid: number | undefined;
  stop(): Promise<void>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

/** Starts the broker on `port` with its stored state in `folder`. Resolves when it accepts clients. */
export async function runBroker(name: BrokerName, folder: string, port: number): Promise<RunningBroker> {
  const file = join(folder, "broker.conf");
  writeFileSync(file, brokers[name](folder, port));
  const { path, env } = findProgram(name);
  const child = spawn(path, ["-c", file], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${said}`);
    const client = await connectDevice(port, "probe", { protocolVersion: 4 }).catch(() => null);
    await client?.endAsync();
    if (client !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const endBy = async (signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid, stop: () => endBy("SIGTERM"), kill: () => endBy("SIGKILL") };
}
