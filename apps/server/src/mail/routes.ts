import { outboxMail, outboxQuery } from "@aqua/sdk/api/auth";
import { envelope } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Orm } from "../db/database.ts";
import { outboxMails } from "./store.ts";

const MAX_MAILS = 50;

/** Anyone can read anyone's mail here, so this exists only in an instance for testing. */
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
