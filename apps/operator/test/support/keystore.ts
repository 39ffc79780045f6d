import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encrypt, scrypt } from "ox/Keystore";
import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";

export const PASSPHRASE = "correct horse";

/** Content of a keystore that takes little work to open, without the key's address. */
export function encrypted(key: Hex) {
  const [derived, parameters] = scrypt({ password: PASSPHRASE, n: 2, r: 8, p: 1 });
  return encrypt(key, derived, parameters);
}

/** As above, with the address. */
export const keystoreOf = (key: Hex) => ({
  address: privateKeyToAddress(key).slice(2).toLowerCase(),
  ...encrypted(key),
});

/** Writes a file that others cannot read, and returns its path. */
export async function secretFile(folder: string, name: string, content: string | object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}
