import { causes } from "../causes.ts";

/** Error codes of EIP-1193 and JSON-RPC that this app handles. */
export const rpcCodes = {
  userRejected: 4001,
  /** WalletConnect's code for a rejection by the user. */
  userRejectedMethods: 5002,
  unsupportedMethod: 4200,
  unrecognizedChain: 4902,
  methodNotFound: -32601,
} as const;

/** EIP-5792 codes of a wallet that cannot execute a batch as requested, or that may not upgrade the account for it. */
const noBatch = [5700, 5710, 5740, 5750, 5760];
/** EIP-5792: unknown bundle id. */
const unknownBundle = 5730;

function hasCode(error: unknown, codes: readonly number[]): boolean {
  for (const cause of causes(error)) if (codes.includes(cause.code as number)) return true;
  return false;
}

/**
 * Messages with which wallets report a rejection without a code. The first is the specification's text for a closed
 * WalletConnect dialog.
 */
const refusals = [
  /^Connection request reset/,
  /\buser\b.{0,12}\b(reject|den(y|ied)|declin|cancel|refus|disapprov)/i,
  /\b(rejected|denied|declined|cancell?ed|refused|disapproved) by (the )?user\b/i,
];

/**
 * True if the visitor rejected the request in the wallet. This is detected by a code anywhere in the chain of causes,
 * or by the message. A rejection is an answer, not an error.
 */
export function isRefusal(error: unknown): boolean {
  if (hasCode(error, [rpcCodes.userRejected, rpcCodes.userRejectedMethods])) return true;
  for (const { message } of causes(error)) {
    // A contract's revert reason may contain any words.
    if (typeof message !== "string" || /revert/i.test(message)) continue;
    if (refusals.some((words) => words.test(message))) return true;
  }
  return false;
}

/** True if the wallet does not support the method at all, so that another way is needed. */
export function isUnsupported(error: unknown): boolean {
  if (hasCode(error, [rpcCodes.unsupportedMethod, rpcCodes.methodNotFound, ...noBatch])) return true;
  for (const cause of causes(error)) {
    if (cause.name === "MethodNotSupportedRpcError" || cause.name === "UnsupportedProviderMethodError") return true;
  }
  return false;
}

/**
 * True if the wallet does not know the bundle, or does not support bundles. The address may be in another wallet now.
 */
export function isUnknownBundle(error: unknown): boolean {
  return hasCode(error, [unknownBundle]) || isUnsupported(error);
}
