import { createHmac } from "node:crypto";

/**
 * Returns the headers of a delivery after Standard Webhooks, with one signature for each key.
 * @param of.seconds time of this delivery, Unix seconds
 */
export function signedHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  keys: readonly Buffer[],
): Record<string, string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
}
