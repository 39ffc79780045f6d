import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalAccount } from "viem";
import { type AccountKey, accountOf, readKey } from "../../server/src/accountKey.ts";
import { CommandError } from "./api.ts";
import { type KeyTerminal, keySettings, keyText } from "./keystore.ts";
import type { Terminal } from "./terminal.ts";

/** Keys by terminal and setting, so that a command asks for a passphrase once, however often it signs. */
const keys = new WeakMap<KeyTerminal, Map<string, Promise<AccountKey | null>>>();

/**
 * Returns a role's key: of the environment, of a remote signer, or of a keystore. Null when none is set. The key and the
 * passphrase are never repeated, not even wrong ones.
 * @param name the setting with the key, such as REGISTRAR_PRIVATE_KEY; REGISTRAR_KEYSTORE names a keystore in its place
 * @throws CommandError
 */
function keyOf(name: string, terminal: KeyTerminal): Promise<AccountKey | null> {
  const known = keys.get(terminal) ?? new Map<string, Promise<AccountKey | null>>();
  keys.set(terminal, known);
  const key = known.get(name) ?? findKey(name, terminal);
  known.set(name, key);
  return key;
}

async function findKey(name: string, terminal: KeyTerminal): Promise<AccountKey | null> {
  const text = await keyText(name, terminal);
  if (text === null) return null;
  const key = readKey(text);
  if (key !== null) return key;
  throw new CommandError(
    `${name} must be 0x and 64 hex digits, or the URL of a remote signer with # and the account's address`,
  );
}

/** As keyOf, for a command that cannot do without. `role` names who holds the key. */
export async function requireKey(name: string, role: string, terminal: KeyTerminal): Promise<AccountKey> {
  const key = await keyOf(name, terminal);
  if (key === null) throw new CommandError(`${keySettings(name)} must be set to the ${role}'s key`);
  return key;
}

/** The account of `keyOf`. */
export async function keyAccount(name: string, terminal: KeyTerminal): Promise<LocalAccount | null> {
  const key = await keyOf(name, terminal);
  return key === null ? null : accountOf(key);
}

/** The account of `requireKey`. */
export async function requireKeyAccount(name: string, role: string, terminal: KeyTerminal): Promise<LocalAccount> {
  return accountOf(await requireKey(name, role, terminal));
}

/** Set by the bundler of `npm run build`. */
declare const __BUNDLED__: true | undefined;

const deployments =
  typeof __BUNDLED__ === "undefined"
    ? fileURLToPath(new URL("../../../contracts/deployments", import.meta.url))
    : resolve("deployments");

/** Returns the folder that holds `<chain id>.json`, like the server: an empty variable counts as not set. */
export function deploymentsFolder(option: string | undefined, environment: Terminal["environment"]): string {
  return option ?? (environment.DEPLOYMENTS_DIR?.trim() || deployments);
}

/** Returns the node of a chain: the given one, or the first of the server's own setting. */
export function rpcUrlOf(option: string | undefined, environment: Terminal["environment"], chainId: number): string {
  const name = `RPC_URL_${chainId}`;
  const url = option ?? environment[name]?.split(",")[0]?.trim() ?? "";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(`--rpc or ${name} must be the URL of a node of the chain`);
  }
  return url;
}

export function wholeOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text) || Number(text) < least) {
    throw new CommandError(`--${name} must be a whole number from ${least}`);
  }
  return Number(text);
}

/** Returns Unix milliseconds. */
export function momentOf(name: string, text: string): number {
  const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/;
  const moment = shape.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new CommandError(`--${name} must be a day or a moment in UTC, such as 2026-03-01 or 2026-03-01T08:30Z`);
}
