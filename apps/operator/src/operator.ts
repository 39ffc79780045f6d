import { randomBytes, randomUUID } from "node:crypto";
import { access, writeFile } from "node:fs/promises";
import type { AddedOperator, NamedOperator } from "@aqua/sdk/api/operator";
import { isAddress } from "viem";
import { CommandError } from "./api.ts";
import { table } from "./caseTable.ts";
import { wholeOf } from "./chainOptions.ts";
import { operatorApi } from "./operatorApi.ts";
import { passphraseOf } from "./operatorKey.ts";
import { jsonText, type Terminal } from "./terminal.ts";

interface Json {
  json?: true | undefined;
}

/** The work that a guess of the passphrase costs: 256 MiB of memory, as in other programs' keystores. */
const scryptCost = { n: 262_144, r: 8, p: 1 } as const;
const MIN_PASSPHRASE_LENGTH = 8;

/** `aqua operator key`: makes a key with which an operator signs acts. */
export async function makeKey(file: string, terminal: Terminal): Promise<void> {
  const address = await createKeystore(file, terminal);
  terminal.out(`Saved ${file}\nAddress ${address}\nThe server accepts it once OPERATOR_KEYS has the address.\n`);
}

/** `aqua operator add`: names an operator and shows the token, this once. */
export async function addOperator(
  name: string,
  { scopes, address, days, json }: Json & { scopes: string; address?: string | undefined; days?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  if (address !== undefined && !isAddress(address)) throw new CommandError("--address must be the address of a key");
  const body = {
    name,
    scopes: scopes.split(",").map((scope) => scope.trim()),
    address: address?.toLowerCase() ?? null,
    ...(days === undefined ? {} : { valid_days: days === "unlimited" ? null : wholeOf("days", days, 1) }),
  };
  const added = await operatorApi(terminal).json<AddedOperator>("operators", body);
  if (json) return terminal.out(jsonText(added));
  const until = added.expires_at === null ? "it does not expire" : `it expires on ${day(added.expires_at)}`;
  terminal.out(`Added ${added.name}: ${added.scopes.join(", ")}\nToken, shown only once; ${until}:\n${added.token}\n`);
}

/** `aqua operator list` */
export async function listOperators({ json }: Json, terminal: Terminal): Promise<void> {
  const operators = await operatorApi(terminal).json<NamedOperator[]>("operators");
  if (json) return terminal.out(jsonText(operators));
  if (operators.length === 0) return terminal.out("No named operators.\n");
  const stateOf = ({ revoked_at, expires_at }: NamedOperator) => {
    if (revoked_at !== null) return `revoked ${day(revoked_at)}`;
    if (expires_at === null) return "valid";
    return expires_at <= Date.now() ? `expired ${day(expires_at)}` : `valid until ${day(expires_at)}`;
  };
  const rows = operators.map((one) => [one.name, one.scopes.join(","), one.address ?? "", stateOf(one)]);
  terminal.out(table(["OPERATOR", "SCOPES", "KEY", ""], rows));
}

/** `aqua operator revoke`: ends an operator's token for good. */
export async function revokeOperator(name: string, { json }: Json, terminal: Terminal): Promise<void> {
  const revoked = await operatorApi(terminal).json<NamedOperator>(`operators/${encodeURIComponent(name)}/revoke`, {});
  terminal.out(
    json ? jsonText(revoked) : `Revoked ${revoked.name}. Remove the operator's key from OPERATOR_KEYS too.\n`,
  );
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

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
