import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectDatabase } from "../../apps/server/src/db/database.ts";
import { countMigrations } from "../../apps/server/src/db/migrate.ts";
import { type PostgresServer, startPostgres } from "../../apps/server/test/support/startPostgres.ts";
import { freePort } from "../../devnet/test/support/port.ts";
import { findPostgres15, installedPostgres } from "../../scripts/postgres.ts";

/**
 * Upgrades the seeded world of each release to these sources by `aqua upgrade`, while its own `npm start` goes on. A release
 * is a commit of this repository: its files are taken from git, and it installs itself from its lockfile.
 */

const repository = join(import.meta.dirname, "../..");
/** Has pg_dump of the same version, which the embedded PostgreSQL lacks. */
const bin = installedPostgres() ?? findPostgres15();
const CHAIN = 31337;

const folder = mkdtempSync(join(tmpdir(), "aqua-releases-"));
let postgres: PostgresServer;
const worlds: { child: ChildProcess; ended: Promise<unknown> }[] = [];
beforeAll(async () => {
  postgres = await startPostgres(["fsync=off"], bin);
});
afterAll(async () => {
  for (const { child, ended } of worlds) {
    child.kill("SIGTERM");
    await ended;
  }
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Release {
  commit: string;
  /** The settings of its running world. */
  environment: Record<string, string>;
  /** A folder with its server.js. */
  build: string;
}

/** Starts the seeded world of a commit and resolves when it is ready. `prepare` may change its files before. */
async function startRelease(commit: string, prepare: (sources: string) => void = () => {}): Promise<Release> {
  const sources = join(folder, commit);
  mkdirSync(sources);
  const archive = execFileSync("git", ["archive", commit], { cwd: repository, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", sources], { input: archive });
  prepare(sources);
  await run(`create database release_${commit}`);
  const url = postgres.url.replace(/postgres$/, `release_${commit}`);
  const dataDir = join(folder, `${commit}-data`);
  const [port, chainPort, mqttPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.execPath, ["scripts/bootstrap.mjs", "start"], {
    cwd: sources,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...{ ...process.env, DATABASE_URL: url, DATA_DIR: dataDir },
      ...{ PORT: String(port), CHAIN_PORT: String(chainPort), MQTT_PORT: String(mqttPort) },
    },
  });
  worlds.push({ child, ended: new Promise((resolve) => child.once("close", resolve)) });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`npm start of ${commit} ended with ${code}:\n${said}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => {
        said += text.toString();
        if (said.includes("Aqua is ready: ")) resolve();
      });
  });
  const build = join(folder, `${commit}-build`);
  mkdirSync(build);
  writeFileSync(join(build, "package.json"), '{"type":"module"}');
  const tsx = join(sources, "node_modules/tsx/dist/esm/api/index.mjs");
  const main = join(sources, "apps/server/src/main.ts");
  writeFileSync(
    join(build, "server.js"),
    `import { register } from ${JSON.stringify(tsx)};\nregister();\nawait import(${JSON.stringify(main)});\n`,
  );
  const environment = {
    ...{ PATH: process.env.PATH ?? "", POSTGRES_BIN: bin, DATABASE_URL: url, DATA_DIR: dataDir },
    [`RPC_URL_${CHAIN}`]: `http://127.0.0.1:${chainPort}`,
    DEPLOYMENTS_DIR: join(dataDir, "deployments"),
    PRODUCTS_DIR: join(sources, "devnet/products"),
  };
  return { commit, environment, build };
}

async function run<Row extends Record<string, unknown>>(statement: string, url = postgres.url): Promise<Row[]> {
  const db = await connectDatabase(url);
  try {
    return (await db.orm.execute<Row>(statement)).rows;
  } finally {
    await db.close();
  }
}

interface Upgrade {
  code: unknown;
  said: string;
  /** Fields that differ, without product, wallet and places in lists. */
  fields: Set<string>;
  archives: number;
  migrations: number;
  /** Copies that are left. */
  copies: number;
}

/** Runs `aqua upgrade` of these sources. */
async function upgrade({ commit, environment, build }: Release, accept: readonly string[]): Promise<Upgrade> {
  const backups = mkdtempSync(join(folder, "backups-"));
  const accepted = accept.flatMap((field) => ["--accept", field]);
  const args = [join(repository, "apps/operator/bin/aqua.mjs"), "upgrade", "--from", build, "--backup", backups];
  const child = spawn(process.execPath, [...args, ...accepted], {
    cwd: repository,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      said += text.toString();
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  console.log(`${commit}: ${said}`);
  const differing = [...said.matchAll(/^ {2}[^.\s[]+((?:\[\d+\])*\.\S+): old /gm)].map(([, field = ""]) => field);
  const [journal] = await run<{ count: string }>(
    "select count(*) from drizzle.__drizzle_migrations",
    environment.DATABASE_URL,
  );
  const copies = await run("select datname from pg_database where datname like 'aqua_upgrade_%'");
  return {
    ...{ code, said, archives: readdirSync(backups).length, copies: copies.length },
    fields: new Set(differing.map((field) => field.replaceAll(/\[\d+\]/g, "").slice(1))),
    migrations: Number(journal?.count),
  };
}

it("a world of commit 0def9566 is upgraded with the figures that it had", async () => {
  const release = await startRelease("0def9566");
  // e7ab958e: the fall of a loss that was taken back counts. The product has had one of 1.47 %, and the old version said 0.
  const { said, ...result } = await upgrade(release, ["max_drawdown"]);
  expect(result).toEqual({
    ...{ code: 0, archives: 1, copies: 0, migrations: countMigrations() },
    fields: new Set(["max_drawdown"]),
  });
  const figures = [...said.matchAll(/^(\d+) figures, of \d+ wallets among others, are the same/gm)];
  expect(figures.map(([, count]) => Number(count) > 10_000)).toEqual([true, true]);
});

/** Documents of evidence have a hash since. The operator gives them one before, as the changelog says. */
function giveEvidenceHashes(sources: string): void {
  for (const file of globSync("devnet/products/*.json", { cwd: sources })) {
    const path = join(sources, file);
    const hash = `"hash": "0x${"5e".repeat(32)}"`;
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('"hash": null', hash));
  }
}

it("a world of commit d4a6910, whose contracts this version does not understand, is refused", async () => {
  const release = await startRelease("d4a6910", giveEvidenceHashes);
  const before = { code: 1, archives: 0, copies: 0, migrations: 7 };
  const known = [
    // 658e15d4: what a demand deposit expects is in `inflow_ahead`; weeks are those of maturities, which it has not.
    ...["weeks.length", "weeks.start", "weeks.maturities", "weeks.expected_inflow"],
    // f27a051e: requests are payable from a moment that the contract names. These contracts name none.
    "queue.ready_shares",
  ];
  const migrated = await upgrade(release, []);
  expect(migrated).toMatchObject(before);
  expect(migrated.said).toMatch(/figures differ on the migrated copy: /);
  expect(migrated.fields).toEqual(new Set(known));

  // f27a051e, "not compatible with deployments before": `Reported` has changed, so this version sees no report of these
  // contracts, and their prices would stand still from the upgrade on. Only the chain shows it.
  const recomputed = await upgrade(release, known);
  expect(recomputed).toMatchObject(before);
  expect(recomputed.said).toMatch(/figures differ recomputed from the chain by the new build: /);
  expect([...recomputed.fields]).toEqual(expect.arrayContaining(["reports.length", "items.share.price"]));
});
