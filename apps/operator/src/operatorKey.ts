import { readFile } from "node:fs/promises";
import type { LocalAccount } from "viem";
import { CommandError } from "./api.ts";
import type { Terminal } from "./terminal.ts";

/** What a key needs of a terminal. */
export type KeyTerminal = Pick<Terminal, "environment" | "askHidden">;

const keyPattern = /^0x[0-9a-fA-F]{64}$/;

/**
 * The account with which an operator signs acts, of OPERATOR_KEYSTORE or OPERATOR_KEY. Null if neither is set. The key
 * and the passphrase are never repeated, not even wrong ones.
 * @throws CommandError for a wrong setting, or a passphrase that does not open the keystore
 */
export async function operatorAccount(terminal: KeyTerminal): Promise<LocalAccount | null> {
  const { environment } = terminal;
  const file = environment.OPERATOR_KEYSTORE?.trim() ?? "";
  const key = environment.OPERATOR_KEY?.trim() ?? "";
  if (file === "" && key === "") return null;
  if (file !== "" && key !== "") throw new CommandError("OPERATOR_KEYSTORE and OPERATOR_KEY must not both be set");
  if (file === "" && !keyPattern.test(key)) throw new CommandError("OPERATOR_KEY must be 0x and 64 hex digits");
  const opened = file === "" ? key : await openKeystore(file, terminal);
  const { privateKeyToAccount } = await import("viem/accounts");
  try {
    return privateKeyToAccount(opened as `0x${string}`);
  } catch {
    throw new CommandError(`${file === "" ? "OPERATOR_KEY" : file} holds no valid key of secp256k1`);
  }
}

async function openKeystore(file: string, terminal: KeyTerminal): Promise<string> {
  const keystore = parseKeystore(file, await textOf(file));
  const password = await passphraseOf(terminal, `Passphrase of ${file}: `);
  const { decrypt, toKey } = await import("ox/Keystore");
  try {
    // The asynchronous function of this version ignores two parameters of scrypt.
    return decrypt(keystore, toKey(keystore, { password }));
  } catch {
    throw new CommandError(`the passphrase does not open ${file}`);
  }
}

type StoredKey = import("ox/Keystore").Keystore;

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
  return stored as StoredKey;
}

/**
 * The passphrase in the file of OPERATOR_PASSPHRASE_FILE, without the line break at its end, or as typed.
 * @throws CommandError if there is neither a file nor a terminal
 */
export async function passphraseOf(terminal: KeyTerminal, question: string): Promise<string> {
  const file = terminal.environment.OPERATOR_PASSPHRASE_FILE?.trim() ?? "";
  if (file !== "") {
    const passphrase = (await textOf(file)).replace(/\r?\n$/, "");
    if (passphrase === "") throw new CommandError(`OPERATOR_PASSPHRASE_FILE names an empty file: ${file}`);
    return passphrase;
  }
  if (terminal.askHidden === undefined) {
    throw new CommandError("there is no terminal that asks for the passphrase; set OPERATOR_PASSPHRASE_FILE");
  }
  return terminal.askHidden(question);
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code}`);
  });
}
