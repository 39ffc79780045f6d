import { createKeystore } from "./keystore.ts";
import type { Terminal } from "./terminal.ts";

/** `aqua operator key`: makes a key with which an operator signs acts. */
export async function makeOperatorKey(file: string, terminal: Terminal): Promise<void> {
  const setting = "OPERATOR_PASSPHRASE_FILE";
  const passphrase = { setting, file: terminal.environment[setting]?.trim() ?? "" };
  const address = await createKeystore(file, passphrase, terminal);
  terminal.out(`Saved ${file}\nAddress ${address}\nThe server accepts it once OPERATOR_KEYS has the address.\n`);
}

/** `aqua key new`: makes a key for any role. */
export async function makeKey(
  { out: file, passphraseFile = "" }: { out: string; passphraseFile?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const address = await createKeystore(file, { setting: "--passphrase-file", file: passphraseFile }, terminal);
  terminal.out(
    `Saved ${file}\nAddress ${address}\nCommands sign with it where the setting of a role names the file, such as REGISTRAR_KEYSTORE.\n`,
  );
}
