import { sql } from "drizzle-orm";
import type { Config } from "../../../server/src/config.ts";
import { connectDatabase, type Orm } from "../../../server/src/db/database.ts";
import { deletionList } from "../../../server/src/db/deletionList.ts";
import { countPending } from "../../../server/src/db/migrate.ts";
import { StartRefused } from "../../../server/src/errors.ts";
import { createKeys, keyIdOf } from "../../../server/src/keys.ts";
import { clockFinding, type Finding, failed, ok, reasonIn, warning } from "./finding.ts";

const OLDEST_POSTGRES = 150_000;
/** Connections that a server opens at most. */
const CONNECTIONS = 10;

/** The database, its migrations and limits, the list of deleted accounts and SECRET_KEY. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, preparedStatements, secrets } = config;
  if (databaseUrl === null) {
    const says =
      "DATABASE_URL is not set: the embedded database is on this machine's disk alone, and is not looked into";
    return [warning("database", says, "use a PostgreSQL server in production")];
  }
  const begun = Date.now();
  const db = await connectDatabase(databaseUrl, { preparedStatements }).catch((error: unknown) => error as Error);
  if (db instanceof Error) {
    return [failed("database", db.message, "start PostgreSQL, or correct DATABASE_URL: host, name, user and password")];
  }
  try {
    const findings = [ok("database", `it answers, connected within ${Date.now() - begun} ms`)];
    findings.push(...(await settingsOf(db.orm)), await clockOf(db.orm), await migrationsOf(db));
    findings.push(...(await keyOf(db.orm, secrets)));
    return findings;
  } finally {
    await db.close();
  }
}

async function settingsOf(orm: Orm): Promise<Finding[]> {
  const { rows } = await orm.execute<Record<string, string>>(sql`select
    current_setting('server_version_num') as version, current_setting('server_version') as named,
    current_setting('server_encoding') as encoding,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid())
      as free,
    (select rolconnlimit from pg_roles where rolname = current_user) as of_role,
    (select datconnlimit from pg_database where datname = current_database()) as of_database,
    has_database_privilege(current_database(), 'create') as creates`);
  const [row = {}] = rows;
  const findings: Finding[] = [];
  const add = (finding: Finding) => void findings.push(finding);
  if (Number(row.version) >= OLDEST_POSTGRES) add(ok("database version", `PostgreSQL ${row.named}`));
  else add(failed("database version", `PostgreSQL ${row.named} is older than 15`, "upgrade PostgreSQL"));
  if (row.encoding === "UTF8") add(ok("database encoding", "UTF8"));
  else {
    const next = "create the database with encoding 'UTF8' template template0, and restore into it";
    add(failed("database encoding", `${row.encoding} cannot hold every name`, next));
  }
  const free = Math.min(...[row.free, row.of_role, row.of_database].map(Number).filter((limit) => limit >= 0));
  if (free >= CONNECTIONS) add(ok("database connections", `${free} are free; a server opens at most ${CONNECTIONS}`));
  else {
    const next = `raise max_connections, or the limit of the role or the database, to ${CONNECTIONS} for each server and some more`;
    add(warning("database connections", `${free} are free, and a server opens up to ${CONNECTIONS}`, next));
  }
  if (row.creates) add(ok("database rights", "the role may create tables"));
  else
    add(
      failed("database rights", "the role may not create tables", "alter database … owner to the role of DATABASE_URL"),
    );
  const limits = await orm.execute<{ statement: string; idle: string }>(sql`select
    current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`);
  const [{ statement, idle } = { statement: "", idle: "" }] = limits.rows;
  if (statement === "30s" && idle === "30s") add(ok("statement timeout", "30 s, also for an idle transaction"));
  else {
    const next = "behind a pooler set both for the role: docs/operators/installing.md, PgBouncer";
    add(warning("statement timeout", `${statement}, for an idle transaction ${idle}, in place of 30 s`, next));
  }
  return findings;
}

async function clockOf(orm: Orm): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await orm.execute<{ now: string }>(sql`select extract(epoch from clock_timestamp()) as now`);
  const took = (Date.now() - asked) / 1_000;
  const seconds = Number(rows[0]?.now) - asked / 1_000 - took / 2;
  return clockFinding("clock", "the database", { seconds, within: took });
}

async function migrationsOf(db: Parameters<typeof countPending>[0]): Promise<Finding> {
  try {
    const pending = await countPending(db);
    if (pending === 0) return ok("migrations", "the database is of this version");
    return warning("migrations", `${pending} are not applied yet`, "make a backup, then run aqua migrate");
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    return failed("migrations", error.message, "run this command of the version that the servers have");
  }
}

/** Whether SECRET_KEY works, and is the key that this database is sealed with. */
async function keyOf(orm: Orm, secrets: Config["secrets"]): Promise<Finding[]> {
  const [first] = secrets ?? [];
  if (secrets === null || first === undefined) {
    return [
      warning(
        "secret key",
        "SECRET_KEY is not set: each DATA_DIR has a key of its own",
        "set it where servers share a database",
      ),
    ];
  }
  const keys = createKeys(first);
  const text = Buffer.from("doctor");
  if (!Buffer.from(keys.open("secret", keys.seal("secret", text, "doctor"), "doctor")).equals(text)) {
    return [failed("secret key", "what SECRET_KEY seals it does not open", "report this fault")];
  }
  const { rows: tables } = await orm.execute<{ table: string | null }>(sql`select to_regclass('secret_key') as table`);
  const { rows } =
    tables[0]?.table == null
      ? { rows: [] }
      : await orm.execute<{ id: string }>(sql`select id from secret_key where sealed is null`);
  const inUse = rows[0]?.id;
  if (inUse === undefined) return [ok("secret key", "it seals and opens; the database knows none yet")];
  const given = secrets.map((secret) => keyIdOf(secret).toString("hex"));
  if (given.includes(inUse))
    return [ok("secret key", `it seals and opens, and the database is sealed with it (${inUse})`)];
  const says = `the database is sealed with the key ${inUse}, and SECRET_KEY has ${given.join(", ")}`;
  return [failed("secret key", says, "set the key of this database: docs/operators/settings.md, Replacing keys")];
}

/** Whether the list of deleted accounts can be read. */
export async function checkDeletions({ dataDir, deletionsUrl }: Config): Promise<Finding[]> {
  const where = deletionsUrl === null ? "in DATA_DIR" : "in the database of DELETIONS_URL";
  try {
    const { size } = await deletionList({ dataDir, deletionsUrl }).all();
    return [ok("deleted accounts", `the list ${where} can be read and has ${size}`)];
  } catch (error) {
    return [
      failed(
        "deleted accounts",
        `the list ${where} cannot be read: ${reasonIn(error)}`,
        "correct DELETIONS_URL or DATA_DIR",
      ),
    ];
  }
}
