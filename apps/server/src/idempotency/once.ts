import { createHash, createHmac, hkdfSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { openWith, sealWith } from "../keys.ts";
import * as store from "./store.ts";

export interface OnceRequest {
  /** The Idempotency-Key header. Without it the work runs without protection. */
  key: string | string[] | undefined;
  /** Method and pattern of the route. */
  route: string;
  /**
   * The owner of the key: an account id, a hash of the session or, without a session, a secret in the request's body.
   */
  caller: string;
  /** Everything that the result of the work depends on. */
  body: string | Uint8Array;
}

/**
 * Runs `work` once per key and returns the same answer to every request with that key, even to simultaneous ones and in
 * other processes. Failed work leaves no trace, so the same key may try again. If a process dies before the work is
 * done, the next request repeats it half a minute later. The work itself must therefore prevent a second effect.
 * @throws ApiError validation_error for an invalid key, conflict if the key was used with another body,
 *   too_many_requests if the first request takes too long
 */
export type Once = <Answer>(request: OnceRequest, work: () => Promise<Answer>) => Promise<Answer>;

export interface OnceSettings {
  /** How long the work may run before it counts as lost. Other requests wait as long. */
  leaseMs: number;
  /** How long an answer is stored. */
  keepMs: number;
}
/** How long an answer is stored, in milliseconds. */
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
      // The claim was released between the two queries. Try again at once.
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

/**
 * Ignores a failure of the database. The result of the work is valid anyway, and a repeated request waits for the lease
 * to end.
 */
function forgotten(): void {}

function keyOf(header: string | string[]): string {
  if (typeof header === "string" && /^[\x21-\x7e]{8,200}$/.test(header)) return header;
  const message = "An Idempotency-Key has 8 to 200 printable characters";
  throw new ApiError("validation_error", message, { details: [{ path: "idempotency-key", message }] });
}

/**
 * Derives the stored values. The table contains neither the key nor anything from which a request or an answer could be
 * guessed, because both may contain secrets. Only the owner of the key can derive the secret that protects them.
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
