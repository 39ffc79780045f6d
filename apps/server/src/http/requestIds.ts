import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { isRequestId, withRequestId } from "../requestId.ts";

const HEADER = "x-request-id";

/** The id that the caller, such as a proxy, chose for its request, or a new one. */
export function requestIdOf({ headers: { [HEADER]: chosen } }: Pick<IncomingMessage, "headers">): string {
  return isRequestId(chosen) ? chosen : randomUUID();
}

/** Answers each request's id, and lets the work of the request know it. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(HEADER, request.id);
    withRequestId(request.id, done);
  });
  // The body arrives in the context of its connection, which the id is not part of.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined) done();
    else withRequestId(request.id, done);
  });
}
