import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { S3mini, S3ServiceError } from "s3mini";
import type { Hex } from "viem";
import type { Config, StoreUrl } from "../../config.ts";

/** Batch files outside the database. They outlive it, so that a restored older database gets back what it lacks. */
export interface BatchArchive {
  /** Where it is, without credentials. */
  place: string;
  has(batch: ArchivedBatch): Promise<boolean>;
  /** Resolves once the file is stored durably. Storing the same file again does no harm. */
  put(batch: ArchivedBatch, gzip: Uint8Array): Promise<void>;
  /** Returns the file, compressed with gzip, or null if it is not here. */
  get(batch: ArchivedBatch): Promise<Uint8Array | null>;
}

export interface ArchivedBatch {
  chainId: number;
  shortId: string;
  number: number;
  /** keccak-256 of the file. It is part of the name, so a file is never replaced by one with other content. */
  dataHash: Hex;
}

const nameOf = ({ chainId, shortId, number, dataHash }: ArchivedBatch) =>
  `${chainId}/${shortId}/${number}-${dataHash.slice(2)}.ndjson.gz`;

/** Returns the configured archive, or null if there is none. */
export function openArchive({ dir, store }: Config["batchArchive"]): BatchArchive | null {
  if (store !== null) return bucketArchive(store);
  return dir === null ? null : folderArchive(dir);
}

function folderArchive(folder: string): BatchArchive {
  const pathOf = (batch: ArchivedBatch) => join(folder, nameOf(batch));
  return {
    place: folder,
    has: async (batch) => (await absent(stat(pathOf(batch)))) !== null,
    get: (batch) => absent(readFile(pathOf(batch))),
    async put(batch, gzip) {
      const path = pathOf(batch);
      const temporary = `${path}.${process.pid}.part`;
      await mkdir(dirname(path), { recursive: true });
      try {
        const file = await open(temporary, "w");
        try {
          await file.writeFile(gzip);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      // A new name is durable once its folder is written. Windows cannot open a folder.
      if (process.platform === "win32") return;
      const parent = await open(dirname(path), "r");
      await parent.sync().finally(() => parent.close());
    },
  };
}

/** Turns the error about a missing file into null. */
function absent<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Milliseconds after which a request to the store is given up. */
const STORE_TIMEOUT_MS = 30_000;

function bucketArchive({ endpoint, prefix, region, accessKeyId, secretAccessKey }: StoreUrl): BatchArchive {
  const bucket = new S3mini({
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: STORE_TIMEOUT_MS,
  });
  const keyOf = (batch: ArchivedBatch) => prefix + nameOf(batch);
  return {
    place: `${endpoint}/${prefix}`,
    has: async (batch) => (await bucket.objectExists(keyOf(batch))) === true,
    async get(batch) {
      // getObjectArrayBuffer would call each file of a missing bucket missing, and a missing file may be declared lost.
      const found = await bucket.getObjectRaw(keyOf(batch)).catch((error: unknown) => {
        if (error instanceof S3ServiceError && error.serviceCode === "NoSuchKey") return null;
        throw error;
      });
      return found === null ? null : new Uint8Array(await found.arrayBuffer());
    },
    async put(batch, gzip) {
      await bucket.putObject(keyOf(batch), Buffer.from(gzip), "application/gzip");
    },
  };
}
