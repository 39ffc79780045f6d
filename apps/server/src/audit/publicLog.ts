import type { BatchHeader } from "@aqua/sdk/api/telemetry";
import { type LogEntry, readEntry } from "@aqua/sdk/proofs/log/entry";
import { leafHash, rootOfLeaves } from "@aqua/sdk/proofs/log/tree";
import { and, asc, desc, eq, gte, inArray, isNotNull, lt } from "drizzle-orm";
import { account } from "../account/schema.ts";
import type { Database, Orm } from "../db/database.ts";
import { anchor } from "../indexer/schema.ts";
import { accountContents } from "../publicLog/accountContent.ts";
import { operatorOf } from "../publicLog/act.ts";
import { type RowContent, rowKinds, type StatedRow, statedRows } from "../publicLog/publicContent.ts";
import { publicLog, publicLogEntry } from "../publicLog/schema.ts";
import { type LogKey, nodesOf, readCheckpoint, storedRoot, TILE } from "../publicLog/tree.ts";
import { type RecordKeys, subjectsOfAccount, unexplained } from "../publicLog/writer.ts";
import { telemetryBatch } from "../telemetry/schema.ts";
import { openFile } from "./batches.ts";
import { compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";

export interface PublicLogAuditParts {
  db: Pick<Database, "orm" | "transaction">;
  keys: RecordKeys;
  key: LogKey;
  /** The checkpoint that this process saw last. The audit replaces it. */
  seen: { size: number; root: Uint8Array };
}

const PAGE = 256;
/** Batches of each product whose checkpoints are compared with the log, the newest first. */
const BATCHES = 16;
/** Entries of others that are reported. */
const REFUSED = 100;
const log = (row: string) => ({ table: "public_log", row });

/**
 * Checks the public log, and that it explains every row that no chain knows: each entry and its place in the tree, the
 * signed checkpoint, the checkpoints that batches have carried to a chain, then devices, their intervals, declared
 * losses, product documents and accounts. The caller may pause after each slice.
 * @param onlyNew checks only the checkpoints
 */
export async function* auditPublicLog(
  parts: PublicLogAuditParts,
  { onlyNew = false }: { onlyNew?: boolean } = {},
): AsyncGenerator<Slice> {
  if (onlyNew) {
    yield await auditCheckpoints(parts, 0);
    return;
  }
  const size = yield* auditEntries(parts);
  yield await auditCheckpoints(parts, size);
  for (const kind of rowKinds) {
    for (let after = ""; ; ) {
      const rows = await statedRows(parts.db.orm, kind, after);
      const slice = newSlice();
      for (const row of rows) compareStated(slice, kind, row);
      yield slice;
      if (rows.length === 0) break;
      after = (rows.at(-1) as StatedRow).subject;
    }
  }
  yield* auditAccounts(parts);
}

/** Checks each entry with the hashes of the tree. Returns how many entries the checkpoint counts. */
async function* auditEntries({ db, key }: PublicLogAuditParts): AsyncGenerator<Slice, number> {
  const [stored] = await db.orm.select().from(publicLog);
  const slice = newSlice();
  const signed = stored === undefined ? null : readCheckpoint(stored.checkpoint, key);
  compareColumns(slice, log("checkpoint"), {
    checkpoint: [`signed by ${key.verifier}`, signed === null ? null : `signed by ${key.verifier}`],
    size: [signed?.size ?? null, stored?.size ?? null],
  });
  yield slice;
  const size = signed?.size ?? 0;
  const versions = new Map<string, number>();
  let operators: readonly string[] = [];
  for (let from = 0; from < size; from += PAGE) {
    const page = await entriesOf(db.orm, from, Math.min(size, from + PAGE));
    const slice = newSlice();
    const leaves: Uint8Array[] = [];
    for (let index = from; index < Math.min(size, from + PAGE); index += 1) {
      const row = page.get(index);
      const about = { table: "public_log_entry", row: `entry ${index}` };
      const content = row === undefined ? null : new Uint8Array(row.content);
      leaves.push(content === null ? new Uint8Array(32) : leafHash(content));
      const entry = content === null ? null : parsed(content);
      if (row === undefined || entry === null) {
        recordRow(slice, about, { expected: `entry ${index}` });
        continue;
      }
      const subject = `${entry.kind} ${entry.subject}`;
      compareColumns(slice, about, {
        kind: [entry.kind, row.kind],
        subject: [entry.subject, row.subject],
        refused: [false, row.refused],
        version: [(versions.get(subject) ?? 0) + 1, row.version],
        ...(entry.version !== row.version && { content: [entry.version, row.version] as const }),
      });
      versions.set(subject, entry.version);
      if (entry.kind === "operators") operators = (entry.content as { keys: string[] }).keys;
      if (entry.act !== null) {
        const signer = await operatorOf({ ...entry.act, reason: entry.reason }, key.origin);
        const isSigned = signer === entry.act.operator && operators.includes(signer);
        compareColumns(slice, about, {
          content: ["signed by an operator", isSigned ? "signed by an operator" : signer],
        });
      }
    }
    await compareNodes({ slice, orm: db.orm }, from, leaves);
    yield slice;
  }
  return size;
}

const parsed = (content: Uint8Array): LogEntry | null => {
  try {
    return readEntry(content);
  } catch {
    return null;
  }
};

async function entriesOf(orm: Orm, from: number, to: number) {
  const rows = await orm
    .select()
    .from(publicLogEntry)
    .where(and(gte(publicLogEntry.index, from), lt(publicLogEntry.index, to)))
    .orderBy(asc(publicLogEntry.index));
  return new Map(rows.map((row) => [row.index as number, row]));
}

/** Compares stored hashes with those of a page of entries, and the hash of each full tile with its entries. */
async function compareNodes(
  { slice, orm }: { slice: Slice; orm: Orm },
  from: number,
  leaves: readonly Uint8Array[],
): Promise<void> {
  const stored = await nodesOf(orm)(0, from, leaves.length);
  for (const [offset, leaf] of leaves.entries()) {
    const about = { table: "public_log_node", row: `level 0, hash ${from + offset}` };
    compareColumns(slice, about, { hash: [leaf, stored[offset] ?? null] });
  }
  // A page is a tile of the lowest level. Whenever it completes tiles above, they are compared too.
  for (let level = 1, end = from + leaves.length; end % TILE === 0 && end > 0; level += 1) {
    end /= TILE;
    const below = await nodesOf(orm)(level - 1, (end - 1) * TILE, TILE);
    const [node] = await nodesOf(orm)(level, end - 1, 1);
    const about = { table: "public_log_node", row: `level ${level}, hash ${end - 1}` };
    compareColumns(slice, about, { hash: [rootOfLeaves(below), node ?? null] });
  }
}

/** Compares the tree with its checkpoint, with the one seen before, and with those that batches carried to a chain. */
async function auditCheckpoints({ db, key, seen }: PublicLogAuditParts, size: number): Promise<Slice> {
  const slice = newSlice();
  const nodes = nodesOf(db.orm);
  const [stored] = await db.orm.select().from(publicLog);
  const signed = stored === undefined ? null : readCheckpoint(stored.checkpoint, key);
  const rootOf = (at: number) => storedRoot(at, nodes);
  if (signed !== null && signed.size >= size) {
    compareColumns(slice, log("checkpoint"), { root: [signed.root, await rootOf(signed.size)] });
  }
  const declared = await declaredRestores(db.orm);
  const isDeclared = (at: number, root: Uint8Array) => declared.has(`${at} ${Buffer.from(root).toString("base64")}`);
  if (!isDeclared(seen.size, seen.root)) {
    const root = (signed?.size ?? 0) < seen.size ? null : await rootOf(seen.size);
    compareColumns(slice, log(`checkpoint ${seen.size}`), { root: [seen.root, root] });
    if (signed !== null && root !== null && Buffer.from(root).equals(seen.root)) Object.assign(seen, signed);
  } else if (signed !== null) Object.assign(seen, signed);
  await findRefused(db.orm, slice);
  for (const { shortId, number, header } of await carriedCheckpoints(db.orm)) {
    if (header.log === undefined || header.log.origin !== key.origin) continue;
    const root = new Uint8Array(Buffer.from(header.log.root, "base64"));
    if (isDeclared(header.log.size, root)) continue;
    const now = header.log.size > (signed?.size ?? 0) ? null : await rootOf(header.log.size);
    compareColumns(slice, log(`checkpoint ${header.log.size} of batch ${number} of ${shortId}`), { root: [root, now] });
  }
  return slice;
}

async function declaredRestores(orm: Orm): Promise<Set<string>> {
  const rows = await orm
    .select({ content: publicLogEntry.content })
    .from(publicLogEntry)
    .where(and(eq(publicLogEntry.kind, "restore"), isNotNull(publicLogEntry.index)));
  return new Set(
    rows.map(({ content }) => {
      const { size, root } = readEntry(new Uint8Array(content)).content as { size: number; root: string };
      return `${size} ${root}`;
    }),
  );
}

/** Finds entries that this instance did not write, which therefore are not in the tree. */
async function findRefused(orm: Orm, slice: Slice): Promise<void> {
  const rows = await orm.select().from(publicLogEntry).where(eq(publicLogEntry.refused, true)).limit(REFUSED);
  for (const { kind, subject, version } of rows) {
    const row = `version ${version} of ${kind} ${subject}`;
    recordRow(slice, { table: "public_log_entry", row }, { found: "an entry that this server did not write" });
  }
}

/** Reads the headers of the newest batches of each product that stand on chain with the hash of their file. */
async function carriedCheckpoints(orm: Orm): Promise<{ shortId: string; number: number; header: BatchHeader }[]> {
  const streams = await orm
    .selectDistinct({ chainId: telemetryBatch.chainId, stream: telemetryBatch.stream })
    .from(telemetryBatch);
  const found: { shortId: string; number: number; header: BatchHeader }[] = [];
  for (const { chainId, stream } of streams) {
    const batches = await orm
      .select({ number: telemetryBatch.number, shortId: telemetryBatch.shortId, file: telemetryBatch.file })
      .from(telemetryBatch)
      .innerJoin(
        anchor,
        and(
          eq(anchor.chainId, telemetryBatch.chainId),
          eq(anchor.stream, telemetryBatch.stream),
          eq(anchor.number, telemetryBatch.number),
          eq(anchor.dataHash, telemetryBatch.dataHash),
        ),
      )
      .where(
        and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream), isNotNull(telemetryBatch.file)),
      )
      .orderBy(desc(telemetryBatch.number))
      .limit(BATCHES);
    for (const { number, shortId, file } of batches) {
      // The audit of the batches reports a file that does not open or has another hash.
      const opened = file === null ? null : await openFile(file);
      if (opened !== null && typeof opened !== "string") found.push({ number, shortId, header: opened.header });
    }
  }
  return found;
}

function compareStated(slice: Slice, kind: string, { subject, row, entry }: StatedRow): void {
  const device = kind === "device" ? { device: subject } : {};
  const about = { table: kind, row: subject, ...device };
  const stated = entry === null ? null : ((parsed(new Uint8Array(entry))?.content ?? null) as RowContent | null);
  if (row === null && stated === null) return;
  if (stated === null) recordRow(slice, about, { found: "a row that no entry of the public log states" });
  else if (row === null) recordRow(slice, about, { expected: "the row that the public log states" });
  else {
    const names = new Set([...Object.keys(stated), ...Object.keys(row)]);
    const pairs = [...names].map((name) => [name, [stated[name] ?? null, row[name] ?? null]] as const);
    compareColumns(slice, about, Object.fromEntries(pairs));
  }
}

/** Finds accounts whose rows are not those that the log states by keyed hashes, and accounts that are gone. */
async function* auditAccounts({ db, keys }: PublicLogAuditParts): AsyncGenerator<Slice> {
  const gone = await standingSubjects(db.orm);
  for (let after = ""; ; ) {
    const slice = newSlice();
    const ids = await db.transaction(async (tx) => {
      const rows = await tx
        .select({ id: account.id })
        .from(account)
        .where(after === "" ? undefined : gte(account.id, after))
        .orderBy(asc(account.id))
        .limit(PAGE);
      const page = rows.map(({ id }) => id).filter((id) => id !== after);
      const contents = page.length === 0 ? new Map() : await accountContents(tx, page);
      const names = new Map(page.map((id) => [id, subjectsOfAccount(keys, id)]));
      const entries = await newestEntries(tx, [...names.values()].flat());
      for (const [accountId, content] of contents) {
        const known = names.get(accountId) as string[];
        const subject = known.find((name) => entries.has(name)) ?? (known[0] as string);
        gone.delete(subject);
        const stated = entries.get(subject)?.content ?? null;
        const row = `account ${subject.slice(0, 16)}`;
        if (stated === null) {
          recordRow(slice, { table: "account", row }, { found: "rows that no entry of the public log states" });
          continue;
        }
        slice.compared += Object.keys(content).length;
        const differing = unexplained(keys, { accountId, content, stated: stated as Record<string, unknown> });
        for (const { table, expected, found } of differing) {
          slice.differences.push({ table, row, column: "(keyed hash)", expected, found });
        }
      }
      return rows.map(({ id }) => id);
    }, "repeatable read");
    yield slice;
    if (ids.length < PAGE) break;
    after = ids.at(-1) as string;
  }
  const slice = newSlice();
  // An account that was deleted since the first look has a newer entry that says so.
  const still = await newestEntries(db.orm, [...gone]);
  for (const [subject, { content }] of still) {
    if (content === null) continue;
    recordRow(slice, { table: "account", row: `account ${subject.slice(0, 16)}` }, { expected: "the account's rows" });
  }
  yield slice;
}

/** Returns the names of the accounts that exist by the log. */
async function standingSubjects(orm: Orm): Promise<Set<string>> {
  const rows = await orm
    .selectDistinctOn([publicLogEntry.subject], { subject: publicLogEntry.subject, content: publicLogEntry.content })
    .from(publicLogEntry)
    .where(and(eq(publicLogEntry.kind, "account"), eq(publicLogEntry.refused, false)))
    .orderBy(asc(publicLogEntry.subject), desc(publicLogEntry.version));
  return new Set(
    rows.filter(({ content }) => parsed(new Uint8Array(content))?.content !== null).map(({ subject }) => subject),
  );
}

async function newestEntries(orm: Orm, subjects: readonly string[]): Promise<Map<string, LogEntry>> {
  const found = new Map<string, LogEntry>();
  for (let from = 0; from < subjects.length; from += 1_000) {
    const rows = await orm
      .selectDistinctOn([publicLogEntry.subject], { subject: publicLogEntry.subject, content: publicLogEntry.content })
      .from(publicLogEntry)
      .where(
        and(
          eq(publicLogEntry.kind, "account"),
          eq(publicLogEntry.refused, false),
          inArray(publicLogEntry.subject, subjects.slice(from, from + 1_000)),
        ),
      )
      .orderBy(asc(publicLogEntry.subject), desc(publicLogEntry.version));
    for (const { subject, content } of rows) {
      const entry = parsed(new Uint8Array(content));
      if (entry !== null) found.set(subject, entry);
    }
  }
  return found;
}
