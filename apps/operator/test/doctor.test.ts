import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Aedes, type AedesOptions } from "aedes";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { roleKey } from "../../../devnet/src/accounts.ts";
import { freePort } from "../../../devnet/test/support/port.ts";
import { connectDatabase } from "../../server/src/db/database.ts";
import { keyIdOf } from "../../server/src/keys.ts";
import { signedHeaders } from "../../server/src/webhookPost.ts";
import { type LocalChain, openLocalChain } from "../../server/test/instance/local.ts";
import { createServerDatabase } from "../../server/test/support/databases.ts";
import { type ServerProcess, startServer } from "../../server/test/support/startServer.ts";
import { runAqua } from "./support/aqua.ts";
import { encrypted, keystoreOf, secretFile } from "./support/keystore.ts";

const SECRET_KEY = "5c".repeat(32);
const MQTT_PASSWORD = "broker-password";

interface Finding {
  check: string;
  result: string;
  says: string;
  next?: string;
}

/** Faults of a proxy in front of the server. */
const faults = { passesForwarded: false, passesMetrics: false, buffers: false, losesApi: false };

/** A reverse proxy, as docs/operators/settings.md asks for one. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const refuse = (status: number) => {
    outgoing.writeHead(status).end("refused");
  };
  if (incoming.url === "/metrics" && !faults.passesMetrics) {
    refuse(403);
    return;
  }
  if (incoming.url?.startsWith("/api/") && faults.losesApi) {
    refuse(404);
    return;
  }
  const { "x-forwarded-for": given, ...headers } = incoming.headers;
  const address = (faults.passesForwarded && given) || "192.0.2.7";
  const sent = request(
    {
      host: "127.0.0.1",
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...headers, "x-forwarded-for": address },
    },
    (answer) => {
      if (faults.buffers && incoming.url === "/api/v2/events") return;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    },
  );
  sent.on("error", () => refuse(502));
  outgoing.on("close", () => sent.destroy());
  incoming.pipe(sent);
}

describe("aqua doctor", () => {
  const closers: (() => Promise<unknown>)[] = [];
  let local: LocalChain;
  let server: ServerProcess;
  let environment: Record<string, string>;
  let folder: string;
  let mails: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "aqua-doctor-"));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    local = await openLocalChain();
    closers.push(local.remove);
    const [batches, legal] = [join(folder, "batches"), join(folder, "legal")];
    for (const path of [batches, legal]) await mkdir(path);
    const [smtpPort, mqttPort, proxyPort] = [await startSmtp(), await startBroker(), await freePort()];
    environment = {
      ...local.environment,
      DATABASE_URL: await createServerDatabase(inject("template")),
      SECRET_KEY,
      ANCHORER_PRIVATE_KEY: roleKey("anchorer"),
      REGISTRAR_PRIVATE_KEY: roleKey("registrar"),
      BATCH_DIR: batches,
      LEGAL_DIR: legal,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      MQTT_URL: `mqtt://aqua:${MQTT_PASSWORD}@127.0.0.1:${mqttPort}`,
      PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
      TRUST_PROXY: "1",
      WEB_DIR: inject("webFolder"),
    };
    const started = startServer(environment);
    closers.push(async () => void started.child.kill("SIGKILL"));
    server = await started.listening;
    // Until it has read the chain for the first time, a server says that it is behind.
    await vi.waitFor(
      async () => {
        const ready = (await (await fetch(`${server.url}/ready`)).json()) as { degraded: unknown[] };
        expect(ready.degraded).toEqual([]);
      },
      { timeout: 60_000 },
    );
    const port = Number(new URL(server.url).port);
    const proxy = createHttpServer((incoming, outgoing) => forward(incoming, outgoing, port));
    await new Promise<void>((resolve) => proxy.listen(proxyPort, "127.0.0.1", resolve));
    closers.push(async () => {
      proxy.closeAllConnections();
      proxy.close();
    });
  });
  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterEach(() => {
    Object.assign(faults, { passesForwarded: false, passesMetrics: false, buffers: false, losesApi: false });
    vi.unstubAllGlobals();
  });

  async function startSmtp(): Promise<number> {
    mails = [];
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, { envelope }, done) {
        stream.resume();
        stream.on("end", () => {
          for (const { address } of envelope.rcptTo) mails.push(address);
          done();
        });
      },
    });
    smtp.on("error", () => {});
    const port = await freePort();
    await new Promise<void>((resolve) => smtp.listen(port, "127.0.0.1", resolve));
    closers.push(() => new Promise<void>((resolve) => smtp.close(resolve)));
    return port;
  }

  async function startBroker(options: Partial<AedesOptions> = {}): Promise<number> {
    const broker = await Aedes.createBroker({
      authenticate: (_client, _user, password, done) => done(null, password?.toString() === MQTT_PASSWORD),
      ...options,
    });
    for (const event of ["clientError", "connectionError"] as const) broker.on(event, () => {});
    const sockets = new Set<Socket>();
    const listener: Server = createServer((socket) => {
      sockets.add(socket);
      broker.handle(socket);
    });
    const port = await freePort();
    await new Promise<void>((resolve) => listener.listen(port, "127.0.0.1", resolve));
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      await new Promise<void>((resolve) => broker.close(resolve));
    });
    return port;
  }

  async function aqua(args: string[], change: Record<string, string | undefined> = {}) {
    return runAqua(["doctor", "--wait", "1", ...args], { ...environment, ...change });
  }
  async function doctor(change: Record<string, string | undefined> = {}, ...args: string[]) {
    const { code, out } = await aqua(["--json", ...args], change);
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return { code, out, failures: findings.filter(({ result }) => result === "failed"), findings };
  }
  const of = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check);

  it("finds everything in order, by doing it, and exits with 0", async () => {
    const { code, failures, findings } = await doctor({}, "--mail", "anna@aqua.example");
    expect(failures).toEqual([]);
    expect(code).toBe(0);
    expect(findings.filter(({ result }) => result === "warning").map(({ check }) => check)).toEqual([
      "settings",
      "address",
    ]);
    const checks = Object.fromEntries(findings.map(({ check, says }) => [check, says]));
    expect(checks).toMatchObject({
      "database encoding": "UTF8",
      "statement timeout": "30 s, also for an idle transaction",
      migrations: "the database is of this version",
      "secret key": `it seals and opens, and the database is sealed with it (${keyIdOf(Buffer.from(SECRET_KEY, "hex")).toString("hex")})`,
      "chain 31337 contracts": "4 addresses have code",
      "chain 31337 attester": expect.stringContaining("holds the role"),
      "chain 31337 anchorer": expect.stringContaining("holds the role"),
      "chain 31337 registrar": expect.stringContaining("holds the role"),
      "chain 31337 attester gas": expect.stringContaining("enough for more than 1000 calls"),
      mail: expect.stringContaining("to anna@aqua.example"),
      mqtt: "a message was published and received",
      ready: "the server is ready",
      "proxy metrics": "/metrics is refused (403)",
      "proxy events": "an event stream arrives at once",
      "proxy addresses": "a made-up X-Forwarded-For does not count as an address",
      clock: "the clock of the database is this machine's",
      "server clock": "the clock of the server is this machine's",
    });
    expect(mails).toEqual(["anna@aqua.example"]);
    for (const path of [environment.BATCH_DIR, environment.DATA_DIR]) {
      expect((await readdir(path ?? "")).filter((name) => name.includes("doctor"))).toEqual([]);
    }
  });

  it("says in words what is wrong and what to do, and exits with 1", async () => {
    const { code, out } = await aqua([], { BATCH_DIR: join(folder, "missing") });
    expect(code).toBe(1);
    expect(out).toMatch(/^ok {7}version +Aqua \d/);
    expect(out).toMatch(
      /^failed {3}BATCH_DIR +ENOENT: .*\n +→ let this user write in \S+missing, or correct BATCH_DIR$/m,
    );
    expect(out).toMatch(/\n\d+ ok, 2 warnings, 1 failed\n$/);
  });

  it.each<[what: string, change: () => Promise<Record<string, string | undefined>>, check: string, says: RegExp]>([
    ["a wrong setting", async () => ({ PORT: "http" }), "settings", /^PORT must be a whole number/],
    [
      "a database that is away",
      async () => ({ DATABASE_URL: "postgresql://aqua:database-password@127.0.0.1:1/aqua" }),
      "database",
      /does not answer: connect ECONNREFUSED/,
    ],
    [
      "a key that is not the database's",
      async () => ({ SECRET_KEY: "7d".repeat(32) }),
      "secret key",
      /^the database is sealed with the key [0-9a-f]{16}, and SECRET_KEY has [0-9a-f]{16}$/,
    ],
    [
      "a list of deleted accounts that is away",
      async () => ({ DELETIONS_URL: "postgresql://aqua:database-password@127.0.0.1:1/deletions" }),
      "deleted accounts",
      /DELETIONS_URL cannot be read: the database of DELETIONS_URL does not answer/,
    ],
    [
      "a database of another encoding",
      async () => {
        const url = await createServerDatabase();
        const name = `latin_${new URL(url).pathname.slice(-12)}`;
        const db = await connectDatabase(url);
        await db.orm.execute(sql.raw(`create database ${name} encoding 'LATIN1' locale 'C' template template0`));
        await db.close();
        return { DATABASE_URL: url.replace(/[^/]+$/, name) };
      },
      "database encoding",
      /^LATIN1 cannot hold every name$/,
    ],
    [
      "a database of a newer version",
      async () => {
        const url = await createServerDatabase(inject("template"));
        const db = await connectDatabase(url);
        await db.orm.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 0)`);
        await db.close();
        return { DATABASE_URL: url };
      },
      "migrations",
      /^the database was migrated by a newer version/,
    ],
    [
      "a node that is away",
      async () => ({ RPC_URL_31337: "http://127.0.0.1:1/v2/access-key-of-a-node" }),
      "chain 31337 node 1",
      /^it does not answer/,
    ],
    [
      "a node of another chain",
      async () => ({ RPC_URL_1: environment.RPC_URL_31337 }),
      "chain 1 node 1",
      /^it serves chain 31337$/,
    ],
    [
      "contracts of another chain",
      async () => {
        const deployments = await mkdtemp(join(folder, "deployments-"));
        const nowhere = `0x${"12".repeat(20)}`;
        const { deployment } = local.deployed;
        await writeFile(join(deployments, "31337.json"), JSON.stringify({ ...deployment, identity_registry: nowhere }));
        return { DEPLOYMENTS_DIR: deployments };
      },
      "chain 31337 contracts",
      /^there is no code at identity_registry 0x1212/,
    ],
    [
      "a key without its role",
      async () => ({ ANCHORER_PRIVATE_KEY: `0x${"42".repeat(32)}` }),
      "chain 31337 anchorer",
      /^0x\w+ does not hold the role$/,
    ],
    [
      "a key without coins",
      async () => ({ ANCHORER_PRIVATE_KEY: `0x${"42".repeat(32)}` }),
      "chain 31337 anchorer gas",
      /^0x\w+ has 0 coins, enough for 0 calls$/,
    ],
    [
      "a remote signer that is away",
      async () => ({ ANCHORER_PRIVATE_KEY: `http://aqua:signer-password@127.0.0.1:9/#0x${"11".repeat(20)}` }),
      "anchorer key",
      /^the remote signer of 0x1{40} does not answer$/,
    ],
    [
      "a mail server that is away",
      async () => ({ SMTP_URL: "smtp://aqua:mail-password@127.0.0.1:1" }),
      "mail",
      /^the mail server answered nothing \(ECONNECTION|ESOCKET/,
    ],
    [
      "a broker that refuses the password",
      async () => ({ MQTT_URL: environment.MQTT_URL?.replace(MQTT_PASSWORD, "wrong-password") }),
      "mqtt",
      /^the broker refuses or does not answer: /,
    ],
    [
      "a broker that lets us read nothing",
      async () => {
        const port = await startBroker({ authorizeSubscribe: (_client, _subscription, done) => done(null, null) });
        return { MQTT_URL: `mqtt://aqua:${MQTT_PASSWORD}@127.0.0.1:${port}` };
      },
      "mqtt",
      /^the broker does not let us read aqua\/readings/,
    ],
    ["a folder that is missing", async () => ({ PRODUCTS_DIR: join(folder, "missing") }), "PRODUCTS_DIR", /^ENOENT/],
    [
      "a server that is away",
      async () => ({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
      "ready",
      /does not answer: .*ECONNREFUSED/,
    ],
  ])("reports %s, and no secret", async (_, change, check, says) => {
    const changed = await change();
    const { code, out, findings } = await doctor(changed);
    expect(of(findings, check)).toMatchObject({
      result: "failed",
      says: expect.stringMatching(says),
      next: expect.any(String),
    });
    expect(code).toBe(1);
    const secrets = /(database|mail|broker|wrong)-password|access-key-of-a-node|(42|ff|7d|5c){16}/;
    expect(out).not.toMatch(secrets);
    expect(out).not.toContain(roleKey("attester").slice(2));
  });

  it("checks the receiver of webhooks, and sends it a signed event only with --webhook", async () => {
    const received: IncomingMessage[] = [];
    const bodies: string[] = [];
    let status = 204;
    const receiver = createHttpServer(async (incoming, outgoing) => {
      received.push(incoming);
      bodies.push(Buffer.concat(await incoming.toArray()).toString());
      outgoing.writeHead(status).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const key = Buffer.alloc(32, 9);
    const WEBHOOK_SECRET = `whsec_${key.toString("base64")}`;
    const webhook = async (WEBHOOK_URL: string | undefined, ...args: string[]) => {
      const settings = WEBHOOK_URL === undefined ? {} : { WEBHOOK_URL, WEBHOOK_SECRET };
      const { findings, out } = await doctor(settings, ...args);
      expect(out).not.toMatch(/access-key-of-a-receiver|whsec_/);
      return of(findings, "webhook");
    };
    const url = `http://localhost:${port}/aqua?key=access-key-of-a-receiver`;
    expect(await webhook(undefined)).toEqual({
      ...{ check: "webhook", result: "ok", says: "WEBHOOK_URL is not set: no events are sent" },
    });
    expect(await webhook(url)).toEqual({
      ...{ check: "webhook", result: "ok" },
      says: `localhost:${port} accepts connections; --webhook sends a signed test event`,
    });
    expect(received).toEqual([]);
    expect(await webhook(url, "--webhook")).toMatchObject({ result: "ok", says: "the receiver answered 204" });
    const headers: Record<string, unknown> = received[0]?.headers ?? {};
    const { "webhook-id": id = "", "webhook-timestamp": seconds } = headers;
    const [body = ""] = bodies;
    expect(JSON.parse(body)).toEqual({ type: "test", timestamp: expect.any(String), data: {} });
    const of204 = { id: String(id), seconds: Number(seconds), body };
    expect(headers).toMatchObject(signedHeaders(of204, [key]));
    status = 401;
    expect(await webhook(url, "--webhook")).toMatchObject({
      result: "failed",
      says: "the receiver answered 401",
      next: expect.stringContaining("WEBHOOK_SECRET"),
    });
    expect(received).toHaveLength(2);
    const closed = await freePort();
    expect(await webhook(`http://localhost:${closed}/`)).toMatchObject({
      ...{ result: "failed", says: `localhost:${closed} does not accept a connection` },
    });
    expect(await webhook("http://receiver.invalid/")).toMatchObject({
      ...{ result: "failed", says: expect.stringContaining("receiver.invalid has no address") },
    });
    expect(await webhook("http://192.88.99.1/")).toMatchObject({
      ...{ result: "warning", says: "events go to 192.88.99.1 without encryption", next: expect.any(String) },
    });
  });

  it("checks each keystore without its passphrase, and whether its address holds the role", async () => {
    const other = `0x${"42".repeat(32)}` as const;
    const address = privateKeyToAddress(other);
    const registrar = await secretFile(folder, "registrar.json", keystoreOf(roleKey("registrar")));
    const stranger = await secretFile(folder, "stranger.json", keystoreOf(other));
    const REGISTRAR = { REGISTRAR_PRIVATE_KEY: undefined, REGISTRAR_KEYSTORE: registrar };
    const fine = await doctor({ ...REGISTRAR, OPERATOR_KEYSTORE: stranger, OPERATOR_KEYS: address });
    expect(of(fine.findings, "REGISTRAR_KEYSTORE")).toEqual({
      ...{ check: "REGISTRAR_KEYSTORE", result: "ok" },
      says: `${registrar} is a keystore of ${privateKeyToAddress(roleKey("registrar"))}`,
    });
    expect(of(fine.findings, "chain 31337 registrar")?.result).toBe("ok");
    expect(of(fine.findings, "OPERATOR_KEYSTORE")?.result).toBe("ok");
    expect(fine.failures).toEqual([]);

    const shared = await secretFile(folder, "shared.json", keystoreOf(other));
    await chmod(shared, 0o640);
    const passphrase = await secretFile(folder, "passphrase", "correct horse");
    await chmod(passphrase, 0o604);
    const damaged = await secretFile(folder, "damaged.json", { ...keystoreOf(other), version: 1 });
    const nameless = await secretFile(folder, "nameless.json", encrypted(other));
    const { findings } = await doctor({
      REGISTRAR_KEYSTORE: registrar,
      REPORTER_KEYSTORE: stranger,
      REPORTER_PASSPHRASE_FILE: passphrase,
      TREASURER_KEYSTORE: shared,
      GUARDIAN_KEYSTORE: damaged,
      CONFIRMER_KEYSTORE: join(folder, "none.json"),
      KEEPER_KEYSTORE: nameless,
      OPERATOR_KEYSTORE: stranger,
      OPERATOR_KEYS: `0x${"12".repeat(20)}`,
    });
    const said = ["REGISTRAR", "TREASURER", "GUARDIAN", "CONFIRMER", "KEEPER", "OPERATOR"].map((role) => {
      const { result, says } = of(findings, `${role}_KEYSTORE`) ?? {};
      return [result, says];
    });
    expect(said).toEqual([
      ["failed", "REGISTRAR_KEYSTORE and REGISTRAR_PRIVATE_KEY are both set"],
      ["failed", `other users can open ${shared}`],
      ["failed", `${damaged} is no keystore of version 3 (Web3 Secret Storage)`],
      ["failed", `${join(folder, "none.json")} cannot be read: ENOENT`],
      ["ok", `${nameless} is a keystore that names no address`],
      ["failed", `${stranger} is a keystore of ${address}, which is not in OPERATOR_KEYS`],
    ]);
    expect(of(findings, "REPORTER_PASSPHRASE_FILE")).toMatchObject({
      ...{ result: "failed", says: `other users can open ${passphrase}`, next: `chmod 600 ${passphrase}` },
    });
    expect(of(findings, "chain 31337 reporter")).toMatchObject({
      ...{ result: "failed", says: `${address} does not hold the role` },
    });
  });

  it("reports a head that stands still", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      const { findings } = await doctor();
      expect(of(findings, "chain 31337 node 1")).toMatchObject({
        result: "failed",
        says: expect.stringMatching(/is 36\d\d s old, and none followed within 1 s$/),
      });
      expect(of(findings, "clock")).toMatchObject({ result: "failed", says: expect.stringMatching(/3600 s behind/) });
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports a proxy that believes addresses, shows metrics, buffers events or loses the API", async () => {
    Object.assign(faults, { passesForwarded: true, passesMetrics: true });
    const open = await doctor();
    expect(of(open.findings, "proxy addresses")).toMatchObject({
      result: "failed",
      says: "a visitor can choose an address by X-Forwarded-For, and has no limits",
    });
    expect(of(open.findings, "proxy metrics")?.result).toBe("warning");
    Object.assign(faults, { passesForwarded: false, buffers: true });
    const buffering = await doctor();
    expect(of(buffering.findings, "proxy events")).toMatchObject({
      result: "failed",
      says: "nothing of an event stream arrived within 5 s",
    });
    faults.losesApi = true;
    const lost = await doctor();
    expect(of(lost.findings, "proxy host")).toMatchObject({ result: "failed", says: "/api/v2/network answers 404" });
  });

  it("asks an https address for Strict-Transport-Security, and fails where the internet reads metrics", async () => {
    const real = fetch;
    const there = environment.PUBLIC_URL ?? "";
    let strict: string | null = "max-age=31536000";
    vi.stubGlobal("fetch", async (url: URL, options: RequestInit) => {
      const answer = await real(new URL(url.pathname, url.hostname === "aqua.example" ? there : url), options);
      if (url.pathname !== "/") return answer;
      return new Response(answer.body, { headers: strict === null ? {} : { "strict-transport-security": strict } });
    });
    const PUBLIC_URL = "https://aqua.example";
    const kept = await doctor({ PUBLIC_URL });
    expect(of(kept.findings, "address")?.result).toBe("ok");
    expect(of(kept.findings, "proxy https")).toMatchObject({ result: "ok", says: expect.stringContaining("31536000") });
    strict = null;
    faults.passesMetrics = true;
    const lost = await doctor({ PUBLIC_URL });
    expect(of(lost.findings, "proxy https")?.result).toBe("failed");
    expect(of(lost.findings, "proxy metrics")).toMatchObject({
      result: "failed",
      says: "/metrics can be read at PUBLIC_URL",
    });
  });
});
