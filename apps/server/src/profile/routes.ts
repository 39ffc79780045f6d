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
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  sessions: Pick<Sessions, "require" | "requireConfirmed" | "lockConfirmed">;
  security: Pick<SecurityService, "noteExport">;
  /** Called after a commit that enqueued jobs. */
  notifyJobs: () => void;
  exportMore: ExportMore;
  /** Origin of this instance. */
  publicUrl: string;
}

const tags = ["account"];
const security = [{ session: [] }];

/** Serves the data that the server stores about an account to its owner: the data of every feature in one answer. */
export function profileRoutes(parts: ProfileRouteParts): FastifyPluginAsyncZod {
  const { db, keys, sessions, security: service, exportMore, publicUrl, notifyJobs } = parts;
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
        const content = await db.transaction(async (tx) => {
          const { accountId } = await sessions.lockConfirmed(tx, session);
          const exported = await exportAccount(tx, accountId, { keys, exportMore });
          await service.noteExport(tx, accountId, { ip, userAgent: headers["user-agent"] });
          return exported;
        });
        notifyJobs();
        reply.header("content-disposition", 'attachment; filename="aqua-account.json"');
        return content;
      },
    );
  };
}
