import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { createTarDecoder, createTarPacker, type ParsedTarEntry, type TarPackController } from "modern-tar";
import { CommandError } from "./api.ts";

/** A file in an archive. `sha256` is in hex. */
export interface ArchivedFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** Describes a backup. It is the last file of its archive, because its hashes are known only then. */
export interface Manifest {
  format: "aqua-backup/1";
  /** UTC, as in RFC 3339. */
  time: string;
  /** Version of Aqua and of Node that made the archive. */
  aqua: string;
  node: string;
  /** Versions of PostgreSQL as numbers, such as 150018: the server's, and that of pg_dump. */
  postgres: { server: number; pg_dump: number };
  /** Number of migrations that the dumped database has. */
  migrations: number;
  chain_ids: number[];
  files: ArchivedFile[];
}

/** What goes into an archive. `content` yields exactly `bytes` bytes. */
export interface Source {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const MANIFEST = "manifest.json";
/** A manifest has about 150 bytes for each file. */
const MANIFEST_MAX = 64 * 1024 * 1024;
const AGE_MAGIC = "age-encryption.org/v1\n";

/** The folders of an archive. A name with any other beginning, or with a part like `..`, is refused. */
const nameShape = /^(database\/\d{6}|deleted-accounts|(batches|deployments|products|legal)(\/[^/\\\0]+)+)$/;
const isSafe = (name: string) => nameShape.test(name) && !name.split("/").some((part) => part.startsWith("."));

/**
 * Writes an archive: a tar file of the sources and then the manifest, encrypted in age's format if there are recipients.
 * The file is created, readable only by its user, and is on the disk when the promise resolves. Nothing is held in memory
 * but what is under way.
 * @param about the manifest without the files, asked for after the last source
 */
export async function writeArchive(
  file: string,
  recipients: readonly string[],
  { sources, about }: { sources: AsyncIterable<Source>; about: () => Promise<Omit<Manifest, "files">> },
): Promise<Manifest> {
  const { readable, controller } = createTarPacker();
  const bytes = recipients.length === 0 ? readable : await encrypterFor(recipients).encrypt(readable);
  const written = pipeline(
    Readable.fromWeb(bytes as NodeStream),
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
  const packed = pack(controller, sources, about).catch((error: unknown) => {
    controller.error(error);
    throw error;
  });
  const [onDisk, manifest] = await Promise.allSettled([written, packed]);
  // Both have the same reason, whichever failed first.
  if (onDisk.status === "rejected") throw onDisk.reason;
  if (manifest.status === "rejected") throw manifest.reason;
  return manifest.value;
}

async function pack(
  controller: TarPackController,
  sources: AsyncIterable<Source>,
  about: () => Promise<Omit<Manifest, "files">>,
): Promise<Manifest> {
  const files: ArchivedFile[] = [];
  for await (const source of sources) {
    if (!isSafe(source.name)) throw new CommandError(`a file of this name cannot be in a backup: ${source.name}`);
    files.push(await add(controller, source));
  }
  const manifest: Manifest = { ...(await about()), files };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await add(controller, { name: MANIFEST, bytes: text.length, content: [text] });
  controller.finalize();
  return manifest;
}

async function add(controller: TarPackController, { name, bytes, content }: Source): Promise<ArchivedFile> {
  const hash = createHash("sha256");
  const writer = controller.add({ name, size: bytes, mode: 0o600 }).getWriter();
  for await (const part of content) {
    hash.update(part);
    await writer.write(part);
  }
  await writer.close();
  return { name, bytes, sha256: hash.digest("hex") };
}

function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new CommandError(`--recipient must be a public key of age, age1…: ${recipient}`);
    }
  }
  return encrypter;
}

/** A file of an archive that is read. Its content must be read to the end before the next file. */
export interface ReadFile {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Reads an archive from its beginning to its end.
 * @param identities private keys of age, for an encrypted archive
 * @throws CommandError if it is damaged, truncated, or encrypted to someone else
 */
export async function* readArchive(file: string, identities: readonly string[]): AsyncGenerator<ReadFile> {
  const bytes = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  let tar: ReadableStream<Uint8Array> = bytes;
  if (await isEncrypted(file)) {
    if (identities.length === 0) throw new CommandError(`${file} is encrypted; name the file of the key by --identity`);
    tar = await decrypterFor(identities)
      .decrypt(bytes)
      .catch((error: Error) => {
        throw /no identity matched/.test(error.message)
          ? new CommandError(`${file} is encrypted to another key than the one of --identity`)
          : damaged(file, error);
      });
  }
  const entries = tar.pipeThrough(createTarDecoder({ strict: true })) as unknown as AsyncIterable<ParsedTarEntry>;
  try {
    for await (const { header, body } of entries) {
      if (header.type !== "file") throw new CommandError(`${file} is no backup: ${header.name} is not a file`);
      yield { name: header.name, bytes: header.size, content: contentOf(file, body) };
    }
  } catch (error) {
    throw inWords(file, error);
  }
}

async function* contentOf(file: string, body: ParsedTarEntry["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw inWords(file, error);
  }
}

const damaged = (file: string, { message }: Error) => new CommandError(`${file} is damaged or truncated (${message})`);

/** Errors of the tar reader and of age are about the archive; those of the system are not. */
function inWords(file: string, error: unknown): unknown {
  const isOfSystem = typeof (error as NodeJS.ErrnoException).syscall === "string";
  return error instanceof CommandError || isOfSystem ? error : damaged(file, error as Error);
}

async function isEncrypted(file: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(AGE_MAGIC.length), position: 0 });
    return buffer.toString() === AGE_MAGIC;
  } finally {
    await handle.close();
  }
}

function decrypterFor(identities: readonly string[]): Decrypter {
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new CommandError("--identity must name a file with a private key of age, AGE-SECRET-KEY-1…");
    }
  }
  return decrypter;
}

/**
 * Reads the whole archive and compares every file with the manifest. Nothing is written.
 * @throws CommandError if a file is missing, too many, or differs
 */
export async function checkArchive(file: string, identities: readonly string[]): Promise<Manifest> {
  const found: ArchivedFile[] = [];
  let manifest: Manifest | null = null;
  for await (const entry of readArchive(file, identities)) {
    if (manifest !== null) throw new CommandError(`${file} is no single backup: ${entry.name} follows its manifest`);
    if (entry.name === MANIFEST) manifest = await readManifest(file, entry);
    else found.push({ name: entry.name, bytes: entry.bytes, sha256: await hashOf(entry.content) });
  }
  if (manifest === null) throw new CommandError(`${file} is no whole backup: its manifest, the last file, is missing`);
  const listed = new Map(manifest.files.map((entry) => [entry.name, entry]));
  if (listed.size !== manifest.files.length) throw new CommandError(`${file} names a file twice in its manifest`);
  for (const { name, bytes, sha256 } of found) {
    if (!isSafe(name)) throw new CommandError(`${file} has a file that no backup has: ${name}`);
    const expected = listed.get(name);
    if (expected === undefined) throw new CommandError(`${file} is mixed: its manifest does not name ${name}`);
    if (expected.bytes !== bytes || expected.sha256 !== sha256) {
      throw new CommandError(`${file} is damaged or mixed: ${name} is not what its manifest says`);
    }
    listed.delete(name);
  }
  const [missing] = listed.keys();
  if (missing !== undefined) throw new CommandError(`${file} is incomplete: ${missing} is missing`);
  return manifest;
}

async function readManifest(file: string, { bytes, content }: ReadFile): Promise<Manifest> {
  if (bytes > MANIFEST_MAX) throw new CommandError(`${file} has a manifest of ${bytes} bytes`);
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  let value: Partial<Manifest> | null = null;
  try {
    value = JSON.parse(Buffer.concat(parts).toString());
  } catch {
    // The refusal below says what is wrong.
  }
  if (value?.format !== "aqua-backup/1" || !Array.isArray(value.files)) {
    throw new CommandError(`${file} has no manifest of a backup that this version knows`);
  }
  return value as Manifest;
}

export async function hashOf(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of content) hash.update(part);
  return hash.digest("hex");
}
