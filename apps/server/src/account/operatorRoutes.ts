import { envelope } from "@aqua/sdk/api/envelope";
import { loggedOut, logOutBody } from "@aqua/sdk/api/operator";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import type { AccountService } from "./service.ts";

/** The operator's routes that log an account out everywhere, and that accept its rows as they are. */
export function accountOperatorRoutes(parts: {
  service: Pick<AccountService, "logOutEverywhere" | "acceptChanges">;
  access: OperatorAccess;
}): FastifyPluginAsyncZod {
  const { service, access } = parts;
  return async (app) => {
    operatorOnly(app, access, "identity");
    app.post(
      "/operator/account/logout",
      {
        schema: {
          summary: "Ends every log-in of an account",
          tags: ["operator"],
          body: logOutBody,
          response: { 200: envelope(loggedOut) },
        },
      },
      async ({ body: { email }, act }) => ({ data: { email, ended: await service.logOutEverywhere(email, act) } }),
    );
    app.post(
      "/operator/account/accept",
      {
        schema: {
          summary: "Accepts the rows of an account as they are, and ends its log-ins",
          description: "For an account whose rows differ from the public log, after a person has checked them.",
          tags: ["operator"],
          body: logOutBody,
          response: { 200: envelope(loggedOut) },
        },
      },
      async ({ body: { email }, act }) => ({ data: { email, ended: await service.acceptChanges(email, act) } }),
    );
  };
}
