import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE_MS } from "@aqua/sdk/durations";

/** The header of requests to an external provider and of its callbacks: `t=<Unix seconds>,v1=<HMAC-SHA256, hex>`. */
export const SIGNATURE_HEADER = "aqua-signature";
/** The maximum difference between the time of a signature and our time, in either direction. */
export const SIGNATURE_AGE_MS = 5 * MINUTE_MS;

const mac = (secret: string, seconds: string, body: string) =>
  createHmac("sha256", secret).update(`${seconds}.${body}`).digest();

/** Signs a body together with the time. Neither can be changed without the secret. */
export function signatureOf(secret: string, body: string, now = Date.now()): string {
  const seconds = String(Math.floor(now / 1_000));
  return `t=${seconds},v1=${mac(secret, seconds, body).toString("hex")}`;
}

/** True if the header is a recent signature of exactly this body. */
export function isSigned({
  secret,
  body,
  header,
  now = Date.now(),
}: {
  secret: string;
  body: string;
  header: string;
  now?: number;
}): boolean {
  const [, seconds, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (seconds === undefined || signature === undefined) return false;
  if (Math.abs(Number(seconds) * 1_000 - now) > SIGNATURE_AGE_MS) return false;
  return timingSafeEqual(mac(secret, seconds, body), Buffer.from(signature, "hex"));
}
