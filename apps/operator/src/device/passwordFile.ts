import { pbkdf2Sync, randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { CommandError } from "../api.ts";
import { replaceFile } from "../replaceFile.ts";

/** 32 random bytes in Base64 for URLs, as the server makes them. */
const line = /^([a-z0-9][a-z0-9-]{0,30}):([A-Za-z0-9_-]{43})$/;

export const newPassword = () => randomBytes(32).toString("base64url");

/**
 * Reads a file of lines `device:password`, the plain form of Mosquitto's password file. A missing file is empty.
 * @throws CommandError for another content, and for a file that others can read
 */
export async function readPasswords(file: string): Promise<Map<string, string>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new CommandError(`${file} cannot be read: ${error.code}`);
  });
  if (text === null) return new Map();
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) throw new CommandError(`${file} can be read by others; chmod 600 ${file}`);
  const lines = text.split("\n").filter((one) => one !== "");
  return new Map(
    lines.map((one, index) => {
      const [, name, password] = line.exec(one) ?? [];
      if (name !== undefined && password !== undefined) return [name, password];
      throw new CommandError(`${file} line ${index + 1}: must be a device, a colon and its password`);
    }),
  );
}

/** Replaces the file. Only its owner can read it. @throws CommandError */
export function writePasswords(file: string, passwords: ReadonlyMap<string, string>): Promise<void> {
  return replaceFile(file, [...passwords].map(([name, password]) => `${name}:${password}\n`).join(""), 0o600);
}

/** Rounds of PBKDF2, the default of Mosquitto. A password has 256 random bits, so more rounds would add nothing. */
const ROUNDS = 101;

/** The entry of a device in Mosquitto's password file: PBKDF2 with SHA-512, as `mosquitto_passwd` writes it. */
function mosquittoEntry(name: string, password: string): string {
  const salt = randomBytes(12);
  const key = pbkdf2Sync(password, salt, ROUNDS, 64, "sha512");
  return `${name}:$7$${ROUNDS}$${salt.toString("base64")}$${key.toString("base64")}\n`;
}

/** Writes a new file with hashed passwords for Mosquitto. @throws CommandError if it exists */
export async function writeMosquittoFile(file: string, passwords: ReadonlyMap<string, string>): Promise<void> {
  const entries = [...passwords].map(([name, password]) => mosquittoEntry(name, password));
  await writeFile(file, entries.join(""), { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "EEXIST"
        ? `${file} exists already; --mosquitto names another file`
        : `${file} cannot be written: ${error.code}`,
    );
  });
}
