import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { type ArchivedBatch, type BatchArchive, openArchive } from "../../../src/telemetry/anchoring/archive.ts";

const batch: ArchivedBatch = { chainId: 1, shortId: "tide", number: 7, dataHash: `0x${"ab".repeat(32)}` };
const other: ArchivedBatch = { ...batch, dataHash: `0x${"cd".repeat(32)}` };
const file = gzipSync("one reading");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-archive-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const archiveOf = (environment: Record<string, string>) => {
  const archive = openArchive(readConfig(environment).batchArchive);
  if (archive === null) throw new Error("no archive");
  return archive;
};

function keepsFiles(open: () => BatchArchive) {
  it("returns the file that was put, and none under the same number with another hash", async () => {
    const archive = open();
    expect([await archive.has(batch), await archive.get(batch)]).toEqual([false, null]);
    await archive.put(batch, file);
    await archive.put(batch, file);
    expect([await archive.has(batch), await archive.has(other)]).toEqual([true, false]);
    expect(Buffer.from((await archive.get(batch)) ?? [])).toEqual(file);
    expect(await archive.get(other)).toBeNull();
  });
}

describe("a folder of batch files", () => {
  const open = () => archiveOf({ BATCH_DIR: folder });
  keepsFiles(open);

  it("rejects when it cannot be written, and leaves no part of a file", async () => {
    await writeFile(join(folder, "1"), "");
    await expect(open().put(batch, file)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(folder)).toEqual(["1"]);
  });
});

describe("the settings of the archive", () => {
  it("are refused without a bucket or a key, and if both are set", () => {
    const message = "BATCH_STORE_URL must be such as https://KEY:SECRET@host/bucket/prefix?region=eu-central-1";
    for (const url of [
      "https://key:secret@s3.example/",
      "https://s3.example/bucket",
      "https://key@s3.example/bucket",
    ]) {
      expect(() => readConfig({ BATCH_STORE_URL: url })).toThrow(message);
    }
    expect(() => readConfig({ BATCH_STORE_URL: "https://a:b@s3.example/c", BATCH_DIR: folder })).toThrow("not both");
  });

  it("name a bucket, a prefix and a region", () => {
    const url = "https://key:a%2Fb@s3.example/bucket/some/where?region=eu-central-1";
    expect(readConfig({ BATCH_STORE_URL: url }).batchArchive.store).toEqual({
      endpoint: "https://s3.example/bucket",
      prefix: "some/where/",
      region: "eu-central-1",
      accessKeyId: "key",
      secretAccessKey: "a/b",
    });
  });
});

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

// `npm test -- bucket` fetches the server and runs this.
if (process.env.S3RVER !== undefined) {
  describe("a bucket of batch files", () => {
    let server: S3rver;
    let address: string;
    beforeEach(async () => {
      const S3 = createRequire(import.meta.url)(process.env.S3RVER as string) as new (options: object) => S3rver;
      const buckets = [{ name: "batches", configs: [] }];
      server = new S3({ port: 0, address: "127.0.0.1", silent: true, directory: folder, configureBuckets: buckets });
      address = `127.0.0.1:${(await server.run()).port}`;
    });
    afterEach(() => server.close());
    const open = (keys = "S3RVER:S3RVER") =>
      archiveOf({ BATCH_STORE_URL: `http://${keys}@${address}/batches/aqua?region=us-east-1` });
    keepsFiles(open);

    it("is named without its keys", () => {
      expect(open().place).toBe(`http://${address}/batches/aqua/`);
    });

    it("rejects with an unknown key, without its bucket, and when it does not answer", async () => {
      const wrong = open("nobody:S3RVER");
      for (const work of [wrong.put(batch, file), wrong.get(batch), wrong.has(batch)])
        await expect(work).rejects.toThrow();
      const without = archiveOf({ BATCH_STORE_URL: `http://S3RVER:S3RVER@${address}/none?region=us-east-1` });
      for (const work of [without.put(batch, file), without.get(batch)])
        await expect(work).rejects.toThrow("NoSuchBucket");
      const closed = archiveOf({ BATCH_STORE_URL: "http://S3RVER:S3RVER@127.0.0.1:9/batches?region=us-east-1" });
      for (const work of [closed.put(batch, file), closed.get(batch), closed.has(batch)])
        await expect(work).rejects.toThrow();
    });
  });
}
