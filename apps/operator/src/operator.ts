import { randomBytes, randomUUID } from "node:crypto";
import { access, writeFile } from "node:fs/promises";
import { CommandError } from "./api.ts";
import { passphraseOf } from "./operatorKey.ts";
import type { Terminal } from "./terminal.ts";

/** The work that a guess of the passphrase costs: 256 MiB of memory, as in other programs' keystores. */
const scryptCost = { n: 262_144, r: 8, p: 1 } as const;
const MIN_PASSPHRASE_LENGTH = 8;

/** `aqua operator key`: makes a key with which an operator signs acts. */
export async function makeKey(file: string, terminal: Terminal): Promise<void> {
  const address = await createKeystore(file, terminal);
  terminal.out(`Saved ${file}\nAddress ${address}\nThe server accepts it once OPERATOR_KEYS has the address.\n`);
}

/** Writes a new key to a file and returns its address. @throws CommandError if the file exists */
async function createKeystore(file: string, terminal: Terminal): Promise<string> {
  // Before the passphrase is asked; the flag of the write decides.
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw existing(file);
  const password = await newPassphrase(terminal);
  const { encrypt, scrypt } = await import("ox/Keystore");
  const { privateKeyToAccount } = await import("viem/accounts");
  const key = randomBytes(32);
  const address = privateKeyToAccount(`0x${key.toString("hex")}`).address;
  const [derived, parameters] = scrypt({ password, ...scryptCost });
  const keystore = {
    address: address.slice(2).toLowerCase(),
    ...encrypt(key, derived, { ...parameters, id: randomUUID() }),
  };
  await writeFile(file, `${JSON.stringify(keystore)}\n`, { mode: 0o600, flag: "wx" }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? existing(file) : new CommandError(`${file} cannot be written: ${error.code}`);
    },
  );
  return address.toLowerCase();
}

async function newPassphrase(terminal: Terminal): Promise<string> {
  const passphrase = await passphraseOf(terminal, "Passphrase: ");
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new CommandError(`the passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters`);
  }
  const isTyped = (terminal.environment.OPERATOR_PASSPHRASE_FILE?.trim() ?? "") === "";
  if (isTyped && (await passphraseOf(terminal, "The same again: ")) !== passphrase) {
    throw new CommandError("the passphrases differ");
  }
  return passphrase;
}

const existing = (file: string) => new CommandError(`${file} exists already; --out names another file`);
