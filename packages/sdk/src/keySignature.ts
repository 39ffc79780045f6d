/** The order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Converts a key's signature to the only form that OpenZeppelin's contracts accept: r, the lower s, and v of 27 or 28,
 * in 65 bytes. Wallets also return v as 0 or 1 (Ledger), r and s with v in the highest bit (EIP-2098, 64 bytes), or the
 * higher s, which identifies the same key with the other v.
 * @returns null if the text is not a key's signature, for example one of a contract wallet
 */
export function keySignature(signature: `0x${string}`): `0x${string}` | null {
  const digits = signature.slice(2).toLowerCase();
  if (!/^([0-9a-f]{128}|[0-9a-f]{130})$/.test(digits)) return null;
  const r = digits.slice(0, 64);
  let s = BigInt(`0x${digits.slice(64, 128)}`);
  let parity: number;
  if (digits.length === 128) {
    parity = Number(s >> 255n);
    s &= (1n << 255n) - 1n;
  } else {
    const v = Number.parseInt(digits.slice(128), 16);
    if (v !== 0 && v !== 1 && v !== 27 && v !== 28) return null;
    parity = v % 27;
  }
  if (BigInt(`0x${r}`) === 0n || BigInt(`0x${r}`) >= ORDER || s === 0n || s >= ORDER) return null;
  if (s > ORDER / 2n) {
    s = ORDER - s;
    parity = 1 - parity;
  }
  return `0x${r}${s.toString(16).padStart(64, "0")}${(27 + parity).toString(16)}`;
}
