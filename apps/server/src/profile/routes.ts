import { accountInfo } from "@aqua/sdk/api/auth";
import { envelope } from "@aqua/sdk/api/envelope";
import { security as securityShape } from "@aqua/sdk/api/security";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { SecurityService } from "../account/security.ts";
import type { Sessions } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import type { Keys } from "../keys.ts";
import { type ExportMore, exportAccount } from "./export.ts";
import { readInfo } from "./info.ts";
import { readSecurity } from "./security.ts";

export interface ProfileRouteParts {
  db: Pick<Database, "orm">;
  keys: Keys;
  sessions: Pick<Sessions, "require" | "requireConfirmed">;
  security: Pick<SecurityService, "noteExport">;
  exportMore: ExportMore;
  /** Origin of this instance. */
  publicUrl: string;
}

const tags = ["account"];
const security = [{ session: [] }];

/** What the server stores about an account, for its owner: of every feature, in one answer. */
export function profileRoutes(parts: ProfileRouteParts): FastifyPluginAsyncZod {
  const { db, keys, sessions, security: service, exportMore, publicUrl } = parts;
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
      "/account/security",
      {
        schema: {
          summary: "What protects the account, and a switch of its wallet that waits",
          tags,
          security,
          response: { 200: envelope(securityShape) },
        },
      },
      async ({ headers }) => {
        const session = await sessions.require(headers.authorization);
        return { data: await readSecurity(db.orm, session, publicUrl) };
      },
    );
    app.get(
      "/account/export",
      {
        schema: {
          summary: "All that is stored about the account, as a JSON file. Wants a confirmation",
          tags,
          security,
          response: { 200: z.record(z.string(), z.unknown()) },
        },
      },
      async ({ headers, ip }, reply) => {
        const session = await sessions.requireConfirmed(headers.authorization);
        const content = await exportAccount(db.orm, session.accountId, { keys, exportMore });
        await service.noteExport(session, { ip, userAgent: headers["user-agent"] });
        reply.header("content-disposition", 'attachment; filename="aqua-account.json"');
        return content;
      },
    );
  };
}
