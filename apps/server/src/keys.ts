import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

/** What the instance's secret is used for. A value sealed or hashed for one purpose means nothing for another. */
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
  | "deleted";

export interface Keys {
  /** Keyed hash, hex. Without the secret a dump of the database does not reveal what was hashed. */
  hash(purpose: KeyPurpose, text: string): string;
  /** AES-256-GCM: nonce, tag, ciphertext. `context` must be the same when opening, and keeps values in their place. */
  seal(purpose: KeyPurpose, content: Uint8Array, context: string): Uint8Array;
  /** @throws when content, context or secret is not that of `seal` */
  open(purpose: KeyPurpose, sealed: Uint8Array, context: string): Uint8Array;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret 32 bytes, the same in every process of an instance */
export function createKeys(secret: Uint8Array): Keys {
  const derived = new Map<KeyPurpose, Buffer>();
  const keyOf = (purpose: KeyPurpose) => {
    let key = derived.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync("sha256", secret, "", `aqua ${purpose}`, 32));
      derived.set(purpose, key);
    }
    return key;
  };
  return {
    hash: (purpose, text) => createHmac("sha256", keyOf(purpose)).update(text).digest("hex"),
    seal: (purpose, content, context) => sealWith(keyOf(purpose), content, context),
    open: (purpose, sealed, context) => openWith(keyOf(purpose), sealed, context),
  };
}

/** AES-256-GCM under a key of 32 bytes: nonce, tag, ciphertext. */
export function sealWith(key: Uint8Array, content: Uint8Array, context: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** The content of `sealWith`. @throws when key, context or a bit of it differs */
export function openWith(key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/**
 * The secret of an instance that was given none: made once and kept in the data folder, readable by its user only.
 * @throws ConfigError when the file is there and wrong
 */
export async function secretOfFolder(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, "secret.key");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const text = (await readFile(file, "utf8")).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new ConfigError(`${file} must hold 64 hex digits; restore it from a backup`);
  return Buffer.from(text, "hex");
}
