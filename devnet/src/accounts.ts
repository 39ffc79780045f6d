import type { Hex } from "viem";
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { toHex } from "viem/utils";

/**
 * The mnemonic of every development chain. Its keys are public, and anyone can spend their money, so they exist for
 * chain 31337 alone, and every function here that signs checks the chain first.
 */
export const DEVNET_MNEMONIC = "test test test test test test test test test test test junk";
const FOLDER = "m/44'/60'/0'/0";

/** Index of the demo wallet under the mnemonic. The web app derives the same key on its own. */
export const DEMO_WALLET_INDEX = 20;
export const DEMO_WALLET_ADDRESS = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";

/** Accounts of the local chain by role. The number is the index under the mnemonic. */
const roleIndexes = {
  deployer: 30,
  owner: 31,
  guardian: 32,
  reporter: 33,
  attester: 34,
  faucet: 35,
  treasurer: 36,
  anchorer: 37,
  registrar: 38,
  // The next three hold no role on chain: they receive deployed money, receive fees, and call functions open to anyone.
  custodian: 39,
  treasury: 40,
  keeper: 41,
  confirmer: 42,
  /** On the local chain alone: commits to edited documents. */
  editor: 43,
  /** Signs what the operator of the local world changes on its server. */
  operator: 44,
} as const;
export type DevnetRole = keyof typeof roleIndexes;
export const devnetRoles = Object.keys(roleIndexes) as DevnetRole[];

const FIRST_DEPOSITOR = 100;
export const DEPOSITOR_COUNT = 42;
/** The demo wallet's number among the depositors, after the last of them. */
export const DEMO_DEPOSITOR = 42;

// Deriving the seed from the mnemonic is the slowest part, so it happens once.
let folder: ReturnType<ReturnType<typeof mnemonicToAccount>["getHdKey"]> | undefined;
const keys = new Map<number, Hex>();

/** Private key at `index` of the devnet's folder. */
export function devnetKey(index: number): Hex {
  let key = keys.get(index);
  if (key === undefined) {
    folder ??= mnemonicToAccount(DEVNET_MNEMONIC, { path: FOLDER }).getHdKey();
    const { privateKey } = folder.deriveChild(index);
    if (privateKey === null) throw new Error(`No key at index ${index}.`);
    key = toHex(privateKey);
    keys.set(index, key);
  }
  return key;
}

const accounts = new Map<number, PrivateKeyAccount>();

function account(index: number): PrivateKeyAccount {
  let known = accounts.get(index);
  if (known === undefined) {
    known = privateKeyToAccount(devnetKey(index));
    accounts.set(index, known);
  }
  return known;
}

export function roleKey(role: DevnetRole): Hex {
  return devnetKey(roleIndexes[role]);
}

export function roleAccount(role: DevnetRole): PrivateKeyAccount {
  return account(roleIndexes[role]);
}

export function demoWallet(): PrivateKeyAccount {
  return account(DEMO_WALLET_INDEX);
}

/** Index of the wallet that takes over from the depositor whose wallet is recovered in the seeded year. */
const SUCCESSOR_INDEX = 150;

export function successorWallet(): PrivateKeyAccount {
  return account(SUCCESSOR_INDEX);
}

/** Returns a depositor of the seeded year, 0 ≤ index < DEPOSITOR_COUNT, or DEMO_DEPOSITOR. */
export function depositor(index: number): PrivateKeyAccount {
  if (index === DEMO_DEPOSITOR) return demoWallet();
  if (!Number.isInteger(index) || index < 0 || index >= DEPOSITOR_COUNT) throw new RangeError(`No depositor ${index}.`);
  return account(FIRST_DEPOSITOR + index);
}
