import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, secretKeys } from "./config.ts";

/** The uses of the instance's secret. A value that was sealed or hashed for one purpose is useless for another. */
export type KeyPurpose =
  | "email"
  | "code"
  | "device"
  | "limit"
  | "job"
  | "document"
  | "person"
  | "unsubscribe"
  | "factor"
  | "deleted"
  | "log"
  | "logKey"
  | "record"
  | "secret"
  | "session"
  | "operator";

/**
 * Purposes whose hashes are valid for years and match under every key that ever existed. All other hashes match only
 * under the keys of SECRET_KEY, so that nobody can imitate a known device with a leaked key.
 */
const LASTING: ReadonlySet<KeyPurpose> = new Set(["factor", "deleted", "record"]);

export interface Keys {
  /** Id of the key that hashes and seals. */
  readonly id: Buffer;
  /** A keyed hash in hex. Without the secret, a dump of the database does not reveal the hashed text. */
  hash(purpose: KeyPurpose, text: string): string;
  /** The hash under each valid key, for a value that another key may have hashed. `hash` comes first. */
  hashes(purpose: KeyPurpose, text: string): string[];
  /**
   * The key's id followed by AES-256-GCM data: nonce, tag, ciphertext. The same `context` is needed for opening, so a
   * value cannot be moved to another place.
   */
  seal(purpose: KeyPurpose, content: Uint8Array, context: string): Uint8Array;
  /** @throws if content or context differ from those of `seal`, or if none of these keys sealed it */
  open(purpose: KeyPurpose, sealed: Uint8Array, context: string): Uint8Array;
}

export const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of a key. It reveals nothing about the secret. */
export function keyIdOf(secret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "aqua id", KEY_ID_BYTES));
}

/**
 * @param secret 32 bytes that hash and seal in every process of an instance
 * @param others `accepted`: further keys of SECRET_KEY; `former`: keys that the database stores
 */
export function createKeys(
  secret: Uint8Array,
  others: { accepted?: readonly Uint8Array[]; former?: readonly Uint8Array[] } = {},
): Keys {
  const current = secretKey(secret);
  const accepted = [current, ...(others.accepted ?? []).map(secretKey)];
  const former = (others.former ?? []).map(secretKey);
  const all = [...accepted, ...former.filter(({ id }) => !accepted.some((key) => key.id.equals(id)))];
  const hashWith = ({ keyOf }: SecretKey, purpose: KeyPurpose, text: string) =>
    createHmac("sha256", keyOf(purpose)).update(text).digest("hex");
  return {
    id: current.id,
    hash: (purpose, text) => hashWith(current, purpose, text),
    hashes: (purpose, text) => (LASTING.has(purpose) ? all : accepted).map((key) => hashWith(key, purpose, text)),
    seal: (purpose, content, context) =>
      Buffer.concat([current.id, sealWith(current.keyOf(purpose), content, context)]),
    open(purpose, sealed, context) {
      const named = all.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
      if (named !== undefined) return openWith(named.keyOf(purpose), sealed.subarray(KEY_ID_BYTES), context);
      return openUnnamed(all, purpose, { sealed, context });
    },
  };
}

interface SecretKey {
  id: Buffer;
  keyOf(purpose: KeyPurpose): Buffer;
}

function secretKey(secret: Uint8Array): SecretKey {
  const derived = new Map<KeyPurpose, Buffer>();
  return {
    id: keyIdOf(secret),
    keyOf(purpose) {
      let key = derived.get(purpose);
      if (key === undefined) {
        key = Buffer.from(hkdfSync("sha256", secret, "", `aqua ${purpose}`, 32));
        derived.set(purpose, key);
      }
      return key;
    },
  };
}

/** Opens values that were sealed before values contained the id of their key, such as links in old mails. */
function openUnnamed(
  keys: readonly SecretKey[],
  purpose: KeyPurpose,
  { sealed, context }: { sealed: Uint8Array; context: string },
): Uint8Array {
  for (const { keyOf } of keys) {
    try {
      return openWith(keyOf(purpose), sealed, context);
    } catch {
      // GCM only reports that this key did not seal it.
    }
  }
  throw new Error("sealed with none of the instance's keys");
}

/** AES-256-GCM with a key of 32 bytes: nonce, tag, ciphertext. */
export function sealWith(key: Uint8Array, content: Uint8Array, context: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** The content of `sealWith`. @throws if key or context differ, or if a bit of the content was changed */
export function openWith(key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/**
 * The secrets of an instance that was configured without any. One is generated and stored in the data folder, readable
 * only by its user.
 * @throws ConfigError if the file exists but is invalid
 */
export async function secretsOfFolder(dataDir: string): Promise<Uint8Array[]> {
  const file = join(dataDir, "secret.key");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const { success, data } = secretKeys.safeParse(await readFile(file, "utf8"));
  if (!success) throw new ConfigError(`${file} must hold 64 hex digits; restore it from a backup`);
  return data;
}
