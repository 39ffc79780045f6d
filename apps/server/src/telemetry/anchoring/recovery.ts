import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Database } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { ImportBatches } from "../import.ts";
import type { BatchArchive } from "./archive.ts";
import { Stopped } from "./standing.ts";
import * as store from "./store.ts";

export interface RecoveryParts {
  db: Database;
  /** Null if none is configured. */
  archive: BatchArchive | null;
  importBatches: ImportBatches;
  log: { info(fields: object, message: string): void };
}

export interface Recovery {
  /**
   * Copies the file of a batch to the archive, and first those of all earlier batches that the archive lacks.
   * @throws Stopped if the archive does not take them
   */
  archive(of: store.Stream, batch: store.NamedFile): Promise<void>;
  /**
   * Imports the next batches that the chain has and the database lacks, as after the restore of an older backup.
   * @param anchored number of the last batch on chain
   * @throws Stopped if their files are not in the archive or are refused
   */
  fetchMissing(of: store.Stream, anchored: number): Promise<void>;
}

const unzip = promisify(gunzip);
/** Batches that one import takes at most, and the size in bytes from which on it takes no further one. */
const MOST_FILES = 16;
const MOST_BYTES = 8 * 1024 * 1024;
/** Time in which an archive, or a person who imports batches one after the other, may resolve a problem. */
const PATIENCE_MS = 60_000;

/** Keeps batch files in the archive and gets them back from it. */
export function createRecovery({ db, archive, importBatches, log }: RecoveryParts): Recovery {
  /** @throws Stopped with the reason, and the place of the archive without its credentials */
  async function asked<T>(work: (archive: BatchArchive) => Promise<T>, inArchive: BatchArchive): Promise<T> {
    try {
      return await work(inArchive);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Stopped(`the batch archive ${inArchive.place} does not answer as it should: ${reason}`, PATIENCE_MS);
    }
  }

  return {
    async archive(of, batch) {
      if (archive === null) return;
      const { chainId, shortId } = of;
      const has = (file: store.NamedFile) =>
        asked((inArchive) => inArchive.has({ chainId, shortId, ...file }), archive);
      const previous = await store.fileBefore(db.orm, of, batch.number);
      const isNext = previous === null || (await has(previous));
      const lacking = isNext ? [batch] : await after(has, await store.filesUpTo(db.orm, of, batch.number));
      for (const { number, dataHash } of lacking) {
        const gzip = await store.fileOf(db.orm, of, number);
        if (gzip === null) continue;
        await asked((inArchive) => inArchive.put({ chainId, shortId, number, dataHash }, gzip), archive);
      }
    },

    async fetchMissing(of, anchored) {
      const { chainId, shortId } = of;
      const number = await store.lastOwn(db.orm, of);
      if (number > anchored) {
        throw new Stopped(
          `the chain holds batch ${anchored}, which the database lacks, although it has a later one: restore a backup`,
        );
      }
      const missing = await store.anchoredAfter(db.orm, { of, number, most: MOST_FILES });
      const [first] = missing;
      // Another call has just imported them.
      if (first === undefined) return;
      const help = "import its file or declare it lost (aqua batches)";
      if (archive === null) {
        throw new Stopped(`the chain holds batch ${first.number}, which the database lacks: ${help}`, PATIENCE_MS);
      }
      const files: Buffer[] = [];
      let bytes = 0;
      for (const batch of missing) {
        if (bytes > MOST_BYTES) break;
        const gzip = await asked((inArchive) => inArchive.get({ chainId, shortId, ...batch }), archive);
        if (gzip === null) break;
        const file = await unzip(gzip).catch((error: Error) => {
          throw new Stopped(`the file of batch ${batch.number} in ${archive.place} is damaged: ${error.message}`);
        });
        files.push(file);
        bytes += file.length;
      }
      if (files.length === 0) {
        throw new Stopped(
          `the chain holds batch ${first.number}, which neither the database nor ${archive.place} has: ${help}`,
        );
      }
      try {
        const { imported, readings } = await importBatches(Buffer.concat(files));
        const span = { chain_id: chainId, short_id: shortId, from: first.number, batches: imported, readings };
        log.info(span, "batches that the chain has and the database lacked were imported from the batch archive");
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new Stopped(`batches of the archive ${archive.place} are refused: ${error.message}`, PATIENCE_MS);
      }
    },
  };
}

/**
 * Returns the files after the last one that the archive has. The archive gets the files of a stream in their order, so
 * those it has come before those it lacks.
 */
async function after(
  has: (file: store.NamedFile) => Promise<boolean>,
  files: readonly store.NamedFile[],
): Promise<readonly store.NamedFile[]> {
  let [from, to] = [0, files.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await has(files[middle] as store.NamedFile)) from = middle + 1;
    else to = middle;
  }
  return files.slice(from);
}
