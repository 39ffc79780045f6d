import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { createClient } from "@aqua/sdk/api/client";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { type Address, createPublicClient, encodeFunctionData, http, parseEventLogs, parseUnits } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createSender } from "../../apps/server/src/chain/sender.ts";
import { connectDatabase } from "../../apps/server/src/db/database.ts";
import { newDevice, type TestDevice } from "../../apps/server/test/telemetry/devices.ts";
import { depositor, roleKey } from "../../devnet/src/accounts.ts";
import { type Chain, startChain } from "../../devnet/src/chain.ts";
import { type DeployedWorld, deployContracts, writeDeployment } from "../../devnet/src/deploy.ts";
import { productsFolder } from "../../devnet/src/documents.ts";
import { becomeVerified, clientOf } from "../../devnet/src/person.ts";
import { isAlive } from "../../devnet/src/processes.ts";
import { Sender } from "../../devnet/src/sender.ts";
import { freePort } from "../../devnet/test/support/port.ts";
import { findPostgres15, installedPostgres } from "../../scripts/postgres.ts";
import { dayEnds, passwordOfAll, startDeposits, startDevice, startPeople } from "./drivers.ts";
import { catchMails, documented, haproxy, mosquitto, Part, postgres } from "./parts.ts";

/**
 * A bad day of an instance as an operator installs it: the build, PostgreSQL, Mosquitto, HAProxy, a mail server and a
 * chain. The commands are those of docs/operators. The tests run in their order, each from where the one before ended.
 */

const repository = join(import.meta.dirname, "../..");
const shortId = "sahel-solar";
const operatorToken = "t".repeat(32);
const wallet = depositor(1);
const folder = mkdtempSync(join(tmpdir(), "aqua-production-"));
const work = join(folder, "srv");
/** Has pg_dump of the same version, which the embedded PostgreSQL lacks. */
const bin = installedPostgres() ?? findPostgres15();

let database: ReturnType<typeof postgres>;
let broker: Part;
let proxy: Part;
let throughProxy: typeof fetch;
let mail: Awaited<ReturnType<typeof catchMails>>;
let chain: Chain;
let deployed: DeployedWorld;
let environment: Record<string, string>;
let url: string;
const servers: { part: Part; url: string }[] = [];
let ageIdentity: string;

let meter: TestDevice;
let device: ReturnType<typeof startDevice>;
let people: ReturnType<typeof startPeople>;
let deposits: ReturnType<typeof startDeposits>;

const parts = () =>
  [proxy, ...servers.map(({ part }) => part), broker, database?.part].filter((part) => part !== undefined);

const programs = join(folder, "opt");
/** Runs a command of the documentation in which folders are replaced. Resolves with its output. */
async function run(command: string, replacements: Record<string, string> = {}, cwd = work): Promise<string> {
  let text = command.replaceAll("/opt/aqua", programs);
  for (const [from, to] of Object.entries(replacements)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { stdout } = await promisify(execFile)("sh", ["-ec", text], { cwd, env: { ...environment, PATH } });
  return stdout;
}
const asAdministrator = async (statement: string) => {
  const db = await connectDatabase(database.url("postgres", "postgres"));
  await db.orm.execute(statement).finally(db.close);
};

const chainOptions = { blockTime: 1, dataDir: join(folder, "chain") };
beforeAll(async () => {
  await chmod(folder, 0o755);
  for (const name of [work, programs, join(folder, "backups"), join(folder, "batches")]) mkdirSync(name);
  database = postgres(join(folder, "postgres"), bin);
  database.part.start();
  const mqttPort = await freePort();
  broker = mosquitto(join(folder, "mosquitto"), mqttPort);
  broker.start();
  const smtpPort = await freePort();
  mail = await catchMails(smtpPort);
  chain = await startChain({ ...chainOptions, blockTime: "manual", port: await freePort() });
  deployed = await deployContracts(await Sender.on(chain.rpc));
  await chain.follow(1);
  // The documented layout of the working directory, so that no setting names a folder.
  await writeDeployment(work, deployed.deployment);
  cpSync(productsFolder, join(work, "products"), { recursive: true });
  environment = {
    NODE_ENV: "production",
    PUBLIC_URL: "https://localhost",
    TRUST_PROXY: "1",
    SHUTDOWN_DELAY: "10",
    DATABASE_URL: database.url("aqua", "aqua"),
    SECRET_KEY: "5e".repeat(32),
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    RPC_URL_31337: chain.url,
    MQTT_URL: `mqtt://127.0.0.1:${mqttPort}`,
    OPERATOR_TOKEN: operatorToken,
    ATTESTER_PRIVATE_KEY: roleKey("attester"),
    ANCHORER_PRIVATE_KEY: roleKey("anchorer"),
    ANCHOR_EVERY: "5",
    BATCH_DIR: join(folder, "batches"),
    RATE_LIMIT_ACCOUNT: "5000",
    RATE_LIMIT_API: "100000",
    POSTGRES_BIN: bin,
  };
  const ports = [await freePort(), await freePort()] as const;
  for (const port of ports) servers.push(serverAt(port));
  const https = await freePort();
  const { part, fetch } = haproxy(join(folder, "haproxy"), { https, http: await freePort(), servers: ports });
  proxy = part;
  throughProxy = fetch;
  url = `https://localhost:${https}`;
  ageIdentity = await generateIdentity();
  writeFileSync(join(folder, "key.txt"), `${ageIdentity}\n`);
});

afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const { name, said } of parts()) console.error(`── ${name} ──\n${said.slice(-4_000)}`);
});
afterAll(async () => {
  dayEnds.abort();
  for (const part of parts()) await part.remove();
  if (chain !== undefined) {
    if (isAlive(chain.pid)) process.kill(chain.pid, "SIGCONT");
    await chain.stop();
  }
  // Their failures were reported by the tests.
  await Promise.allSettled([people, device, deposits].map((driver) => driver?.stop()));
  await mail?.close();
  rmSync(folder, { recursive: true, force: true });
});

function serverAt(port: number): { part: Part; url: string } {
  const command = documented("installing.md", /current\/server\.js/).replace("/opt/aqua", programs);
  const part = new Part(`server at ${port}`, () =>
    // The shell becomes the server.
    spawn("sh", ["-ec", `exec ${command}`], {
      cwd: work,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...environment, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  return { part, url: `http://127.0.0.1:${port}` };
}

const start = (server: { part: Part }) => server.part.start();

/** The answer of a server's /ready: its status, and the parts that it names. */
async function ready({ url: at }: { url: string }): Promise<{ status: number; parts: string[] }> {
  try {
    const response = await fetch(`${at}/ready`, { signal: AbortSignal.timeout(20_000) });
    const { reasons, degraded } = (await response.json()) as Record<string, { part: string }[]>;
    return { status: response.status, parts: [...(reasons ?? []), ...(degraded ?? [])].map(({ part }) => part) };
  } catch {
    return { status: 0, parts: [] };
  }
}
const patience = { timeout: 180_000, interval: 250 };
const allWell = async () => {
  for (const server of servers) await expect.poll(() => ready(server), patience).toEqual({ status: 200, parts: [] });
};
/** Resolves when each of the drivers has had more of its things acknowledged. */
async function goesOn(drivers: { count(): number }[] = [people, device, deposits]): Promise<void> {
  const before = drivers.map((driver) => driver.count());
  await expect
    .poll(() => drivers.every((driver, index) => driver.count() > (before[index] ?? 0) + 1), patience)
    .toBe(true);
}

const apiOf = ({ url: at }: { url: string }) => createClient({ baseUrl: `${at}/api/v2` });
async function operator<Data>(path: string, body?: object): Promise<Data> {
  const response = await fetch(`${servers[0]?.url}/api/v2/operator/${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", authorization: `Bearer ${operatorToken}` },
  });
  const { data, message } = (await response.json()) as { data: Data; message?: string };
  if (!response.ok) throw new Error(message);
  return data;
}
const client = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });

it("installs by the documented commands, and people, a device and a wallet begin", async () => {
  for (const pattern of [/^create role/, /^create database/])
    await expect
      .poll(() => asAdministrator(documented("installing.md", pattern)).then(() => "done", String), patience)
      .toBe("done");
  await run(documented("installing.md", /^cp -r dist/), {}, repository);
  expect(await run(documented("installing.md", /aqua\.js migrate/))).toMatch(/^\d+ migrations were applied\.\n$/);
  servers.forEach(start);
  proxy.start();
  await allWell();

  people = startPeople(url, throughProxy, mail.mails);
  await expect.poll(() => people.count(), patience).toBeGreaterThan(0);

  const [server = { url: "" }] = servers;
  const person = { email: "person-0@aqua.example", password: passwordOfAll, country: "FR", name: "Anna" };
  const becoming = becomeVerified({ url: server.url, token: people.tokens[0] ?? "", person, wallet });
  const cases = () => operator<{ items: { id: string }[] }>("identity?status=pending").then(({ items }) => items);
  await expect.poll(cases, patience).toHaveLength(1);
  for (const { id } of await cases()) await operator(`identity/${id}/approve`, {});
  await becoming;

  const vault = deployed.vaults.get(shortId) as Address;
  const { testDollar, telemetryAnchor } = deployed.addresses;
  const sender = await Sender.on(chain.rpc);
  const call = (functionName: "mint" | "approve", to: Address) => ({
    ...{ from: wallet, to: testDollar, what: functionName },
    data: encodeFunctionData({ abi: testDollarAbi, functionName, args: [to, 10n ** 12n] }),
  });
  await chain.rpc.call("anvil_setBalance", [wallet.address, "0xd3c21bcecceda1000000"]);
  await sender.block([call("mint", wallet.address), call("approve", vault)]);
  await sender.settle();
  deposits = startDeposits(chain.url, { wallet, vault, nonce: sender.nonceOf(wallet.address) });

  const validFrom = Number((await client().getBlock()).timestamp) + 30;
  meter = newDevice({ name: "meter-1", start: (validFrom + 1) * 1_000, step: 200 });
  await createSender(client(), roleKey("registrar")).call({
    address: telemetryAnchor,
    abi: telemetryAnchorAbi,
    functionName: "registerP256Key",
    args: [nameHex(meter.name), meter.key.x, meter.key.y, BigInt(validFrom)],
  });
  const description = {
    ...{ name: meter.name, short_id: shortId, metric: "power", exponent: -1, min: "0", max: "100000", max_step: null },
    ...{ interval: 1_000, place: "Field", latitude: 1, longitude: 2, model: "M", trust: "secure_element" },
  };
  let password = "";
  const enrol = () =>
    operator<{ secret: string }>("devices", description).then(({ secret }) => {
      password = secret;
      return "enrolled";
    }, String);
  await expect.poll(enrol, patience).toBe("enrolled");
  device = startDevice(meter, Number(new URL(environment.MQTT_URL ?? "").port), password);
  await goesOn();
});

let batchesBefore = 0;
it("makes a backup while everything goes on", async () => {
  await expect.poll(async () => (await anchors()).length, patience).toBeGreaterThan(0);
  batchesBefore = (await anchors()).length;
  const recipient = await identityToRecipient(ageIdentity);
  const replacements = { "/var/backups/aqua": join(folder, "backups"), "age1…": recipient };
  await run(documented("settings.md", /^node .*aqua\.js backup/), replacements);
  expect(readdirSync(join(folder, "backups"))).toHaveLength(1);
  await goesOn();
});

async function anchors(server = servers[0] as { url: string }) {
  const all: { number: number; root: string; count: number }[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await apiOf(server).anchors({ short_id: shortId, page, page_size: 100 });
    all.push(...items);
    if (all.length >= total || items.length === 0) return all;
  }
}

it.each([0, 1])("goes on while server %i is killed and while it is frozen", async (index) => {
  const { part } = servers[index] as (typeof servers)[number];
  const other = servers[1 - index] as (typeof servers)[number];
  const othersWork = async () => {
    await goesOn();
    // The other server now follows the chain.
    const known = async () => (await apiOf(other).transactions(wallet.address, { kind: "deposit" })).total;
    const before = await known();
    await expect.poll(known, patience).toBeGreaterThan(before);
    expect(await ready(other)).toMatchObject({ status: 200 });
  };
  await part.end();
  await othersWork();
  part.start();
  await allWell();
  part.signal("SIGSTOP");
  await othersWork();
  part.signal("SIGCONT");
  await allWell();
  await goesOn();
});

it("answers 503 while the database is killed or frozen, and then goes on", async () => {
  const away = async () => {
    for (const server of servers)
      await expect
        .poll(() => ready(server), patience)
        .toMatchObject({ status: 503, parts: expect.arrayContaining(["database"]) });
  };
  await database.part.end();
  await away();
  database.part.start();
  await allWell();
  await goesOn();
  database.part.signal("SIGSTOP");
  await away();
  database.part.signal("SIGCONT");
  await allWell();
  await goesOn();
});

it("stays ready without the broker, names it, and misses no reading", async () => {
  const away = async () => {
    await expect
      .poll(async () => (await Promise.all(servers.map(ready))).flatMap(({ parts }) => parts), patience)
      .toContain("mqtt");
    for (const server of servers) expect((await ready(server)).status).toBe(200);
    await goesOn([people, deposits]);
  };
  await broker.end();
  await away();
  broker.start();
  await allWell();
  await goesOn();
  broker.signal("SIGSTOP");
  await goesOn([people, deposits]);
  for (const server of servers) expect((await ready(server)).status).toBe(200);
  broker.signal("SIGCONT");
  await allWell();
  await goesOn();
});

it("stays ready without the chain's node, names the chain, and catches up", async () => {
  const away = async () => {
    for (const server of servers)
      await expect.poll(() => ready(server), patience).toMatchObject({ status: 200, parts: ["chain 31337"] });
    await goesOn([people]);
  };
  // A killed anvil loses the blocks since it last wrote its state. Those of the servers' transactions may go.
  await deposits.pause();
  await chain.persist();
  process.kill(chain.pid, "SIGKILL");
  await chain.died;
  await away();
  chain = await startChain({ ...chainOptions, port: chain.port });
  deposits.resume();
  await allWell();
  await goesOn();
  process.kill(chain.pid, "SIGSTOP");
  await away();
  process.kill(chain.pid, "SIGCONT");
  await allWell();
  await goesOn();
});

it("stays ready without the proxy, and people go on when it is back", async () => {
  await proxy.end();
  await goesOn([device, deposits]);
  await allWell();
  proxy.start();
  await goesOn();
  proxy.signal("SIGSTOP");
  await goesOn([device, deposits]);
  await allWell();
  proxy.signal("SIGCONT");
  await goesOn();
});

it("replaces the build and restarts one server after the other without a failed request", async () => {
  await goesOn();
  people.failures.length = 0;
  const copy = documented("installing.md", /^cp -r dist/).replaceAll("2026-11-27", "2026-11-28");
  await run(copy, {}, repository);
  await asAdministrator("alter role aqua createdb");
  const places = { "2026-12-04": "2026-11-28", "/var/backups/aqua": join(folder, "before") };
  mkdirSync(places["/var/backups/aqua"]);
  const upgraded = await run(documented("installing.md", /aqua\.js upgrade/), places);
  expect(upgraded).toMatch(/are the same recomputed from the chain by the new build\.\n/);
  expect(upgraded).toMatch(/\nThe database is of this version\. Start the servers with the new build\.\n$/);
  for (const server of servers) {
    expect(await server.part.end("SIGTERM")).toBe(0);
    server.part.start();
    await allWell();
    // The proxy sends it requests again. Which of a person's calls come to it depends on the turns.
    const asked = async () => /"\/api\/v2\/account\//.test(await (await fetch(`${server.url}/metrics`)).text());
    await expect.poll(asked, patience).toBe(true);
  }
  await goesOn();
  expect(people.failures).toEqual([]);
});

/** Compares the wallet's position at a server with the chain's events and with what the wallet was told. */
async function comparePosition(server: { url: string }): Promise<void> {
  const vault = deployed.vaults.get(shortId) as Address;
  const logs = await client().getLogs({ address: vault, fromBlock: 0n });
  const transfers = parseEventLogs({ abi: demandVaultAbi, eventName: "Transfer", logs });
  const isOurs = (address: Address) => address.toLowerCase() === wallet.address.toLowerCase();
  const shares = transfers.reduce(
    (sum, { args: { from, to, value } }) => sum + (isOurs(to) ? value : 0n) - (isOurs(from) ? value : 0n),
    0n,
  );
  const decimals = await client().readContract({ abi: demandVaultAbi, address: vault, functionName: "decimals" });
  const held = async () => {
    const { items } = await apiOf(server).hold(wallet.address);
    return items.map((holding) => [holding.short_id, parseUnits(holding.shares ?? "", decimals)]);
  };
  await expect.poll(held, patience).toEqual([[shortId, shares]]);
  const known: [string, bigint][] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await apiOf(server).transactions(wallet.address, {
      kind: "deposit",
      page,
      page_size: 100,
    });
    known.push(...items.map(({ hash, amount }): [string, bigint] => [hash, parseUnits(amount ?? "", 6)]));
    if (known.length >= total || items.length === 0) break;
  }
  const told = deposits.deposits.map(({ hash, amount }): [string, bigint] => [hash, amount]);
  expect(known.toSorted()).toEqual(told.toSorted());
  const [holding] = (await apiOf(server).hold(wallet.address)).items;
  expect(parseUnits(holding?.principal ?? "", 6)).toBe(told.reduce((sum, [, amount]) => sum + amount, 0n));
}

let batches: Awaited<ReturnType<typeof anchors>>;
it("has everything that it acknowledged, and nothing twice", async () => {
  await Promise.all([people.stop(), device.stop(), deposits.stop()]);
  await comparePosition(servers[1] as { url: string });

  // Each reading is in one batch, and in the table.
  const count = async () => (await anchors()).reduce((sum, batch) => sum + batch.count, 0);
  // The answer to the last message may have been lost.
  const [newest] = await apiOf(servers[1] as { url: string }).deviceReadings(meter.name, { limit: 1 });
  await expect.poll(count, patience).toBe(newest?.seq);
  batches = await anchors();
  const anchored: number[] = [];
  for (const { number } of batches) {
    const text = await (await apiOf(servers[0] as { url: string }).batchFile(shortId, number)).text();
    const [, ...lines] = text.trimEnd().split("\n");
    anchored.push(...lines.map((line) => (JSON.parse(line) as { seq: number }).seq));
  }
  anchored.sort((a, b) => a - b);
  expect(anchored).toEqual(anchored.map((_, index) => index + 1));
  expect([...device.stored].filter((seq) => seq > anchored.length)).toEqual([]);
  const stored: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = await apiOf(servers[1] as { url: string }).deviceReadings(meter.name, {
      limit: 200,
      ...(before && { before }),
    });
    stored.push(...page.map(({ seq }) => seq));
    if (page.length < 200) break;
    before = page.at(-1)?.seq;
  }
  expect(stored.toReversed()).toEqual(anchored);

  for (const token of people.tokens) {
    expect((await clientOf(servers[0]?.url ?? "", token).accountInfo()).email).toMatch(/^person-\d+@/);
  }
  for (const email of people.registered) {
    await apiOf(servers[1] as { url: string }).login({ email, password: passwordOfAll });
    // A server that was killed while it handed a mail over hands over the same one again.
    const codes = mail.mails.filter(({ to, text }) => to === email && /^Subject: .*code/im.test(text));
    expect(new Set(codes.map(({ id }) => id)).size, email).toBe(1);
  }
  expect(people.registered.length).toBeGreaterThan(10);
});

it("gets its batches and deposits back on the database of the backup", async () => {
  for (const { part } of servers) expect(await part.end("SIGTERM")).toBe(0);
  expect(batches.length).toBeGreaterThan(batchesBefore);
  await asAdministrator("create database restored owner aqua");
  environment.DATABASE_URL = database.url("aqua", "restored");
  const [archive = ""] = readdirSync(join(folder, "backups"));
  await run(documented("settings.md", /^node .*aqua\.js restore .*key\.txt$/), {
    "/var/backups/aqua/aqua-backup-….tar.age": join(folder, "backups", archive),
    "key.txt": join(folder, "key.txt"),
  });
  servers.forEach(start);
  await allWell();
  const restored = servers[0] as { url: string };
  const figures = (all: typeof batches) => all.map(({ number, root, count }) => ({ number, root, count }));
  await expect.poll(async () => figures(await anchors(restored)), patience).toEqual(figures(batches));
  await comparePosition(restored);
  await apiOf(restored).login({ email: "person-0@aqua.example", password: passwordOfAll });
});
