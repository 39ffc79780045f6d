import { randomBytes, randomUUID } from "node:crypto";
import { access, readFile, stat, writeFile } from "node:fs/promises";
import { CommandError } from "./api.ts";
import type { Terminal } from "./terminal.ts";

/** What a key needs of a terminal. */
export type KeyTerminal = Pick<Terminal, "environment" | "askHidden" | "error">;

/** Where a passphrase comes from. */
interface Passphrase {
  /** The option or setting that names the file. */
  setting: string;
  /** Empty if the terminal asks. */
  file: string;
}

type StoredKey = import("ox/Keystore").Keystore & { address?: unknown };

/** The work that a guess of the passphrase costs: 256 MiB of memory, as in other programs' keystores. */
const scryptCost = { n: 262_144, r: 8, p: 1 } as const;
const MIN_PASSPHRASE_LENGTH = 8;

/** The role's part of the settings of a key: REGISTRAR_PRIVATE_KEY → REGISTRAR. */
const roleOf = (name: string) => name.replace(/(_PRIVATE)?_KEY$/, "");

/** The two settings of a key, in words: "REGISTRAR_PRIVATE_KEY or REGISTRAR_KEYSTORE". */
export const keySettings = (name: string) => `${name} or ${roleOf(name)}_KEYSTORE`;

/**
 * Returns the text of a key's setting, such as REGISTRAR_PRIVATE_KEY, or the private key in the keystore that
 * REGISTRAR_KEYSTORE names. Null if neither is set.
 * @throws CommandError if both are set, and for a keystore that does not open
 */
export async function keyText(name: string, terminal: KeyTerminal): Promise<string | null> {
  const { environment } = terminal;
  const role = roleOf(name);
  const settingOf = (setting: string) => environment[setting]?.trim() ?? "";
  const [key, file] = [settingOf(name), settingOf(`${role}_KEYSTORE`)];
  if (file === "") return key === "" ? null : key;
  if (key !== "") throw new CommandError(`${role}_KEYSTORE and ${name} must not both be set`);
  const setting = `${role}_PASSPHRASE_FILE`;
  return openKeystore(file, { setting, file: settingOf(setting) }, terminal);
}

async function openKeystore(file: string, passphrase: Passphrase, terminal: KeyTerminal): Promise<string> {
  const stored = parseKeystore(file, await secretIn(file, terminal));
  const password = await passphraseOf(passphrase, terminal, `Passphrase of ${file}: `);
  const { decrypt, toKey } = await import("ox/Keystore");
  const { privateKeyToAddress } = await import("viem/accounts");
  let derived: ReturnType<typeof toKey>;
  try {
    // The asynchronous function of this version ignores two parameters of scrypt.
    derived = toKey(stored, { password });
  } catch {
    throw damaged(file, "crypto.kdfparams");
  }
  let key: `0x${string}`;
  try {
    key = decrypt(stored, derived);
  } catch {
    throw new CommandError(`the passphrase does not open ${file}`);
  }
  let address: string;
  try {
    address = privateKeyToAddress(key);
  } catch {
    throw new CommandError(`${file} holds no valid key of secp256k1`);
  }
  const named = stored.address === undefined ? address : `0x${stored.address}`;
  if (named.toLowerCase() === address.toLowerCase()) return key;
  throw new CommandError(`${file} names the address ${named}, and holds the key of ${address}; use the right file`);
}

/** The address that a keystore names, read without its passphrase; null where it names none. @throws CommandError */
export async function keystoreAddress(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code}`);
  });
  const { address } = parseKeystore(file, text);
  return address === undefined ? null : `0x${address}`;
}

const damaged = (file: string, field: string) =>
  new CommandError(`${file} is damaged: ${field} is not valid; use a copy`);

/** Only versions and algorithms that the library knows reach it, so that its errors mean a wrong passphrase. */
function parseKeystore(file: string, text: string): StoredKey {
  const refused = new CommandError(`${file} is no keystore of version 3 (Web3 Secret Storage)`);
  let stored: Partial<StoredKey>;
  try {
    stored = JSON.parse(text) as Partial<StoredKey>;
  } catch {
    throw refused;
  }
  const { version, crypto } = stored ?? {};
  const isKnown = crypto?.cipher === "aes-128-ctr" && ["scrypt", "pbkdf2"].includes(crypto.kdf);
  if (version !== 3 || !isKnown) throw refused;
  const field = damagedField(stored as StoredKey);
  if (field !== undefined) throw damaged(file, field);
  return stored as StoredKey;
}

/** The first field of a keystore without the form that its algorithms need. */
function damagedField({ address, crypto: { ciphertext, cipherparams, mac, kdf, kdfparams } }: StoredKey) {
  const isHex = (value: unknown, bytes: string) => new RegExp(`^([0-9a-f]{2}){${bytes}}$`, "i").test(String(value));
  const { dklen, salt, ...cost } = kdfparams ?? {};
  const costs = kdf === "scrypt" ? ["n", "r", "p"] : ["c"];
  const isCost = costs.every((name) => Number.isSafeInteger((cost as Record<string, unknown>)[name]));
  const isPrf = kdf === "scrypt" || ("prf" in cost && cost.prf === "hmac-sha256");
  const fields = {
    address: address === undefined || isHex(address, "20"),
    "crypto.ciphertext": isHex(ciphertext, "32"),
    "crypto.cipherparams": isHex(cipherparams?.iv, "16"),
    "crypto.mac": isHex(mac, "32"),
    "crypto.kdfparams": dklen === 32 && isHex(salt, "1,64") && isCost && isPrf,
  };
  return Object.entries(fields).find(([, isValid]) => !isValid)?.[0];
}

/**
 * Writes a new key to a file that only its owner reads, and returns its address.
 * @throws CommandError if the file exists
 */
export async function createKeystore(file: string, passphrase: Passphrase, terminal: KeyTerminal): Promise<string> {
  // Before the passphrase is asked; the flag of the write decides.
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw existing(file);
  const password = await newPassphrase(passphrase, terminal);
  const { encrypt, scrypt } = await import("ox/Keystore");
  const { privateKeyToAddress } = await import("viem/accounts");
  const key = randomBytes(32);
  const address = privateKeyToAddress(`0x${key.toString("hex")}`).toLowerCase();
  const [derived, parameters] = scrypt({ password, ...scryptCost });
  const keystore = { address: address.slice(2), ...encrypt(key, derived, { ...parameters, id: randomUUID() }) };
  await writeFile(file, `${JSON.stringify(keystore)}\n`, { mode: 0o600, flag: "wx" }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? existing(file) : new CommandError(`${file} cannot be written: ${error.code}`);
    },
  );
  return address;
}

const existing = (file: string) => new CommandError(`${file} exists already; --out names another file`);

async function newPassphrase(source: Passphrase, terminal: KeyTerminal): Promise<string> {
  const passphrase = await passphraseOf(source, terminal, "Passphrase: ");
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new CommandError(`the passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters`);
  }
  if (source.file === "" && (await passphraseOf(source, terminal, "The same again: ")) !== passphrase) {
    throw new CommandError("the passphrases differ");
  }
  return passphrase;
}

/**
 * The passphrase in the file, without the line break at its end, or as typed.
 * @throws CommandError if there is neither a file nor a terminal
 */
async function passphraseOf({ setting, file }: Passphrase, terminal: KeyTerminal, question: string): Promise<string> {
  if (file !== "") {
    const passphrase = (await secretIn(file, terminal)).replace(/\r?\n$/, "");
    if (passphrase === "") throw new CommandError(`${setting} names an empty file: ${file}`);
    return passphrase;
  }
  if (terminal.askHidden === undefined) {
    throw new CommandError(`there is no terminal that asks for the passphrase; set ${setting}`);
  }
  return terminal.askHidden(question);
}

/** Reads a file, and warns if other users of the machine can read it too. Windows has no such modes. */
async function secretIn(file: string, terminal: KeyTerminal): Promise<string> {
  try {
    const { mode } = await stat(file);
    const text = await readFile(file, "utf8");
    if (process.platform !== "win32" && (mode & 0o044) !== 0) {
      terminal.error(`aqua: other users can read ${file}; \`chmod 600\` prevents it\n`);
    }
    return text;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
