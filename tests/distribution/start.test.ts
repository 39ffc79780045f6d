import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { connectDatabase } from "../../apps/server/src/db/database.ts";
import { type PostgresServer, startPostgres } from "../../apps/server/test/support/startPostgres.ts";
import { deploymentsFolder } from "../../devnet/src/deploy.ts";
import { productsFolder } from "../../devnet/src/documents.ts";
import { startWorld, type World } from "../../devnet/src/world.ts";
import { freePort } from "../../devnet/test/support/port.ts";

/** A folder without node_modules above it. */
const folder = mkdtempSync(join(tmpdir(), "aqua-dist-"));
const dist = join(folder, "aqua 1");
const work = join(folder, "work");
let postgres: PostgresServer;
let world: World;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  cpSync(join(import.meta.dirname, "../../dist"), dist, { recursive: true });
  mkdirSync(work);
  postgres = await startPostgres(["fsync=off"]);
  const [chainPort, httpPort] = [await freePort(), await freePort()];
  const dataDir = join(folder, "world");
  world = await startWorld({ dataDir, chainPort, httpPort, server: false, build: false, history: "month" });
});
afterAll(async () => {
  await world?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH,
  NODE_ENV: "production",
  PORT: "0",
  MQTT_PORT: "off",
  DATABASE_URL: postgres.url,
  SECRET_KEY: "ab".repeat(32),
  SMTP_URL: "smtp://127.0.0.1:25",
  RPC_URL_31337: world.rpcUrl,
  DEPLOYMENTS_DIR: deploymentsFolder(join(folder, "world")),
  PRODUCTS_DIR: productsFolder,
});

async function start(): Promise<{ child: ChildProcess; url: string; said: () => string }> {
  const child = spawn(process.execPath, [join(dist, "server.js")], { cwd: work, env: environment() });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const url = () => /"url":"(http[^"]+)"/.exec(said)?.[1];
  await expect.poll(() => url() ?? child.exitCode).not.toBeNull();
  expect(url(), said).toBeDefined();
  return { child, url: url() ?? "", said: () => said };
}

/** Runs a program of the build that must refuse. Returns what it says. */
function refusal(more: Record<string, string> = {}, program = "server.js"): string {
  const env = { ...environment(), ...more };
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(dist, program)], {
    ...{ cwd: work, env, encoding: "utf8", timeout: 60_000 },
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  return stderr;
}

/** Changes a file of the build until the test ends. */
function change(file: string, to: (text: string) => string | null): void {
  const path = join(dist, file);
  const before = readFileSync(path);
  const after = to(before.toString());
  if (after === null) rmSync(path);
  else writeFileSync(path, after);
  onTestFinished(() => writeFileSync(path, before));
}

it("a copied build answers pages, their files and calls as one process, and ends on SIGTERM with 0", async () => {
  const { child, url, said } = await start();
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  // The server is ready at once, and the chain a part that is still being read.
  await expect.poll(async () => JSON.parse((await get("/ready")).text).degraded).toEqual([]);
  const home = await get("/");
  const products = await get("/products");
  expect([home.status, products.status]).toEqual([200, 200]);
  // The server rendered it: the build itself has no products.
  expect(products.text).toContain('href="/product/aegean-water"');
  const files = [...`${home.text}${products.text}`.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, file]) => file,
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of new Set(files)) {
    const { status, text } = await get(file ?? "");
    expect(status, file).toBe(200);
    expect(text).toBe(readFileSync(join(dist, "web", file ?? ""), "utf8"));
  }
  const call = JSON.parse((await get("/api/v2/product/list")).text);
  expect(call.data.items.map(({ short_id: id }: { short_id: string }) => id)).toContain("aegean-water");
  expect((await get("/api/v2/docs/static/swagger-ui-bundle.js")).status).toBe(200);
  expect((await get("/api/v2/docs/")).text).toContain("Aqua API");

  if (process.platform === "linux") {
    expect(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")).toBe("");
  }
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(said()).toContain('"msg":"stopped"');
  expect(readdirSync(dist)).not.toContain(".aqua");
});

it("the operator's command runs from a copied build", () => {
  const out = execFileSync(process.execPath, [join(dist, "aqua.js"), "help"], { cwd: work, encoding: "utf8" });
  expect(out).toContain("Usage: aqua <command>");
});

it("the operator's command migrates a database from a copied build, once, and says in one line why not", async () => {
  const name = `migrated_${process.pid}`;
  const migrate = (url: string) => {
    const env = { ...environment(), DATABASE_URL: url };
    const args = [join(dist, "aqua.js"), "migrate"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: work, env, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const url = postgres.url.replace(/postgres$/, name);
  expect(migrate(url)).toMatchObject({
    status: 1,
    stderr: `aqua: the database of DATABASE_URL does not answer: database "${name}" does not exist\n`,
  });
  const db = await connectDatabase(postgres.url);
  await db.orm.execute(`create database ${name}`);
  await db.close();
  expect(migrate(url)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+ migrations were applied\.\n$/),
    stderr: "",
  });
  expect(migrate(url)).toEqual({ status: 0, stdout: "The database is of this version.\n", stderr: "" });
});

const remedy = "make it with `npm run build` and copy all of dist\n";
it.each<[what: string, file: string, to: (text: string) => string | null, says: () => string]>([
  [
    "without its manifest",
    "manifest.json",
    () => null,
    () => `there is no complete build in ${dist}: its manifest.json is missing or damaged`,
  ],
  [
    "with a file missing",
    "web/.server/server.js",
    () => null,
    () => `the build of Aqua 0.1.0 in ${dist} is incomplete: web/.server/server.js cannot be read`,
  ],
  [
    "with the web app of another version",
    "web/index.html",
    (text) => text.replaceAll("index-", "index-other-"),
    () => `${join(dist, "web/index.html")} is not of this build of Aqua 0.1.0`,
  ],
  [
    "with the migrations of another version",
    "migrations/meta/_journal.json",
    (text) => text.replace("0018_", "0018_other_"),
    () => `${join(dist, "migrations/meta/_journal.json")} is not of this build of Aqua 0.1.0`,
  ],
  [
    "on a Node that is too old",
    "manifest.json",
    (text) => text.replace(">=22.12", ">=99.1"),
    () => `this build needs Node 99.1 or newer, and this is ${process.versions.node}`,
  ],
  [
    "made for another system",
    "manifest.json",
    (text) => text.replace(/"system": "[^"]+"/, '"system": "plan9 mips"'),
    () => `this build is for plan9 mips, and this is ${process.platform} ${process.arch}`,
  ],
])("a build %s does not start and says why in one line", (_, file, to, says) => {
  change(file, to);
  expect(refusal()).toBe(`aqua: ${says()}; ${remedy}`);
  expect(refusal({}, "aqua.js")).toBe(`aqua: ${says()}; ${remedy}`);
});

it("a build has no embedded database and says so", () => {
  expect(refusal({ DATABASE_URL: "", ALLOW_EMBEDDED_DB: "1" })).toBe(
    `aqua: no embedded PostgreSQL for ${process.platform} on ${process.arch} is installed; set DATABASE_URL to a PostgreSQL server\n`,
  );
});
