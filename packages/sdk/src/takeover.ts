/**
 * The texts by which one wallet takes the place of another. `IdentityRegistry` writes the statement and the last line
 * itself, so both are letter by letter the contract's; it is given the text around them.
 */

/** The statement of a wallet to which `oldWallet` itself hands everything over. */
export const switchStatement = (oldWallet: string) => `Switch to this wallet from ${oldWallet.toLowerCase()}.`;

/** The statement of a wallet that takes over from `oldWallet`, whose key is lost. */
export const recoveryStatement = (oldWallet: string) => `Recover to this wallet from ${oldWallet.toLowerCase()}.`;

/** What the registry is shown of a signed text: up to its statement, and from there to the subject's line. */
export interface ShownParts {
  before: string;
  afterwards: string;
}

/** Takes a signed text apart around `statement`; null when it does not say that, or does not end with its subject. */
export function shownParts(message: string, statement: string): ShownParts | null {
  const line = `\n${statement}`;
  const at = message.indexOf(`${line}\n`);
  const last = /\nRequest ID: 0x[0-9a-f]{32}$/.exec(message);
  if (at < 0 || last === null) return null;
  return { before: message.slice(0, at), afterwards: message.slice(at + line.length, last.index) };
}
