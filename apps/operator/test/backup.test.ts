import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { sql } from "drizzle-orm";
import { packTar, unpackTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedPostgres } from "../../../scripts/postgres.ts";
import { account } from "../../server/src/account/schema.ts";
import { connectDatabase, type Database } from "../../server/src/db/database.ts";
import { deletionList } from "../../server/src/db/deletionList.ts";
import { migrate } from "../../server/src/db/migrate.ts";
import { openAccount } from "../../server/test/support/accounts.ts";
import { createServerDatabase } from "../../server/test/support/databases.ts";
import { type PostgresServer, startPostgres } from "../../server/test/support/startPostgres.ts";
import { runAqua } from "./support/aqua.ts";

const bin = installedPostgres();

async function aqua(args: string[], environment: Record<string, string>) {
  return runAqua(args, environment);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-backup-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A pg_dump that says another version than any server's. */
async function programsOf(version: string): Promise<string> {
  const place = await mkdtemp(join(folder, "bin-"));
  for (const name of ["pg_dump", "pg_restore"]) {
    await writeFile(join(place, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}'\n`);
    await chmod(join(place, name), 0o755);
  }
  return place;
}

describe.skipIf(process.platform === "win32")("aqua backup without a fitting pg_dump", () => {
  it("refuses one that is older than the server, and one that is missing, and leaves no file", async () => {
    const url = await createServerDatabase("migrated");
    const to = await mkdtemp(join(folder, "to-"));
    const environment = { DATABASE_URL: url, DATA_DIR: folder, POSTGRES_BIN: await programsOf("14.9") };
    const older = await aqua(["backup", "--to", to], environment);
    expect(older).toMatchObject({ code: 1, out: "" });
    expect(older.error).toMatch(
      /^aqua: \S+pg_dump is of PostgreSQL 14, older than the server's \d+; set POSTGRES_BIN to the folder of a newer one\n$/,
    );
    const missing = await aqua(["backup", "--to", to], { ...environment, POSTGRES_BIN: to });
    expect(missing).toMatchObject({ code: 1, error: expect.stringMatching(/^aqua: \S+pg_dump cannot be run; .*\n$/) });
    expect(await readdir(to)).toEqual([]);
  });
});

// The embedded PostgreSQL has no pg_dump. `npm run test:long` runs this with an installed one.
if (bin !== null)
  describe("aqua backup and restore", () => {
    let server: PostgresServer;
    let db: Database;
    let world: Record<string, string>;
    let identity: string;
    let recipient: string;
    beforeAll(async () => {
      server = await startPostgres(["fsync=off", "synchronous_commit=off"], bin ?? "");
      world = await worldOf("origin");
      db = await connectDatabase(world.DATABASE_URL ?? "");
      await migrate(db);
      await openAccount(db);
      await openAccount(db);
      const own = (setting: string, ...path: string[]) => join(world[setting] ?? "", ...path);
      await writeFile(own("DATA_DIR", "deleted-accounts"), `${"a".repeat(64)}\n`);
      await writeFile(own("DEPLOYMENTS_DIR", "31337.json"), '{"chain_id":31337}');
      await mkdir(own("PRODUCTS_DIR", "documents"));
      await writeFile(own("PRODUCTS_DIR", "water.json"), "{}");
      await writeFile(own("PRODUCTS_DIR", "documents", "évaluation.txt"), "");
      await writeFile(own("PRODUCTS_DIR", ".water.json.swp"), "an editor's");
      await writeFile(own("LEGAL_DIR", "terms.en-US.md"), "# Terms");
      await writeFile(own("BATCH_DIR", "1.ndjson"), Buffer.alloc(3_000_000, "reading\n"));
      identity = await generateIdentity();
      recipient = await identityToRecipient(identity);
      await writeFile(join(folder, "key.txt"), `# created by age-keygen\n${identity}\n`);
    });
    afterAll(async () => {
      await db?.close();
      await server?.stop();
    });

    /** Settings of an instance with an empty database and empty folders. */
    async function worldOf(name: string): Promise<Record<string, string>> {
      const database = `world_${name}`;
      const admin = await connectDatabase(server.url);
      await admin.orm.execute(sql.raw(`create database ${database}`));
      await admin.close();
      const settings = ["DATA_DIR", "DEPLOYMENTS_DIR", "PRODUCTS_DIR", "LEGAL_DIR", "BATCH_DIR"];
      const folders = settings.map((setting) => [setting, join(folder, name, setting)]);
      for (const [, path] of folders) await mkdir(path ?? "", { recursive: true });
      const url = server.url.replace(/postgres$/, database);
      return { ...Object.fromEntries(folders), DATABASE_URL: url, POSTGRES_BIN: bin ?? "" };
    }

    /** Makes one archive in a folder of its own and returns its path. */
    async function backUp(...more: string[]): Promise<string> {
      const to = await mkdtemp(join(folder, "to-"));
      expect(await aqua(["backup", "--to", to, ...more], world)).toMatchObject({ code: 0, error: "" });
      const [name = ""] = await readdir(to);
      return join(to, name);
    }

    const databases = async () => {
      const { rows } = await db.orm.execute<{ datname: string }>(sql`select datname from pg_database order by 1`);
      return rows.map(({ datname }) => datname);
    };
    const isEmpty = async ({ DATABASE_URL = "" }: Record<string, string>) => {
      const other = await connectDatabase(DATABASE_URL);
      const { rows } = await other.orm.execute(sql`select 1 from pg_tables where schemaname in ('public', 'drizzle')`);
      await other.close();
      return rows.length === 0;
    };

    it("brings database and files back from an archive that only the private key opens", async () => {
      const to = await mkdtemp(join(folder, "to-"));
      const made = await aqua(["backup", "--to", to, "--recipient", recipient], world);
      expect(made.error).toBe("");
      const [name = "", ...others] = await readdir(to);
      expect(others).toEqual([]);
      expect(name).toMatch(/^aqua-backup-\d{8}T\d{6}Z\.tar\.age$/);
      expect(made.out).toMatch(/MB, the database with \d+ migrations and 6 files\.\nSECRET_KEY is not in it: /);
      expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
      const bytes = await readFile(join(to, name));
      expect(bytes.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
      expect(bytes.includes("manifest.json")).toBe(false);

      const target = await worldOf("target");
      const newer = `${"b".repeat(64)}\n`;
      await writeFile(join(target.DATA_DIR ?? "", "deleted-accounts"), newer);
      const args = ["restore", join(to, name), "--identity", join(folder, "key.txt")];
      const restored = await aqua(args, target);
      expect(restored.error).toBe("");
      expect(restored.out).toContain("5 files were written; 0 were there already. 1 deleted accounts were noted.");
      expect(restored.out).toContain("SECRET_KEY is not in a backup");
      const copy = await connectDatabase(target.DATABASE_URL ?? "");
      const ids = async (one: Database) => (await one.orm.select().from(account)).map(({ id }) => id).sort();
      expect(await ids(copy)).toEqual(await ids(db));
      expect(await migrate(copy)).toBe(0);
      await copy.close();
      for (const [setting, file] of [
        ["DEPLOYMENTS_DIR", "31337.json"],
        ["PRODUCTS_DIR", "documents/évaluation.txt"],
        ["LEGAL_DIR", "terms.en-US.md"],
        ["BATCH_DIR", "1.ndjson"],
      ] as const) {
        const [before, after] = [world, target].map((one) => readFile(join(one[setting] ?? "", file)));
        expect((await after)?.equals((await before) ?? Buffer.of(1)), file).toBe(true);
      }
      expect(await readdir(target.PRODUCTS_DIR ?? "")).toEqual(["documents", "water.json"]);
      // A list that is newer than the backup loses nothing.
      expect(await readFile(join(target.DATA_DIR ?? "", "deleted-accounts"), "utf8")).toBe(
        `${newer}${"a".repeat(64)}\n`,
      );

      expect(await aqua(args, target)).toMatchObject({
        code: 1,
        error: "aqua: the database world_target is not empty; create an empty one. Nothing was changed\n",
      });
    });

    it("takes the list of deleted accounts from a second database and adds to another one", async () => {
      const [from, to] = [await worldOf("deletions"), await worldOf("deletions_after")];
      const listOf = ({ DATABASE_URL = "" }: Record<string, string>) =>
        deletionList({ dataDir: folder, deletionsUrl: DATABASE_URL });
      await listOf(from).add(["a", "b"]);
      await listOf(to).add(["b", "c"]);
      const place = await mkdtemp(join(folder, "to-"));
      const settings = (one: Record<string, string>) => ({ DELETIONS_URL: one.DATABASE_URL ?? "" });
      expect(await aqua(["backup", "--to", place], { ...world, ...settings(from) })).toMatchObject({
        code: 0,
        error: "",
      });
      const [name = ""] = await readdir(place);
      const target = await worldOf("second");
      const { out } = await aqua(["restore", join(place, name)], { ...target, ...settings(to) });
      expect(out).toContain("1 deleted accounts were noted.");
      expect([...(await listOf(to).all())].sort()).toEqual(["a", "b", "c"]);
      expect(await readdir(target.DATA_DIR ?? "")).toEqual([]);
    });

    it("names hashes, sizes, versions, time, migrations and chains in the manifest, and is a tar file", async () => {
      const file = await backUp();
      const entries = await unpackTar(await readFile(file), { strict: true });
      const manifest = JSON.parse(Buffer.from(entries.at(-1)?.data ?? []).toString());
      expect(manifest).toMatchObject({ format: "aqua-backup/1", chain_ids: [31337], node: process.versions.node });
      expect(manifest.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([
        "database/000000",
        "deleted-accounts",
        "batches/1.ndjson",
        "deployments/31337.json",
        "products/documents/évaluation.txt",
        "products/water.json",
        "legal/terms.en-US.md",
      ]);
      expect(manifest.files[2].bytes).toBe(3_000_000);
      const listed = execFileSync("tar", ["-tf", file], {
        encoding: "utf8",
        env: { ...process.env, LC_ALL: "C.UTF-8" },
      });
      expect(listed.trim().split("\n").at(-1)).toBe("manifest.json");
    });

    it("rehearses in a database beside, which is dropped, and writes no file", async () => {
      const file = await backUp();
      const before = await databases();
      const { code, out, error } = await aqua(["restore", file, "--rehearse"], {
        ...world,
        DATA_DIR: join(folder, "none"),
      });
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(out).toMatch(/The dump was restored into aqua_rehearsal_[0-9a-f]{12}, and 0 migrations/);
      expect(out).toMatch(/^ +2 {2}account$/m);
      expect(out).toMatch(/aqua_rehearsal_[0-9a-f]{12} was dropped\. Nothing else was changed\.\n$/);
      expect(await databases()).toEqual(before);
    });

    it("refuses a flipped byte, a cut and a wrong or missing key before anything is written", async () => {
      const [plain, sealed] = [await backUp(), await backUp("--recipient", recipient)];
      const target = await worldOf("untouched");
      await writeFile(join(folder, "other.txt"), await generateIdentity());
      const restore = (file: string, ...more: string[]) => aqua(["restore", file, ...more], target);
      const key = ["--identity", join(folder, "key.txt")];
      const changed = async (file: string, change: (bytes: Buffer) => Buffer) => {
        const path = join(folder, "changed");
        await writeFile(path, change(await readFile(file)));
        return path;
      };
      const flip = (at: (length: number) => number) => (bytes: Buffer) => {
        bytes[at(bytes.length)] = (bytes[at(bytes.length)] ?? 0) ^ 1;
        return bytes;
      };
      for (const [file, more] of [
        [plain, []],
        [sealed, key],
      ] as const) {
        for (const at of [0.1, 0.5, 0.9]) {
          const { code, out, error } = await restore(
            await changed(
              file,
              flip((length) => Math.floor(length * at)),
            ),
            ...more,
          );
          expect({ code, out }).toEqual({ code: 1, out: "" });
          expect(error).toMatch(/^aqua: \S+ is (damaged|no|mixed|incomplete)/);
        }
        for (const left of [0.2, 0.7, 0.999]) {
          const cut = await changed(file, (bytes) => bytes.subarray(0, Math.floor(bytes.length * left)));
          expect(await restore(cut, ...more)).toMatchObject({ code: 1, out: "" });
        }
        const short = await changed(file, (bytes) => bytes.subarray(0, -1));
        expect(await restore(short, ...more)).toMatchObject({ code: 1, error: expect.stringContaining("truncated") });
      }
      expect(await restore(sealed)).toMatchObject({
        code: 1,
        error: `aqua: ${sealed} is encrypted; name the file of the key by --identity\n`,
      });
      expect(await restore(sealed, "--identity", join(folder, "other.txt"))).toMatchObject({
        code: 1,
        error: `aqua: ${sealed} is encrypted to another key than the one of --identity\n`,
      });
      await writeFile(join(folder, "wrong.txt"), "AGE-SECRET-KEY-1NONE");
      const wrong = await restore(sealed, "--identity", join(folder, "wrong.txt"));
      expect(wrong.error).toBe("aqua: --identity must name a file with a private key of age, AGE-SECRET-KEY-1…\n");
      expect(await isEmpty(target)).toBe(true);
      expect(await readdir(target.PRODUCTS_DIR ?? "")).toEqual([]);
    });

    it("refuses an archive whose files are of another one, missing, too many or outside its folders", async () => {
      const one = await unpackTar(await readFile(await backUp()));
      await openAccount(db);
      const other = await unpackTar(await readFile(await backUp()));
      const target = await worldOf("mixed");
      const refusal = async (entries: typeof one) => {
        const file = join(folder, "mixed.tar");
        await writeFile(file, await packTar(entries));
        const { code, out, error } = await aqua(["restore", file], target);
        expect({ code, out }).toEqual({ code: 1, out: "" });
        return error;
      };
      const [dump] = other;
      if (dump === undefined) throw new Error("there is no dump");
      expect(await refusal([dump, ...one.slice(1)])).toMatch(/damaged or mixed: database\/000000 is not what/);
      expect(await refusal([...one.slice(0, -1), ...other.slice(-1)])).toMatch(/damaged or mixed: database\/000000/);
      expect(await refusal([...one, ...other])).toMatch(/is no single backup: database\/000000 follows its manifest/);
      expect(await refusal(one.filter(({ header }) => header.name !== "legal/terms.en-US.md"))).toMatch(
        /is incomplete: legal\/terms\.en-US\.md is missing/,
      );
      const added = (name: string) => ({ header: { name, size: 1 }, data: new Uint8Array([1]) });
      expect(await refusal([added("legal/more.md"), ...one])).toMatch(
        /is mixed: its manifest does not name legal\/more\.md/,
      );
      expect(await refusal([added("legal/../../secret"), ...one])).toMatch(/has a file that no backup has/);
      const twice = one[1];
      if (twice === undefined) throw new Error("there is no second file");
      expect(await refusal([twice, ...one])).toMatch(/is mixed: its manifest does not name deleted-accounts/);
      expect(await isEmpty(target)).toBe(true);
    });

    it("refuses to overwrite a file that differs, and a newer version's or a newer pg_dump's backup", async () => {
      const file = await backUp();
      const target = await worldOf("kept");
      await cp(world.PRODUCTS_DIR ?? "", target.PRODUCTS_DIR ?? "", { recursive: true });
      await writeFile(join(target.LEGAL_DIR ?? "", "terms.en-US.md"), "# Other terms");
      const refused = await aqua(["restore", file], target);
      expect(refused).toMatchObject({
        code: 1,
        error: expect.stringMatching(/terms\.en-US\.md exists and is not that of/),
      });
      expect(await aqua(["restore", file], { ...target, LEGAL_DIR: "" })).toMatchObject({
        code: 1,
        error: "aqua: the backup has files of LEGAL_DIR: set it\n",
      });
      expect(await aqua(["restore", file], { ...target, POSTGRES_BIN: await programsOf("14.9") })).toMatchObject({
        code: 1,
        error: expect.stringContaining("older than the pg_dump of the backup"),
      });
      const entries = await unpackTar(await readFile(file));
      const manifest = JSON.parse(Buffer.from(entries.at(-1)?.data ?? []).toString());
      const data = new TextEncoder().encode(JSON.stringify({ ...manifest, migrations: 9_999 }));
      const newer = join(folder, "newer.tar");
      await writeFile(
        newer,
        await packTar([...entries.slice(0, -1), { header: { name: "manifest.json", size: data.length }, data }]),
      );
      expect(await aqua(["restore", newer], target)).toMatchObject({
        code: 1,
        error: expect.stringMatching(
          /^aqua: the backup is of a newer version: it has 9999 migrations, this version \d+\n$/,
        ),
      });
      expect(await isEmpty(target)).toBe(true);

      await writeFile(join(target.LEGAL_DIR ?? "", "terms.en-US.md"), "# Terms");
      const { out } = await aqua(["restore", file], target);
      expect(out).toContain("2 files were written; 3 were there already.");
    });

    it("removes only older archives of its own", async () => {
      const to = await mkdtemp(join(folder, "to-"));
      const old = ["aqua-backup-20250101T000000Z.tar", "aqua-backup-20250102T000000Z.tar.age"];
      const killed = [".aqua-backup-20250103T000000Z.tar.partial", ".aqua-backup-20250104T000000Z.tar.age.partial"];
      const foreign = ["aqua-backup-20250101T000000Z.tar.copy", "aqua.dump", "my-aqua-backup-20250101T000000Z.tar"];
      for (const name of [...old, ...killed, ...foreign]) await writeFile(join(to, name), "");
      const [dead = "", underWay = ""] = killed;
      const longAgo = new Date("2025-01-03");
      await utimes(join(to, dead), longAgo, longAgo);
      const { out } = await aqua(["backup", "--to", to, "--keep", "2"], world);
      expect(out).toContain("1 older archives were removed.");
      const left = await readdir(to);
      expect(left).toHaveLength(6);
      expect(left).toEqual(expect.arrayContaining([...foreign, old[1], underWay]));
    });

    it("leaves no file where it fails, and no password in its arguments", async () => {
      const to = await mkdtemp(join(folder, "to-"));
      const failing = join(folder, "failing");
      await mkdir(failing);
      await cp(await programsOf("99.1"), failing, { recursive: true });
      await appendFile(
        join(failing, "pg_dump"),
        '[ "$1" = --version ] || { echo "half a dump"; echo "$@ $PGPASSWORD" >&2; exit 3; }\n',
      );
      await chmod(join(failing, "pg_dump"), 0o755);
      const url = (world.DATABASE_URL ?? "").replace("aqua@", "aqua:p%40ss@");
      const { code, error } = await aqua(["backup", "--to", to], {
        ...world,
        DATABASE_URL: url,
        POSTGRES_BIN: failing,
      });
      expect(code).toBe(1);
      expect(error).toMatch(
        /^aqua: pg_dump ended with 3: --format=custom --no-unlogged-table-data --no-password -d postgresql:\/\/aqua@\S+ p@ss\n$/,
      );
      expect(await readdir(to)).toEqual([]);
      expect(await aqua(["backup", "--to", join(to, "missing")], world)).toMatchObject({
        code: 1,
        error: expect.stringMatching(/^aqua: no archive was made: ENOENT/),
      });
      expect(await aqua(["backup", "--to", to, "--recipient", "age1none"], world)).toMatchObject({
        code: 1,
        error: "aqua: --recipient must be a public key of age, age1…: age1none\n",
      });
      expect(await aqua(["backup", "--to", to], { ...world, LEGAL_DIR: join(to, "missing") })).toMatchObject({
        code: 1,
        error: expect.stringMatching(/^aqua: LEGAL_DIR cannot be read: ENOENT/),
      });
      expect(await readdir(to)).toEqual([]);
    });
  });
