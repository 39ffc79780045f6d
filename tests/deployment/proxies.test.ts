import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { request } from "node:https";
import { type AddressInfo, connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findProgram } from "../../apps/server/test/support/debianPrograms.ts";
import { type PostgresServer, startPostgres } from "../../apps/server/test/support/startPostgres.ts";
import { type ServerProcess, startServer } from "../../apps/server/test/support/startServer.ts";
import { connectDevice } from "../../apps/server/test/telemetry/mqtt/support.ts";
import { freePort } from "../../devnet/test/support/port.ts";

/**
 * Starts Debian's Caddy, HAProxy and Mosquitto with the files of `deploy`, in which only ports, folders and names of
 * hosts are replaced, before servers as they run in production.
 */

const deploy = join(import.meta.dirname, "../../deploy");
const folder = mkdtempSync(join(tmpdir(), "aqua-proxies-"));
const secret = (name: string) => readFileSync(join(folder, "secrets", name), "utf8").trim();
let postgres: PostgresServer;
/** Programs that a test or a hook that fails may leave running. */
const started: ChildProcess[] = [];

/** Replaces each text that must occur in the file. */
function adapted(file: string, replacements: Record<string, string>): string {
  let text = readFileSync(join(deploy, file), "utf8");
  for (const [from, to] of Object.entries(replacements)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

function launchServer(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const { child, listening } = startServer({
    NODE_ENV: "production",
    PUBLIC_URL: "https://localhost",
    TRUST_PROXY: "1",
    SHUTDOWN_DELAY: "10",
    DATABASE_URL: postgres.url,
    SECRET_KEY_FILE: join(folder, "secrets/secret_key"),
    SMTP_URL: "smtp://127.0.0.1:25",
    DEPLOYMENTS_DIR: folder,
    PRODUCTS_DIR: folder,
    ...environment,
  });
  started.push(child);
  return listening;
}

interface Program {
  child: ChildProcess;
  /** Returns its last output. */
  said: () => string;
}

/** Starts a program, which ends with the tests at the latest. */
function launch(path: string, args: readonly string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(path, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  started.push(child);
  let said = "";
  child.stderr?.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000);
  });
  return { child, said: () => said };
}

/** Resolves when the check passes. Rejects at once if the program has ended. */
async function untilReady({ child, said }: Program, check: () => Promise<void>): Promise<void> {
  await vi.waitFor(async () => {
    if (child.exitCode === null) await check();
  });
  if (child.exitCode !== null) throw new Error(`the program has ended:\n${said()}`);
}

async function stop(child: ChildProcess | undefined, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

beforeAll(async () => {
  for (const name of ["caddy", "haproxy", "mosquitto"]) findProgram(name);
  copyFileSync(join(deploy, "prepare.sh"), join(folder, "prepare.sh"));
  writeFileSync(join(folder, ".env"), "PUBLIC_HOST=localhost\n");
  execFileSync("sh", [join(folder, "prepare.sh")], { stdio: "pipe" });
  postgres = await startPostgres(["fsync=off"]);
});
afterAll(async () => {
  for (const child of started) await stop(child);
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Proxy {
  program: Program;
  /** Ports of http and https. */
  http: number;
  https: number;
  /** The certificate that its own is checked against. */
  authority: () => string;
}

/** Configures a proxy of `deploy` for these ports and servers. */
const proxies: Record<string, (ports: { http: number; https: number }, servers: readonly string[]) => Proxy> = {
  caddy({ http, https }, [first = "", second = ""]) {
    const storage = mkdtempSync(join(folder, "caddy-"));
    const file = join(storage, "Caddyfile");
    const options = `admin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${storage}\n`;
    writeFileSync(
      file,
      adapted("Caddyfile", {
        "\tskip_install_trust": `\t${options}\tskip_install_trust`,
        "server1:8080": first,
        "server2:8080": second,
      }),
    );
    const { path, env } = findProgram("caddy");
    const homes = { XDG_DATA_HOME: storage, XDG_CONFIG_HOME: storage };
    const args = ["run", "--config", file, "--adapter", "caddyfile"];
    const program = launch(path, args, { ...env, ...homes, PUBLIC_HOST: "localhost" });
    return {
      program,
      http,
      https,
      authority: () => readFileSync(join(storage, "pki/authorities/local/root.crt"), "utf8"),
    };
  },
  haproxy({ http, https }, [first = "", second = ""]) {
    const storage = mkdtempSync(join(folder, "haproxy-"));
    const pem = join(storage, "aqua.pem");
    writeFileSync(pem, `${secret("mqtt_certificate")}\n${secret("mqtt_key")}\n`);
    const file = join(storage, "haproxy.cfg");
    writeFileSync(
      file,
      adapted("haproxy.cfg", {
        "bind :80\n": `bind 127.0.0.1:${http}\n`,
        "bind :443 ssl crt /etc/haproxy/aqua.pem": `bind 127.0.0.1:${https} ssl crt ${pem}`,
        "127.0.0.1:8080": first,
        "127.0.0.1:8081": second,
      }),
    );
    const { path, env } = findProgram("haproxy");
    const program = launch(path, ["-db", "-f", file], env);
    return { program, http, https, authority: () => secret("mqtt_certificate") };
  },
};

interface Got {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

/** Asks through the proxy. Resolves with the answer's head; `path` is sent as it is. */
function ask(proxy: Proxy, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "localhost",
      port: proxy.https,
      path,
      headers,
      ca: proxy.authority(),
      agent: false as const,
    };
    request({ ...options, family: 4 }, resolve)
      .on("error", reject)
      .end();
  });
}
async function get(proxy: Proxy, path: string, headers?: Record<string, string>): Promise<Got> {
  const response = await ask(proxy, path, headers);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Starts a proxy before these servers. Resolves when it passes requests on. */
async function launchProxy(name: string, servers: readonly string[]): Promise<Proxy> {
  const proxy = (proxies[name] as (typeof proxies)[string])(
    { http: await freePort(), https: await freePort() },
    servers,
  );
  await untilReady(proxy.program, async () => expect(await get(proxy, "/ready")).toMatchObject({ status: 200 }));
  return proxy;
}

describe.each(Object.keys(proxies))("%s", (name) => {
  /** Answers each request with its headers. */
  let echo: Server;
  let mirror: Proxy;
  let servers: ServerProcess[];
  let proxy: Proxy;

  beforeAll(async () => {
    echo = createServer((incoming, response) => response.end(JSON.stringify(incoming.headers)));
    await once(echo.listen(0, "127.0.0.1"), "listening");
    const address = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
    mirror = await launchProxy(name, [address, address]);
    servers = [await launchServer(), await launchServer()];
    proxy = await launchProxy(
      name,
      servers.map(({ url }) => new URL(url).host),
    );
  });
  afterAll(() => {
    echo?.close();
  });

  it("names the client's address, the protocol and the host, whatever the client claims", async () => {
    const forged = {
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
    };
    const { host, ...seen } = JSON.parse((await get(mirror, "/", forged)).text);
    expect(host).toBe(`localhost:${mirror.https}`);
    expect(seen["x-forwarded-for"]).toBe("127.0.0.1");
    expect(seen["x-forwarded-proto"]).toBe("https");
    expect([undefined, host]).toContain(seen["x-forwarded-host"]);
  });

  it("passes pages and calls on, and leads http to https", async () => {
    const home = await get(proxy, "/");
    expect(home).toMatchObject({ status: 200, text: expect.stringContaining("<html") });
    expect(home.headers["strict-transport-security"]).toBeDefined();
    expect(await get(proxy, "/api/v2/product/list")).toMatchObject({ status: 200 });
    const plain = await fetch(`http://localhost:${proxy.http}/products`, { redirect: "manual" });
    expect(plain.status).toBe(308);
    expect(plain.headers.get("location")).toMatch(/^https:\/\/localhost.*\/products$/);
  });

  it.each(["/metrics", "/metrics?all", "/%6detrics", "/metrics/", "//metrics", "/x/../metrics", "/METRICS"])(
    "shows no figures of the server under %s",
    async (path) => {
      const { status, text } = await get(proxy, path);
      expect(text).not.toContain("# HELP");
      if (/^\/metrics(\?|$)/.test(path)) expect(status).toBe(403);
      // The servers do show them to whoever asks them directly.
      const direct = await fetch(`${servers[0]?.url}/metrics`);
      expect(await direct.text()).toContain("# HELP");
    },
  );

  it("passes each event of a stream on at once", async () => {
    const stream = await ask(proxy, "/api/v2/events");
    onTestFinished(() => void stream.destroy());
    expect(stream.headers["content-type"]).toMatch(/^text\/event-stream/);
    // The server writes this when the stream begins, and leaves the stream open.
    const [first] = await once(stream.setEncoding("utf8"), "data");
    expect(first).toContain("retry: 2000");
  });

  it("fails no request while one of two servers stops", async () => {
    let stopped = false;
    const stopping = stop(servers[1]?.child, "SIGTERM").then(() => {
      stopped = true;
    });
    const statuses = new Map<number, number>();
    while (!stopped) {
      const { status } = await get(proxy, "/");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await stopping;
    expect(servers[1]?.child.exitCode).toBe(0);
    expect([...statuses.keys()]).toEqual([200]);
  });
});

describe("mosquitto", () => {
  let port: number;
  let env: NodeJS.ProcessEnv;
  const data = join(folder, "mosquitto");
  const certificate = () => readFileSync(join(folder, "secrets/mqtt_certificate"));
  const connect = (device: string, password: string | undefined, more: object = {}) =>
    connectDevice(port, device, {
      ...{ protocol: "mqtts", host: "localhost", ca: certificate(), password, ...more },
    } as object);

  beforeAll(async () => {
    mkdirSync(data);
    port = await freePort();
    const file = join(data, "mosquitto.conf");
    writeFileSync(
      file,
      adapted("mosquitto.conf", {
        "listener 8883": `listener ${port} 127.0.0.1`,
        "/run/secrets": join(folder, "secrets"),
        "/mosquitto/data": data,
        "/mosquitto/config": deploy,
      }),
    );
    // Otherwise it would become the user mosquitto, which a machine without the package does not have.
    if (process.getuid?.() === 0) appendFileSync(file, "user root\n");
    const program = findProgram("mosquitto");
    const places = [dirname(program.path), join(dirname(program.path), "../bin")];
    env = { ...program.env, PATH: [...places, process.env.PATH].join(":") };
    // The command of compose.yaml.
    const [, command = ""] = /- \|\n((?: {8}.*\n)+)/.exec(readFileSync(join(deploy, "compose.yaml"), "utf8")) ?? [];
    const script = command
      .replaceAll("$$", "$")
      .replaceAll("/run/secrets", join(folder, "secrets"))
      .replaceAll("/mosquitto/data", data)
      .replaceAll("/mosquitto/config/mosquitto.conf", file);
    const broker = launch("sh", ["-ec", script], env);
    await untilReady(broker, async () => void (await connect("aqua", secret("mqtt_password"))).endAsync());
    execFileSync("mosquitto_passwd", ["-b", join(data, "passwords"), "meter-1", "a password"], { env, stdio: "pipe" });
    broker.child.kill("SIGHUP");
  });

  it("accepts a device with its password, and the server answers what it sends", async () => {
    const url = secret("mqtt_url").replace("@mqtt:8883", `@localhost:${port}`);
    writeFileSync(join(data, "url"), url);
    const server = await launchServer({
      MQTT_URL_FILE: join(data, "url"),
      NODE_EXTRA_CA_CERTS: join(folder, "secrets/mqtt_certificate"),
    });
    onTestFinished(() => stop(server.child));
    const device = await connect("meter-1", "a password");
    onTestFinished(() => void device.endAsync(true));
    const heard: string[] = [];
    device.on("message", (_topic, payload) => heard.push(payload.toString()));
    await device.subscribeAsync("aqua/answers/meter-1");
    await expect
      .poll(async () => {
        await device.publishAsync("aqua/readings/meter-1", '{"seq":1}', { qos: 1 });
        return heard.join();
      })
      .toContain("malformed");
  });

  it.each([
    ["a wrong password", { password: "guess" }],
    ["no password", { username: undefined, password: undefined }],
    ["another device's name", { username: "meter-2" }],
  ])("refuses a device with %s", async (_, options) => {
    await expect(connect("meter-1", "a password", options)).rejects.toThrow(/authorized/i);
  });

  it("refuses a connection without TLS", async () => {
    const socket = dial(port, "127.0.0.1");
    socket.write(Buffer.from([0x10, 0x0d, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 1, 0x61]));
    const answer: Buffer[] = [];
    socket.on("data", (data) => answer.push(data)).on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    // No CONNACK.
    expect(Buffer.concat(answer)[0]).not.toBe(0x20);
  });

  it("takes no readings from a device under another one's name", async () => {
    const device = await connect("meter-1", "a password");
    onTestFinished(() => void device.endAsync(true));
    await expect(device.publishAsync("aqua/readings/meter-2", '{"seq":1}', { qos: 1 })).rejects.toThrow(/authorized/i);
  });

  it.each(["aqua/answers/meter-2", "aqua/answers/+", "aqua/readings/+", "#"])(
    "gives a device that subscribes to %s nothing but its own answers",
    async (topic) => {
      const device = await connect("meter-1", "a password");
      onTestFinished(() => void device.endAsync(true));
      const heard: string[] = [];
      device.on("error", () => {}).on("message", (from) => heard.push(from));
      const refused = await device.subscribeAsync(topic).then(
        () => false,
        () => true,
      );
      if (refused) return;
      const server = await connect("aqua", secret("mqtt_password"));
      onTestFinished(() => void server.endAsync(true));
      await device.subscribeAsync("aqua/answers/meter-1");
      for (const name of ["meter-2", "meter-1"]) await server.publishAsync(`aqua/answers/${name}`, "{}", { qos: 1 });
      await expect.poll(() => new Set(heard)).toEqual(new Set(["aqua/answers/meter-1"]));
    },
  );
});
