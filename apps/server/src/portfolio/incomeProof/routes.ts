import { address } from "@aqua/sdk/api/envelope";
import { incomeProof, incomeProofQuery } from "@aqua/sdk/api/incomeProof";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { IncomeProofService } from "./service.ts";

/** Limit for one address. A file may need the trees of hundreds of batches. */
const FILES_A_MINUTE = 20;

export function incomeProofRoutes(service: IncomeProofService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/account/incomeProof/:address",
      {
        config: { rateLimit: { max: FILES_A_MINUTE, timeWindow: 60_000, groupId: "incomeProof" } },
        schema: {
          summary: "What a wallet's units earned in a month, from meter readings to share price, as a file to verify",
          description: "Demand deposits only: a time deposit pays the interest agreed when it was opened.",
          tags: ["account"],
          params: z.object({ address }),
          querystring: incomeProofQuery,
          response: {
            200: { description: "The file", content: { "application/json": { schema: incomeProof } } },
          },
        },
      },
      async ({ params, query }, reply) => {
        const file = await service.file(params.address, query);
        const name = `aqua-income-${file.wallet.toLowerCase()}-${file.month}.json`;
        reply.header("content-disposition", `attachment; filename="${name}"`);
        return file;
      },
    );
  };
}
