import { createHash } from "node:crypto";
import { envelope, idempotencyHeaders } from "@aqua/sdk/api/envelope";
import { identity } from "@aqua/sdk/api/identity";
import { MINUTE_MS } from "@aqua/sdk/durations";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { ActiveSession, Sessions } from "../account/sessions.ts";
import type { Once } from "../idempotency/once.ts";
import type { IdentityService } from "./service.ts";
import { readSubmission, type Submission } from "./submission.ts";

const tags = ["account"];
/** The largest document, 8 MiB, takes this long on a connection with 112 kbit/s. */
const UPLOAD_MS = 10 * MINUTE_MS;

export function identityRoutes(
  service: IdentityService,
  sessions: Pick<Sessions, "require">,
  once: Once,
): FastifyPluginAsyncZod {
  return async (app) => {
    // A document that is too large is reported with its field, together with the other errors.
    await app.register(multipart, { throwFileSizeLimit: false });
    app.get(
      "/account/identity",
      { schema: { summary: "Where the identity check stands", tags, response: { 200: envelope(identity) } } },
      async ({ headers }) => {
        const { accountId } = await sessions.require(headers.authorization);
        return { data: await service.show(accountId) };
      },
    );
    // The form is read in preValidation, before the request takes a place, so that a slow upload occupies none.
    const received = new WeakMap<FastifyRequest, { session: ActiveSession; submission: Submission }>();
    app.post(
      "/account/identity",
      {
        schema: {
          summary: "Submits name, birth_date, country, document_kind and the file document, as a form",
          tags,
          consumes: ["multipart/form-data"],
          headers: idempotencyHeaders,
          response: { 200: envelope(identity) },
        },
        config: { bodyTimeout: UPLOAD_MS },
        async preValidation(request) {
          const session = await sessions.require(request.headers.authorization);
          await service.spend(session.accountId);
          received.set(request, { session, submission: await readSubmission(request) });
        },
      },
      async (request) => {
        const form = received.get(request);
        if (form === undefined) throw new Error("the form was not read before the handler");
        const { session, submission } = form;
        const { fields, document } = submission;
        const body = createHash("sha256").update(JSON.stringify(fields)).update(document.content).digest();
        const key = request.headers["idempotency-key"];
        const call = { key, route: "POST account/identity", caller: session.accountId, body };
        return { data: await once(call, () => service.submit(session, submission)) };
      },
    );
  };
}
