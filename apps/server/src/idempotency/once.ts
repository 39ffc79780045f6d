import { createHash, createHmac, hkdfSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { openWith, sealWith } from "../keys.ts";
import * as store from "./store.ts";

export interface OnceRequest {
  /** The header Idempotency-Key; without it the work is simply done. */
  key: string | string[] | undefined;
  /** Method and pattern of the route. */
  route: string;
  /** Whose key it is: an account's id, a session's hash, or without a session a secret of the request's body. */
  caller: string;
  /** Everything the work depends on. */
  body: string | Uint8Array;
}

/**
 * Does `work` once for a key and answers the same to all who come with it, also at the same time and in other processes.
 * Work that fails leaves nothing behind: the same key may try again. What a process leaves undone by dying is done anew by
 * the next who asks, half a minute later, so the work must refuse by itself to take effect twice.
 * @throws ApiError validation_error for a key that is none, conflict when the key came with another body,
 * too_many_requests when the first is under way for too long
 */
export type Once = <Answer>(request: OnceRequest, work: () => Promise<Answer>) => Promise<Answer>;

export interface OnceSettings {
  /** How long one may work before it counts as lost; who waits waits as long. */
  leaseMs: number;
  /** How long an answer is kept. */
  keepMs: number;
}
/** How long an answer is kept, milliseconds. */
export const ANSWER_KEPT_MS = DAY_MS;
const defaults: OnceSettings = { leaseMs: 30_000, keepMs: ANSWER_KEPT_MS };
const LOOK_MS = 50;

export function createOnce(
  db: { orm: Orm },
  { now = Date.now, ...settings }: Partial<OnceSettings> & { now?: () => number } = {},
): Once {
  const { leaseMs, keepMs } = { ...defaults, ...settings };
  return async (request, work) => {
    if (request.key === undefined) return work();
    const key = keyOf(request.key);
    const { keyHash, bodyHash, secret } = derived(key, request);
    const until = now() + leaseMs;
    for (;;) {
      const time = now();
      const claimed = { keyHash, bodyHash, leaseUntil: time + leaseMs, expires: time + keepMs };
      if (await store.claim(db.orm, claimed, time)) return doOnce(claimed, secret, work);
      const known = await store.find(db.orm, keyHash);
      // Released between the two: try again at once.
      if (known === null) continue;
      if (known.bodyHash !== bodyHash) {
        throw new ApiError("conflict", "This Idempotency-Key came with another request before");
      }
      if (known.status !== null && known.answer !== null) {
        return JSON.parse(Buffer.from(openWith(secret, known.answer, keyHash)).toString());
      }
      if (now() > until) {
        const message = "The first request with this Idempotency-Key is still under way";
        throw new ApiError("too_many_requests", message, { retryAfter: 1 });
      }
      await sleep(LOOK_MS);
    }
  };

  async function doOnce<Answer>(claimed: store.Claim, secret: Buffer, work: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      await store.release(db.orm, claimed).catch(forgotten);
      throw error;
    }
    const sealed = sealWith(secret, Buffer.from(JSON.stringify(answer)), claimed.keyHash);
    await store.keep(db.orm, claimed, sealed).catch(forgotten);
    return answer;
  }
}

/** The database is away: what became of the work is true all the same, and who repeats it waits for the lease to end. */
function forgotten(): void {}

function keyOf(given: string | string[]): string {
  if (typeof given === "string" && /^[\x21-\x7e]{8,200}$/.test(given)) return given;
  const message = "An Idempotency-Key has 8 to 200 printable characters";
  throw new ApiError("validation_error", message, { details: [{ path: "idempotency-key", message }] });
}

/**
 * The table holds neither the key nor anything a request or an answer could be guessed from: both may hold secrets, and
 * only who has the key can make the secret they are hidden with.
 */
function derived(key: string, { route, caller, body }: OnceRequest) {
  const secret = Buffer.from(hkdfSync("sha256", key, "", "aqua idempotency", 32));
  return {
    secret,
    keyHash: createHash("sha256")
      .update(JSON.stringify([caller, route, key]))
      .digest("hex"),
    bodyHash: createHmac("sha256", secret).update(body).digest("hex"),
  };
}
