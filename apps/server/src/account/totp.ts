import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Seconds for which a code is valid (RFC 6238). */
const PERIOD = 30;
const DIGITS = 6;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 of RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

export const newTotpSecret = (): Uint8Array => randomBytes(20);

/** The link an authenticator app reads. `host` names the site in the app. */
export function totpUri(secret: Uint8Array, { host, email }: { host: string; email: string }): string {
  const issuer = encodeURIComponent(`Aqua ${host}`);
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=${issuer}`;
}

export function totpCode(secret: Uint8Array, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, "0");
}

export const totpPeriod = (time: number): number => Math.floor(time / 1_000 / PERIOD);

/**
 * Returns the period that the code belongs to, out of the current period and its two neighbours; null when it matches
 * none.
 */
export function matchingPeriod(secret: Uint8Array, code: string, time: number): number | null {
  const now = totpPeriod(time);
  const codeBytes = Buffer.from(code);
  const matches = [now - 1, now, now + 1].filter((period) => {
    const expected = Buffer.from(totpCode(secret, period));
    return expected.length === codeBytes.length && timingSafeEqual(expected, codeBytes);
  });
  return matches[0] ?? null;
}
