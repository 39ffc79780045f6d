import { createHash, timingSafeEqual } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import { actHeaders, publicReason, type WaitingForSecond } from "@aqua/sdk/api/operator";
import type { OperatorScope } from "@aqua/sdk/api/rules";
import { MINUTE_MS } from "@aqua/sdk/durations";
import { actCommitment, type OperatorAct } from "@aqua/sdk/proofs/log/entry";
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
import type { Desk, DeskSession } from "./desk.ts";
import type { KnownOperator, Operators } from "./service.ts";

/** How far the time of a signature may be from the clock here. */
const ACT_LEAD_MS = 5 * MINUTE_MS;
const wrongTokens = { name: "operator.ip", most: 30, windowMs: 10 * MINUTE_MS };

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes an operator's call, and with which signature. */
    act: Act;
    /** The operator whose token was sent. Null: the token of the instance. */
    operator: KnownOperator | null;
    /** The log-in at the desk by which the call is made. Null: a token was sent. */
    deskSession: DeskSession | null;
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
  named: Operators;
  desk: Desk;
  /** Scopes whose changes need two operators. */
  fourEyes: readonly string[];
}

/**
 * What a call needs. `instance`: only the token of the instance allows it. `own`: every named operator may make it about
 * themselves. Such a call needs no signature, because it adds nothing to what the operator's token allows.
 */
export type CallScope = OperatorScope | "instance" | "own";

/**
 * Lets only operators call the routes of `app`: with the token of the instance, or with a named operator's token or
 * log-in of this scope. `read` also allows to read, except what is about persons. Once the operators have keys, each call that changes
 * something needs the signature of one of them over the call and its body. `request.act` says who makes the call.
 *
 * A change of a scope in `fourEyes` is carried out once two operators have made the same call within a day. The first
 * call is answered with status 202. It counts until a second one succeeds.
 *
 * After 30 wrong tokens a network receives 429. This does not limit guessing, since the correct token is always
 * accepted: nobody who shares the operator's network can lock the operator out. The token's length and randomness
 * prevent guessing.
 */
export function operatorOnly(app: FastifyInstance, access: OperatorAccess, scope: CallScope): void {
  const { db, limits, token, operators, origin, named, desk } = access;
  const needsTwo = access.fourEyes.includes(scope);
  // Hashes have equal lengths, which the comparison requires, and do not reveal the token's length.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${token}`);
  const bodies = new WeakMap<FastifyRequest, Buffer[]>();
  app.decorateRequest("act", null);
  app.decorateRequest("operator", null);
  app.decorateRequest("deskSession", null);
  app.addHook("onRequest", async (request) => {
    const { headers, ip, method } = request;
    const { authorization = "" } = headers;
    if (!timingSafeEqual(digest(authorization), expected)) {
      const sent = authorization.replace(/^Bearer /, "");
      request.deskSession = await desk.find(sent);
      const found = request.deskSession?.operator ?? (await named.find(sent));
      if (found === null) {
        await limits.spend([{ rule: wrongTokens, whom: networkOf(ip) }]);
        throw new ApiError("token_error", "This is not the token of an operator");
      }
      requireScope(found, isReading(method));
      request.operator = found;
    } else if (scope === "own")
      throw new ApiError("not_allowed", "Use the token of a named operator: aqua operator add");
    request.act = { by: request.operator?.name, signed: null, reason: reasonOf(request) };
  });
  if (scope === "own" || (operators.length === 0 && !needsTwo)) return;
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
  app.addHook("preHandler", async (request, reply) => {
    if (isReading(request.method)) return;
    const body = Buffer.concat(bodies.get(request) ?? []);
    if (operators.length > 0) {
      const signed = await readAct(request, body);
      const own = request.operator?.address ?? signed.operator;
      if (signed.operator !== own) throw new ApiError("signature_invalid", `${request.operator?.name} has another key`);
      request.act = { ...request.act, by: request.operator?.name, signed };
    }
    if (!needsTwo) return;
    if (request.operator === null)
      throw new ApiError("not_allowed", "Two named operators must make this call: use the token of one of them");
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const { name } = request.operator;
    const approved = await named.approve({ call: callOf(request), bodyHash, name, act: request.act });
    if ("approval" in approved) {
      const signed = request.act?.signed ?? null;
      request.act = { ...request.act, by: name, signed, approval: approved.approval };
      return;
    }
    const data: WaitingForSecond = { waits_for_second: true, ...approved };
    return reply.code(202).send({ data });
  });
  app.addHook("onSend", async ({ act }, { statusCode }) => {
    if (statusCode < 400) await act?.approval?.end();
  });

  /** @throws ApiError not_allowed */
  function requireScope({ name, scopes }: KnownOperator, isRead: boolean): void {
    if (scope === "own" || scopes.includes(scope)) return;
    if (isRead && scope !== "identity" && scopes.includes("read")) return;
    const what = scope === "instance" ? "Only the token of the instance allows this" : `This needs the scope ${scope}`;
    throw new ApiError("not_allowed", `${what}; ${name} has ${scopes.join(", ")}`);
  }

  /** @throws ApiError validation_error */
  function reasonOf({ headers }: FastifyRequest): string | undefined {
    const sent = headers[actHeaders.reason];
    if (sent === undefined) return undefined;
    if (scope === "identity")
      throw new ApiError("validation_error", "The public log holds no reason for a call about a person");
    const parsed = publicReason.safeParse(decoded(String(sent)));
    if (parsed.success) return parsed.data;
    throw new ApiError("validation_error", `The reason of the call: ${parsed.error.issues[0]?.message}`);
  }

  /** @throws ApiError signature_invalid */
  async function readAct(request: FastifyRequest, body: Buffer): Promise<OperatorAct> {
    const { headers } = request;
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
    const call = callOf(request);
    const commitment = actCommitment(nonce, new Uint8Array(body));
    const operator = await operatorOf({ call, commitment, time: at, signature, reason: request.act?.reason }, origin);
    if (operator === null || !operators.includes(operator))
      throw new ApiError("signature_invalid", "None of this site's operators signed this call");
    const [first] = await db.orm.insert(operatorAct).values({ commitment, time: at }).onConflictDoNothing().returning();
    if (first === undefined) throw new ApiError("signature_invalid", "This signature was used before");
    return { call, body: body.toString("utf8"), nonce, commitment, time: at, operator, signature };
  }
}

/** Null: not percent-encoded UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const isReading = (method: string) => method === "GET" || method === "HEAD";
/** Method and path below /api/v2/. */
const callOf = ({ method, url }: FastifyRequest) => `${method} ${url.replace(/^\/api\/v2\//, "")}`;

/** Forgets acts whose signatures are too old to be accepted again. */
export async function deleteOldActs(db: Pick<Database, "orm">, now: number): Promise<void> {
  await db.orm.delete(operatorAct).where(lt(operatorAct.time, now - 3 * ACT_LEAD_MS));
}
