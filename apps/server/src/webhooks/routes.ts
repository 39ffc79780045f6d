import { envelope, listOf } from "@aqua/sdk/api/envelope";
import { replayBody, replayed, webhookLine, webhookListQuery } from "@aqua/sdk/api/webhooks";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import type { WebhookService } from "./service.ts";

const tags = ["operator"];

/** The operator's calls about webhooks. */
export function webhookRoutes(service: WebhookService, access: OperatorAccess): FastifyPluginAsyncZod {
  return async (app) => {
    operatorOnly(app, access, "operations");
    app.get(
      "/operator/webhooks",
      {
        schema: {
          summary: "Events for the operator's system and their deliveries, the newest first",
          tags,
          querystring: webhookListQuery,
          response: { 200: envelope(listOf(webhookLine)) },
        },
      },
      async ({ query }) => ({ data: await service.list(query) }),
    );
    app.post(
      "/operator/webhooks/replay",
      {
        schema: {
          summary: "Sends events again, each with its id",
          description: "One event, or all of a span of time, also those that were delivered.",
          tags,
          body: replayBody,
          response: { 200: envelope(replayed) },
        },
      },
      async ({ body, act }) => ({ data: { replayed: await service.replay(body, act) } }),
    );
  };
}
