/**
 * The texts with which one wallet replaces another. `IdentityRegistry` writes the statement and the last line itself,
 * so both must match the contract's byte for byte. The registry receives only the text around them.
 */

/** The statement of a wallet to which `oldWallet` itself transfers everything. */
export const switchStatement = (oldWallet: string) => `Switch to this wallet from ${oldWallet.toLowerCase()}.`;

/** The statement of a wallet that takes over from `oldWallet`, whose key is lost. */
export const recoveryStatement = (oldWallet: string) => `Recover to this wallet from ${oldWallet.toLowerCase()}.`;

/**
 * The parts of a signed text that the registry receives: the text before its statement, and the text from there to the
 * subject's line.
 */
export interface ShownParts {
  before: string;
  afterwards: string;
}

/** Splits a signed text at `statement`. Null if the text does not contain it, or does not end with its subject. */
export function shownParts(message: string, statement: string): ShownParts | null {
  const line = `\n${statement}`;
  const at = message.indexOf(`${line}\n`);
  const last = /\nRequest ID: 0x[0-9a-f]{32}$/.exec(message);
  if (at < 0 || last === null) return null;
  return { before: message.slice(0, at), afterwards: message.slice(at + line.length, last.index) };
}
