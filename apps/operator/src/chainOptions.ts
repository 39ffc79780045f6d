import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalAccount } from "viem";
import { type AccountKey, accountOf, readKey } from "../../server/src/accountKey.ts";
import { CommandError } from "./api.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Returns the account of a key in the environment, or of a remote signer that holds it. Null when it is not set. The
 * key is never repeated, not even a wrong one.
 * @throws CommandError
 */
export function keyAccount(name: string, value: string | undefined): LocalAccount | null {
  const key = keySetting(name, value);
  return key === null ? null : accountOf(key);
}

/** Returns the key of a setting that must be there, or what names the remote signer that holds it. @throws CommandError */
export function requireKey(name: string, environment: Terminal["environment"]): AccountKey {
  const key = keySetting(name, environment[name]);
  if (key === null) throw new CommandError(`${name} must be set`);
  return key;
}

function keySetting(name: string, value: string | undefined): AccountKey | null {
  const text = value?.trim() ?? "";
  if (text === "") return null;
  const key = readKey(text);
  if (key !== null) return key;
  throw new CommandError(
    `${name} must be 0x and 64 hex digits, or the URL of a remote signer with # and the account's address`,
  );
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
