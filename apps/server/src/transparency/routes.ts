import { envelope, lang, listOf } from "@aqua/sdk/api/envelope";
import { actsQuery, privilegedAct, recoveries, recoveriesQuery, transparencySummary } from "@aqua/sdk/api/transparency";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { TransparencyService } from "./service.ts";

const tags = ["transparency"];

export function transparencyRoutes(service: TransparencyService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/transparency/summary",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "Reserves against liabilities of every product, contracts, and who holds which role",
          tags,
          querystring: z.object({ lang }),
          response: { 200: envelope(transparencySummary) },
        },
      },
      async ({ query }) => ({ data: await service.summary(query.lang) }),
    );
    app.get(
      "/transparency/recoveries",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "Live proposals that another wallet takes the place of one",
          tags,
          querystring: recoveriesQuery,
          response: { 200: envelope(recoveries) },
        },
      },
      async ({ query }) => ({ data: await service.recoveries(query.wallet) }),
    );
    app.get(
      "/transparency/acts",
      {
        config: { cached: { unless: [] } },
        schema: {
          summary: "What holders of roles did and what became of recoveries, newest first",
          tags,
          querystring: actsQuery,
          response: { 200: envelope(listOf(privilegedAct)) },
        },
      },
      async ({ query }) => ({ data: await service.acts(query) }),
    );
  };
}
