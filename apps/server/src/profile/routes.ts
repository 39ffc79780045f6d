import { accountInfo } from "@aqua/sdk/api/auth";
import { envelope } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Sessions } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import type { Keys } from "../keys.ts";
import { type ExportMore, exportAccount } from "./export.ts";
import { readInfo } from "./info.ts";

export interface ProfileRouteParts {
  db: Pick<Database, "orm">;
  keys: Keys;
  sessions: Pick<Sessions, "require">;
  exportMore: ExportMore;
}

const tags = ["account"];
const security = [{ session: [] }];

/** What the server stores about an account, for its owner: of every feature, in one answer. */
export function profileRoutes({ db, keys, sessions, exportMore }: ProfileRouteParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/account/info",
      { schema: { summary: "The account", tags, security, response: { 200: envelope(accountInfo) } } },
      async ({ headers }) => {
        const { accountId } = await sessions.require(headers.authorization);
        return { data: await readInfo(db.orm, accountId) };
      },
    );
    app.get(
      "/account/export",
      {
        schema: {
          summary: "All that is stored about the account, as a JSON file",
          tags,
          security,
          response: { 200: z.record(z.string(), z.unknown()) },
        },
      },
      async ({ headers }, reply) => {
        const { accountId } = await sessions.require(headers.authorization);
        const content = await exportAccount(db.orm, accountId, { keys, exportMore });
        reply.header("content-disposition", 'attachment; filename="aqua-account.json"');
        return content;
      },
    );
  };
}
