import { address, envelope } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { isLinked } from "./store.ts";

export function walletRoutes({ db }: { db: Database }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/account/checkAddress/:address",
      {
        schema: {
          summary: "Whether a wallet is linked to an account",
          tags: ["account"],
          params: z.object({ address }),
          response: { 200: envelope(z.boolean()) },
        },
      },
      async ({ params }) => ({ data: await isLinked(db.orm, params.address) }),
    );
  };
}
