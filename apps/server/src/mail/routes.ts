import { outboxMail, outboxQuery } from "@aqua/sdk/api/auth";
import { envelope } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Orm } from "../db/database.ts";
import { outboxMails } from "./store.ts";

const MAX_MAILS = 50;

/** Anyone reads anyone's mail here: only for an instance that is there for trying. */
export function outboxRoutes({ db }: { db: { orm: Orm } }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/dev/outbox",
      {
        schema: {
          summary: "Mails of a demo, newest first",
          tags: ["dev"],
          querystring: outboxQuery,
          response: { 200: envelope(z.array(outboxMail)) },
        },
      },
      async ({ query }) => ({ data: await outboxMails(db.orm, query.to?.trim().toLowerCase(), MAX_MAILS) }),
    );
  };
}
