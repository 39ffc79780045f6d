import { createHmac } from "node:crypto";
import type { Config } from "./config.ts";

/** Statuses whose Retry-After says when the receiver can answer again. */
const BUSY = new Set([429, 503]);
/** A receiver should answer before it works on the event. */
const ANSWER_MS = 15_000;

interface Answered {
  /** The status, or a word for the failure that reveals nothing about the address. */
  answer: string;
  /** The Retry-After of a receiver that is busy, otherwise empty. */
  retryAfter: string;
}

/** Sends an event once. */
export async function postEvent(
  { id, body }: { id: string; body: string },
  { url, keys }: NonNullable<Config["webhook"]>,
  {
    answerMs = ANSWER_MS,
    now = Date.now,
    signal,
  }: { answerMs?: number | undefined; now?: () => number; signal?: AbortSignal } = {},
): Promise<Answered> {
  const seconds = Math.floor(now() / 1_000);
  const inTime = AbortSignal.timeout(answerMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signedHeaders({ id, seconds, body }, keys) },
      body,
      redirect: "manual",
      signal: signal === undefined ? inTime : AbortSignal.any([signal, inTime]),
    });
    await response.body?.cancel();
    const retryAfter = BUSY.has(response.status) ? response.headers.get("retry-after") : null;
    return { answer: String(response.status), retryAfter: retryAfter ?? "" };
  } catch (error) {
    const { name, cause } = error as Error;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    const isLate = name === "TimeoutError";
    return { answer: isLate ? `nothing within ${answerMs / 1_000} s` : `nothing (${code ?? name})`, retryAfter: "" };
  }
}

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
