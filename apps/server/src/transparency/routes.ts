import { envelope, listOf } from "@aqua/sdk/api/envelope";
import { actsQuery, privilegedAct, transparencySummary } from "@aqua/sdk/api/transparency";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { TransparencyService } from "./service.ts";

const tags = ["transparency"];

export function transparencyRoutes(service: TransparencyService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/transparency/summary",
      {
        schema: {
          summary: "Reserves against liabilities of every product, contracts, and who holds which role",
          tags,
          response: { 200: envelope(transparencySummary) },
        },
      },
      async () => ({ data: await service.summary() }),
    );
    app.get(
      "/transparency/acts",
      {
        schema: {
          summary: "What holders of roles did, newest first",
          tags,
          querystring: actsQuery,
          response: { 200: envelope(listOf(privilegedAct)) },
        },
      },
      async ({ query }) => ({ data: await service.acts(query) }),
    );
  };
}
