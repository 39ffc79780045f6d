import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type LogEntry, type OperatorAct, readEntry, writeEntry } from "@aqua/sdk/proofs/log/entry";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { type AccountContent, accountContents } from "./accountContent.ts";
import { type RowKind, rowContent } from "./publicContent.ts";
import { publicLogEntry } from "./schema.ts";

/** What is needed to compare stored rows with their keyed hashes. */
export type RecordKeys = Pick<Keys, "hashes">;

/** What an entry states of a row or an account: null if it no longer exists. */
type Stated = Record<string, unknown> | null | undefined;

/** The first of two operators' calls, which the second call uses up. */
export interface Approval {
  /**
   * Uses it up in the transaction of the act, so that both happen or neither. A second use in the same transaction has no
   * effect. @throws ApiError conflict if another transaction has used it
   */
  use(tx: Orm): Promise<void>;
  /** Ends it after an act that succeeded, but changed nothing and so used it in no transaction. */
  end(): Promise<void>;
}

/** An operator's act as the server accepted it. Null: the server acts by itself. */
export type Act = {
  /** The operator's name. Undefined: the token of the instance was used. */
  by: string | undefined;
  /** Why, in the operator's words. */
  reason?: string | undefined;
  /** Null: the token alone allowed it. */
  signed: OperatorAct | null;
  /** Undefined: the act needs one operator. */
  approval?: Approval | undefined;
} | null;

/**
 * Writes entries of the public log, each in the transaction of the change that it is about. An entry about a row states
 * the row as it is in that transaction, so it is written after the change. An entry about an act uses up its approval.
 * Before the change, the caller compares the row with its newest entry; otherwise the new entry would also state what
 * something else has changed in the row.
 */
export interface LogWriter {
  /** Compares a public row with its newest entry. @throws ApiError record_differs */
  requireRow(tx: Orm, kind: RowKind, subject: string): Promise<void>;
  /** States a public row, or that it no longer exists. Writes nothing if the newest entry states the same. */
  row(tx: Orm, kind: RowKind, of: { subject: string; act?: Act }): Promise<void>;
  /**
   * Compares the rows of an account with its newest entry. The caller has locked the account.
   * @throws ApiError record_differs
   */
  requireAccount(tx: Orm, accountId: string): Promise<void>;
  /** States the rows of an account by keyed hashes, or that the account no longer exists. */
  account(tx: Orm, accountId: string, act?: Act): Promise<void>;
  /** States the rows of an account as they are, whatever the newest entry states. */
  acceptAccount(tx: Orm, accountId: string, act: Act): Promise<void>;
  /** States an act of an operator that changes none of these rows. */
  act(tx: Orm, call: string, act: Act): Promise<void>;
  /** States that an operator has looked at something about a person, without saying at whom. */
  look(tx: Orm, what: string, act: Act): Promise<void>;
  /** States something about the log itself. */
  note(tx: Orm, of: { kind: "operators" | "restore"; content: Record<string, unknown>; act?: Act }): Promise<void>;
}

/** @param now returns Unix milliseconds */
export function createLogWriter(keys: Pick<Keys, "hash" | "hashes">, now: () => number = Date.now): LogWriter {
  /** What each transaction has compared, by kind and subject. */
  const compared = new WeakMap<Orm, Set<string>>();
  function markCompared(tx: Orm, name: string): void {
    compared.set(tx, (compared.get(tx) ?? new Set()).add(name));
  }
  function requireCompared(tx: Orm, name: string): void {
    if (!compared.get(tx)?.has(name)) throw new Error(`${name} was changed before it was compared with the log`);
  }

  async function write(
    tx: Orm,
    { kind, subject, content, act }: Pick<LogEntry, "kind" | "subject" | "content"> & { act: Act },
  ): Promise<void> {
    await act?.approval?.use(tx);
    await lockSubject(tx, `${kind} ${subject}`);
    const version = ((await newest(tx, kind, [subject]))?.version ?? 0) + 1;
    const of = { act: act?.signed ?? null, by: act?.by, reason: act?.reason };
    const entry = writeEntry({ id: randomUUID(), time: now(), kind, subject, version, content, ...of });
    await tx.insert(publicLogEntry).values({ kind, subject, version, content: entry, mac: macOf(keys, entry) });
  }

  /** Returns what the newest entry about any of the subjects states. Undefined: none, or one that somebody else wrote. */
  async function statedBy(tx: Orm, kind: LogEntry["kind"], subjects: readonly string[]): Promise<Stated> {
    const last = await newest(tx, kind, subjects);
    if (last === undefined || !isOwnEntry(keys, last)) return undefined;
    return readEntry(new Uint8Array(last.content)).content as Stated;
  }

  async function acceptAccount(tx: Orm, accountId: string, act: Act): Promise<void> {
    await lockSubject(tx, `account ${accountId}`);
    const content = (await accountContents(tx, [accountId])).get(accountId);
    const stated = content === undefined ? null : hashedContent(keys, accountId, content);
    await write(tx, {
      kind: "account",
      subject: await subjectOf(tx, keys, accountId),
      content: stated,
      act: withoutBody(act),
    });
  }

  return {
    async requireRow(tx, kind, subject) {
      await lockSubject(tx, `${kind} ${subject}`);
      const row = await rowContent(tx, kind, subject);
      const stated = await statedBy(tx, kind, [subject]);
      if (!isDeepStrictEqual(row, stated ?? null)) throw differs(`The stored data of ${kind} ${subject}`);
      markCompared(tx, `${kind} ${subject}`);
    },
    async row(tx, kind, { subject, act = null }) {
      await lockSubject(tx, `${kind} ${subject}`);
      const content = await rowContent(tx, kind, subject);
      const stated = await statedBy(tx, kind, [subject]);
      if (act === null && isDeepStrictEqual(content, stated)) return;
      if (stated !== undefined) requireCompared(tx, `${kind} ${subject}`);
      await write(tx, { kind, subject, content, act });
    },
    async requireAccount(tx, accountId) {
      await lockSubject(tx, `account ${accountId}`);
      const content = (await accountContents(tx, [accountId])).get(accountId);
      if (content === undefined) return;
      const stated = await statedBy(tx, "account", subjectsOfAccount(keys, accountId));
      const [first] = unexplained(keys, { accountId, content, stated: stated ?? {} });
      if (first !== undefined) throw differs(`The stored data of this account (${first.table})`);
      markCompared(tx, `account ${accountId}`);
    },
    async account(tx, accountId, act = null) {
      const isNew = (await newest(tx, "account", subjectsOfAccount(keys, accountId))) === undefined;
      const isGone = !(await accountContents(tx, [accountId])).has(accountId);
      if (!isNew && !isGone) requireCompared(tx, `account ${accountId}`);
      await acceptAccount(tx, accountId, act);
    },
    acceptAccount,
    act: (tx, call, act) => write(tx, { kind: "act", subject: call, content: {}, act: withoutBody(act) }),
    look: (tx, what, act) => write(tx, { kind: "look", subject: what, content: {}, act }),
    note: (tx, { kind, content, act }) => write(tx, { kind, subject: kind, content, act: act ?? null }),
  };
}

/** An act about a person is stated without what it says. */
function withoutBody(act: Act): Act {
  return act === null || act.signed === null ? act : { ...act, signed: { ...act.signed, body: null, nonce: null } };
}

/** Until this transaction ends, no other one compares or states the same subject. */
async function lockSubject(tx: Orm, subject: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`log ${subject}`}, 0))`);
}

async function newest(tx: Orm, kind: LogEntry["kind"], subjects: readonly string[]) {
  const [last] = await tx
    .select()
    .from(publicLogEntry)
    .where(
      and(
        eq(publicLogEntry.kind, kind),
        inArray(publicLogEntry.subject, [...subjects]),
        eq(publicLogEntry.refused, false),
      ),
    )
    .orderBy(desc(publicLogEntry.version))
    .limit(1);
  return last;
}

const differs = (what: string) =>
  new ApiError(
    "record_differs",
    `${what} differs from its record in the public log. The operator must look into it (docs/auditors/audit.md).`,
  );

/** The keyed hash that lets an entry into the tree. */
export function macOf(keys: Pick<Keys, "hash">, entry: Uint8Array): string {
  return keys.hash("log", Buffer.from(entry).toString("base64"));
}

/** Returns whether this instance wrote an entry, and as the version of the subject that the row names. */
export function isOwnEntry(keys: Pick<Keys, "hashes">, row: typeof publicLogEntry.$inferSelect): boolean {
  const { content, mac } = row;
  if (!keys.hashes("log", Buffer.from(content).toString("base64")).includes(mac)) return false;
  const { kind, subject, version } = readEntry(new Uint8Array(content));
  return kind === row.kind && subject === row.subject && version === row.version;
}

/** The names that an account can have in the log, one for each key of this instance; new entries take the first. */
export function subjectsOfAccount(keys: Pick<Keys, "hashes">, accountId: string): string[] {
  return keys.hashes("record", `account ${accountId}`);
}

/** The account's name in the log: the one that earlier entries use. */
async function subjectOf(tx: Orm, keys: Pick<Keys, "hashes">, accountId: string): Promise<string> {
  const names = subjectsOfAccount(keys, accountId);
  const [used] = await tx
    .select({ subject: publicLogEntry.subject })
    .from(publicLogEntry)
    .where(and(eq(publicLogEntry.kind, "account"), inArray(publicLogEntry.subject, names)))
    .limit(1);
  return used?.subject ?? (names[0] as string);
}

const textOf = (accountId: string, table: string, rows: string) => `rows ${table} ${accountId} ${rows}`;

function hashedContent(keys: Pick<Keys, "hash">, accountId: string, content: AccountContent): AccountContent {
  return Object.fromEntries(
    Object.entries(content).map(([table, rows]) => [table, keys.hash("record", textOf(accountId, table, rows))]),
  );
}

/** Returns the tables of an account whose rows are not those that the entry states, each with both keyed hashes. */
export function unexplained(
  keys: Pick<Keys, "hashes">,
  { accountId, content, stated }: { accountId: string; content: AccountContent; stated: Record<string, unknown> },
): { table: string; expected: string | null; found: string }[] {
  return Object.entries(content).flatMap(([table, rows]) => {
    const hashes = keys.hashes("record", textOf(accountId, table, rows));
    const expected = stated[table];
    if (typeof expected === "string" && hashes.includes(expected)) return [];
    return [{ table, expected: typeof expected === "string" ? expected : null, found: hashes[0] as string }];
  });
}
