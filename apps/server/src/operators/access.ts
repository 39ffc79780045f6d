import { createHash, timingSafeEqual } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import { actHeaders } from "@aqua/sdk/api/operator";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { actCommitment } from "@aqua/sdk/proofs/log/entry";
import { lt } from "drizzle-orm";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Hex, isHex } from "viem";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";
import { operatorOf } from "../publicLog/act.ts";
import { operatorAct } from "../publicLog/schema.ts";
import type { Act } from "../publicLog/writer.ts";

/** How far the time of a signature may be from the clock here. */
const ACT_LEAD_MS = 5 * MINUTE_MS;
const wrongTokens = { name: "operator.ip", most: 30, windowMs: 10 * MINUTE_MS };

declare module "fastify" {
  interface FastifyRequest {
    /** The signed act of an operator's call. Null if the token alone allows it. */
    act: Act;
  }
}

/** Who may act as an operator, and the log in which it is recorded. */
export interface OperatorAccess {
  db: Pick<Database, "orm">;
  limits: Limits;
  token: string;
  /** Lower-case addresses of the operators. With none, the token alone allows every call. */
  operators: readonly Hex[];
  /** The origin of the log, which a signature names. */
  origin: string;
}

/**
 * Lets only operators call the routes of `app`. Every call needs the token. Once the operators have keys, each call
 * that changes something needs the signature of one of them over the call and its body, and `request.act` holds it.
 *
 * After 30 wrong tokens a network receives 429. This does not limit guessing, since the correct token is always
 * accepted: nobody who shares the operator's network can lock the operator out. The token's length and randomness
 * prevent guessing.
 */
export function operatorOnly(app: FastifyInstance, { db, limits, token, operators, origin }: OperatorAccess): void {
  // Hashes have equal lengths, which the comparison requires, and do not reveal the token's length.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${token}`);
  const bodies = new WeakMap<FastifyRequest, Buffer[]>();
  app.decorateRequest("act", null);
  app.addHook("onRequest", async ({ headers, ip }) => {
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return;
    await limits.spend([{ rule: wrongTokens, whom: networkOf(ip) }]);
    throw new ApiError("token_error", "This is not the operator's token");
  });
  if (operators.length === 0) return;
  app.addHook("preParsing", async (request, _reply, payload) => {
    const chunks: Buffer[] = [];
    bodies.set(request, chunks);
    const copying = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done(null, chunk);
      },
    });
    // A call that breaks off ends the copy too, so that the parser does not wait for the rest.
    return pipeline(payload, copying, () => {});
  });
  app.addHook("preHandler", async (request) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    request.act = await readAct(request, Buffer.concat(bodies.get(request) ?? []));
  });

  /** @throws ApiError signature_invalid */
  async function readAct({ method, url, headers }: FastifyRequest, body: Buffer): Promise<Act> {
    const [time, nonce, signature] = [actHeaders.time, actHeaders.nonce, actHeaders.signature].map((name) =>
      String(headers[name] ?? ""),
    ) as [string, string, string];
    if (signature === "") {
      throw new ApiError(
        "signature_invalid",
        "This call needs an operator's signature (docs/operators/accountability.md)",
      );
    }
    const at = Number(time);
    if (!/^\d{13}$/.test(time) || Math.abs(at - Date.now()) > ACT_LEAD_MS)
      throw new ApiError(
        "signature_invalid",
        "The signature's time is more than 5 minutes away from this server's clock",
      );
    if (!/^0x[0-9a-f]{64}$/.test(nonce) || !isHex(signature))
      throw new ApiError("signature_invalid", "The signature or its nonce is not in hexadecimal form");
    const call = `${method} ${url.replace(/^\/api\/v2\//, "")}`;
    const commitment = actCommitment(nonce, new Uint8Array(body));
    const operator = await operatorOf({ call, commitment, time: at, signature }, origin);
    if (operator === null || !operators.includes(operator))
      throw new ApiError("signature_invalid", "None of this site's operators signed this call");
    const [first] = await db.orm.insert(operatorAct).values({ commitment, time: at }).onConflictDoNothing().returning();
    if (first === undefined) throw new ApiError("signature_invalid", "This signature was used before");
    return { call, body: body.toString("utf8"), nonce, commitment, time: at, operator, signature };
  }
}

/** Forgets acts whose signatures are too old to be accepted again. */
export async function deleteOldActs(db: Pick<Database, "orm">, now: number): Promise<void> {
  await db.orm.delete(operatorAct).where(lt(operatorAct.time, now - 3 * ACT_LEAD_MS));
}
