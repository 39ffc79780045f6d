import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ImportedBatches } from "@aqua/sdk/api/operator";
import { type Database, isTaken, type Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Act } from "../publicLog/writer.ts";
import { type BatchFile, openFile, splitFiles } from "./batchFile.ts";
import { anchorsOf, insertBatches, storedBatches } from "./batchStore.ts";
import { bucketsOf } from "./buckets.ts";
import { type Candidate, checkRun, type Head } from "./checks.ts";
import type { KnownDevice } from "./directory.ts";
import type { telemetryBatch, telemetryBatchPart } from "./schema.ts";
import { signaturesOf } from "./signature.ts";
import { addToBuckets, hashesOf, insertReadings, moveHeads, type NewReading, newReading } from "./store.ts";
import { lockDevices, type WriteParts, withConcurrentChanges } from "./write.ts";

export interface ImportParts extends WriteParts {
  db: Pick<Database, "transaction">;
}

/**
 * Imports one or several consecutive batch files that are on chain, with all their content. Either all are imported
 * or none.
 */
export type ImportBatches = (body: Buffer, act?: Act) => Promise<ImportedBatches>;

type Opened = BatchFile & { zipped: Uint8Array };
interface Placed {
  candidate: Candidate;
  batch: Opened;
}

const zip = promisify(gzip);

/**
 * Creates the import. It serves to restore an instance, to mirror another instance, and to import batches that were
 * anchored before this instance began.
 */
export function createImport(parts: ImportParts): ImportBatches {
  return async (body, act = null) => {
    const files = await Promise.all(
      splitFiles(body).map(async (file) => ({ ...openFile(file), zipped: await zip(file) })),
    );
    try {
      return await withConcurrentChanges(parts, () => take(files, act));
    } catch (error) {
      // The primary key of the batches is taken, so another call built or imported the batch at the same moment.
      if (isTaken(error)) throw refused("One of these batches has just been stored; send them again");
      throw error;
    }
  };

  async function take(files: readonly Opened[], act: Act): Promise<ImportedBatches> {
    const devices = await parts.directory.lookup(files.flatMap(({ readings }) => readings.map(({ device }) => device)));
    const runs = new Map<KnownDevice, Placed[]>();
    const signatures: Promise<Candidate>[] = [];
    for (const batch of files) {
      for (const reading of batch.readings) {
        const { chain_id, short_id, number } = batch.header;
        const known = devices.get(reading.device);
        if (known === undefined || known.chainId !== chain_id || known.shortId !== short_id) {
          throw refused(`Batch ${number} of ${short_id}: ${reading.device} is not enrolled for this product`);
        }
        const run = runs.get(known) ?? [];
        runs.set(known, run);
        // The clock check is skipped, because the reading passed it when it first arrived.
        const candidate = { reading, received: Number.MAX_SAFE_INTEGER, signed: false, coSigned: false };
        run.push({ candidate, batch });
        signatures.push(signaturesOf(known, reading).then((signatures) => Object.assign(candidate, signatures)));
      }
    }
    await Promise.all(signatures);
    await parts.partitions.ensure(files.flatMap(({ readings }) => readings.map(({ time }) => time)));
    return parts.db.transaction(async (tx) => {
      await act?.approval?.use(tx);
      return store(tx, files, runs);
    });
  }

  async function store(
    tx: Orm,
    files: readonly Opened[],
    runs: ReadonlyMap<KnownDevice, readonly Placed[]>,
  ): Promise<ImportedBatches> {
    const heads = await lockDevices(tx, parts.directory, [...runs.keys()]);
    const fresh = await notYetHere(tx, files);
    const used = await hashesOf(
      tx,
      [...runs].flatMap(([{ id }, run]) =>
        run
          .filter(({ batch, candidate }) => fresh.has(batch) && candidate.reading.seq <= heads.of(id).seq)
          .map(({ candidate }) => ({ device: id, seq: candidate.reading.seq })),
      ),
    );
    const accepted: NewReading[] = [];
    const moved: { device: number; head: Head; accepted: number }[] = [];
    const buckets = [];
    for (const [known, all] of [...runs].sort(([a], [b]) => a.id - b.id)) {
      const { id } = known;
      const run = all.filter(({ batch }) => fresh.has(batch));
      // The device may be retired now, but it was in service at the time of this reading.
      const inService = { ...known, retired: false };
      const candidates = run.map(({ candidate }) => candidate);
      const { outcomes, head } = checkRun({
        device: inService,
        keys: known.keys,
        before: heads.of(id),
        used: used.get(id) ?? new Map(),
        candidates,
      });
      const ofDevice = outcomes.flatMap((outcome, index) => {
        const { candidate, batch } = run[index] as Placed;
        if (outcome.as === "refused") {
          const where = `Batch ${batch.header.number} of ${known.shortId}, reading ${candidate.reading.seq} of ${known.name}`;
          throw refused(`${where}: ${outcome.message}`);
        }
        if (outcome.as === "duplicate") return [];
        return [
          newReading({ device: id, from: candidate.reading, accepted: batch.header.to * 1_000, flaw: outcome.flaw }),
        ];
      });
      const last = ofDevice.at(-1);
      if (last === undefined) continue;
      accepted.push(...ofDevice);
      buckets.push(...bucketsOf(id, ofDevice));
      moved.push({ device: id, head, accepted: last.accepted });
    }
    const ids = new Map([...runs.keys()].map(({ name, id }) => [name, id]));
    await insertReadings(tx, accepted);
    await addToBuckets(tx, buckets);
    await moveHeads(tx, moved);
    await insertBatches(
      tx,
      [...fresh].map(([batch, hash]) => batchRow(batch, hash)),
      [...fresh.keys()].flatMap((batch) => partRows(batch, ids)),
    );
    return { imported: fresh.size, known: files.length - fresh.size, readings: accepted.length };
  }
}

type Hash = `0x${string}`;

/**
 * Returns the batches that are not stored here yet, with the transactions that anchored them. All of them must be on
 * chain, and none may be skipped.
 */
async function notYetHere(tx: Orm, files: readonly Opened[]): Promise<Map<Opened, Hash>> {
  const streams = new Map<string, Opened[]>();
  for (const file of files) {
    const name = `${file.header.chain_id} ${file.stream}`;
    const others = streams.get(name);
    if (others) others.push(file);
    else streams.set(name, [file]);
  }
  const fresh = new Map<Opened, Hash>();
  for (const batches of streams.values()) {
    const [{ header, stream }] = batches as [Opened];
    const of = { chainId: header.chain_id, stream };
    const numbers = batches.map(({ header }) => header.number);
    const anchors = new Map((await anchorsOf(tx, of, numbers)).map((row) => [row.number, row]));
    const stored = await storedBatches(tx, of, numbers);
    let next = stored.last + 1;
    for (const batch of batches) {
      const { number, short_id: shortId } = batch.header;
      const named = `Batch ${number} of ${shortId}`;
      const row = anchors.get(number);
      if (row === undefined) throw refused(`${named} does not stand on the chain, as far as it is known here`);
      // The head covers all values of the batch, the hash of its file and the previous head.
      if (row.head !== batch.head) throw refused(`${named} stands on the chain with other content`);
      const head = stored.heads.get(number);
      if (head === batch.head) continue;
      if (head !== undefined) throw refused(`${named} is kept here with other content`);
      if (number !== next) throw refused(`The next batch of ${shortId} is ${next}, not ${number}`);
      next += 1;
      fresh.set(batch, row.hash);
    }
  }
  return fresh;
}

function batchRow({ header, stream, dataHash, head, zipped }: Opened, hash: Hash): typeof telemetryBatch.$inferInsert {
  const { number, root, from, to, count } = header;
  return {
    chainId: header.chain_id,
    stream,
    number,
    shortId: header.short_id,
    root: root as Hash,
    from,
    to,
    count,
    previousHead: header.previous_head as Hash,
    dataHash,
    head,
    file: zipped,
    createTime: to * 1_000,
    hash,
  };
}

function partRows({ header, stream, readings }: Opened, ids: ReadonlyMap<string, number>) {
  const parts = new Map<string, typeof telemetryBatchPart.$inferInsert>();
  for (const { device: name, seq } of readings) {
    const part = parts.get(name);
    // A file lists the readings of a device in order.
    if (part) part.lastSeq = seq;
    else {
      const place = { chainId: header.chain_id, stream, number: header.number, device: ids.get(name) ?? 0 };
      parts.set(name, { ...place, firstSeq: seq, lastSeq: seq });
    }
  }
  return [...parts.values()];
}

const refused = (message: string) => new ApiError("conflict", message);
