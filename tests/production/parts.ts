import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { databaseUser } from "../../apps/server/src/db/embedded/systemUser.ts";
import { findProgram } from "../../apps/server/test/support/debianPrograms.ts";
import { brokers } from "../../apps/server/test/telemetry/mqtt/brokers.ts";
import { isAlive } from "../../devnet/src/processes.ts";

const repository = join(import.meta.dirname, "../..");

/** A program that the day kills, freezes and starts again. */
export class Part {
  #child: ChildProcess | null = null;
  /** The last output of all its processes. */
  said = "";

  constructor(
    readonly name: string,
    readonly launch: () => ChildProcess,
  ) {}

  start(): void {
    const child = this.launch();
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => {
        this.said = (this.said + text.toString()).slice(-100_000);
      });
    }
  }

  /** Process ids of the program and of the processes that it started. */
  #family(): number[] {
    const pid = this.#child?.pid;
    if (pid === undefined || this.#child?.exitCode !== null || this.#child.signalCode !== null) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return [pid, ...children];
  }

  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#family()) process.kill(pid, signal);
  }

  /** Sends the signal to the program alone. Resolves with its exit code when it and its children have ended. */
  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    const family = this.#family();
    if (child === null || family.length === 0) return child?.exitCode ?? null;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    while (family.some(isAlive)) await sleep(50);
    return child.exitCode;
  }

  /** Kills the program with its children, frozen ones too. */
  async remove(): Promise<void> {
    this.signal("SIGKILL");
    await this.end();
  }
}

/** A PostgreSQL server with an empty cluster, reached through a socket in `folder`. */
export function postgres(folder: string, bin: string): { part: Part; url: (user: string, database: string) => string } {
  const user = databaseUser();
  mkdirSync(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const surroundings = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }, ...user };
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  execFileSync(join(bin, "initdb"), options, { ...surroundings, stdio: "pipe" });
  // A killed process loses nothing that it has written, so nothing needs to be synced to the disk.
  const settings = ["-c", "listen_addresses=", "-c", "fsync=off"];
  const launch = () =>
    spawn(join(bin, "postgres"), ["-D", data, "-k", folder, ...settings], {
      ...surroundings,
      stdio: ["ignore", "ignore", "pipe"],
    });
  const url = (name: string, database: string) => `postgresql://${name}@${encodeURIComponent(folder)}/${database}`;
  return { part: new Part("PostgreSQL", launch), url };
}

/** Mosquitto with the settings that docs/operators/telemetry.md names. */
export function mosquitto(folder: string, port: number): Part {
  mkdirSync(folder);
  const file = join(folder, "broker.conf");
  writeFileSync(file, brokers.mosquitto(folder, port));
  const { path, env } = findProgram("mosquitto");
  return new Part("Mosquitto", () => spawn(path, ["-c", file], { env, stdio: ["ignore", "ignore", "pipe"] }));
}

/** HAProxy with the file of `deploy`, before servers on these ports. */
export function haproxy(
  folder: string,
  { https, http, servers }: { https: number; http: number; servers: readonly [number, number] },
): { part: Part; fetch: typeof fetch } {
  mkdirSync(folder);
  const key = join(folder, "key.pem");
  const certificate = join(folder, "certificate.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const made = ["req", "-x509", ...kind, "-days", "2", ...subject, "-keyout", key, "-out", certificate];
  execFileSync("openssl", made, { stdio: "pipe" });
  const ca = readFileSync(certificate);
  const pem = join(folder, "aqua.pem");
  writeFileSync(pem, Buffer.concat([ca, readFileSync(key)]));
  let text = readFileSync(join(repository, "deploy/haproxy.cfg"), "utf8");
  const replacements = {
    "bind :80\n": `bind 127.0.0.1:${http}\n`,
    "bind :443 ssl crt /etc/haproxy/aqua.pem": `bind 127.0.0.1:${https} ssl crt ${pem}`,
    "127.0.0.1:8080": `127.0.0.1:${servers[0]}`,
    "127.0.0.1:8081": `127.0.0.1:${servers[1]}`,
  };
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg lacks ${from}`);
    text = text.replaceAll(from, to);
  }
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, text);
  const { path, env } = findProgram("haproxy");
  const launch = () => spawn(path, ["-db", "-f", file], { env, stdio: ["ignore", "ignore", "pipe"] });
  return { part: new Part("HAProxy", launch), fetch: fetchTrusting(ca) };
}

/** Like `fetch`, with a certificate that the system does not know and a connection for each request. */
function fetchTrusting(ca: Buffer): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const headers = { ...Object.fromEntries(asked.headers), "content-length": String(body.length) };
    const options = { method: asked.method, headers, ca, family: 4, agent: false as const, signal: asked.signal };
    return new Promise((resolve, reject) => {
      const sent = request(asked.url, options, async (answer) => {
        try {
          const text = Buffer.concat(await answer.toArray());
          const received = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, `${value}`]);
          const status = answer.statusCode ?? 0;
          resolve(new Response(status === 204 ? null : text, { status, headers: received }));
        } catch (error) {
          reject(error);
        }
      });
      sent.on("error", reject).end(body);
    });
  };
}

/** A mail that was received, once for each time that it came. */
export interface ReceivedMail {
  id: string;
  to: string;
  text: string;
}

export async function catchMails(port: number): Promise<{ mails: ReceivedMail[]; close(): Promise<void> }> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        const id = /^Message-ID: (\S+)/im.exec(text)?.[1] ?? "none";
        mails.push(...envelope.rcptTo.map(({ address }) => ({ id, to: address, text })));
        done();
      });
    },
  });
  // A killed server breaks off its connections.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const page = (name: string) => readFileSync(join(repository, "docs/operators", name), "utf8");

/** Returns the only line of a page's code blocks that matches, without its remark. */
export function documented(name: string, pattern: RegExp): string {
  const blocks = [...page(name).matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? "");
  const lines = blocks.flatMap((block) => block.split("\n")).filter((line) => pattern.test(line));
  if (lines.length !== 1) throw new Error(`${name} has ${lines.length} lines like ${pattern}`);
  return (lines[0] ?? "").replace(/\s+#.*$/, "");
}
