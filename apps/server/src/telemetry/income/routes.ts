import { envelope, lang, shortId, transactionHash } from "@aqua/sdk/api/envelope";
import { range } from "@aqua/sdk/api/product";
import { incomeCheck, incomeNext, incomeSeries } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { READINGS_MS } from "../read/routes.ts";
import type { IncomeService } from "./service.ts";

const params = z.object({ shortId });
const tags = ["telemetry"];

export function incomeRoutes(service: IncomeService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/product/:shortId/income",
      {
        config: { cached: { unless: [], forMs: READINGS_MS } },
        schema: {
          summary: "Income reports beside what the registers counted for each",
          tags,
          params,
          querystring: z.object({ range: range.default("all"), lang }),
          response: { 200: envelope(incomeSeries) },
        },
      },
      async ({ params, query }) => ({ data: await service.series(params.shortId, query) }),
    );
    app.get(
      "/product/:shortId/income/next",
      {
        schema: {
          summary: "What may be reported now, from what is anchored",
          tags,
          params,
          response: { 200: envelope(incomeNext) },
        },
      },
      async ({ params }) => ({ data: await service.next(params.shortId) }),
    );
    app.get(
      "/product/:shortId/income/:hash",
      {
        config: { cached: { unless: [], forMs: READINGS_MS } },
        schema: {
          summary: "What the income report of a transaction rests on, recomputed from anchored readings",
          tags,
          params: params.extend({ hash: transactionHash }),
          querystring: z.object({ lang }),
          response: { 200: envelope(incomeCheck) },
        },
      },
      async ({ params, query }) => ({ data: await service.check(params.shortId, params.hash, query.lang) }),
    );
  };
}
