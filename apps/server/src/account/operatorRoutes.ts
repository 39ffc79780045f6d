import { envelope } from "@aqua/sdk/api/envelope";
import { loggedOut, logOutBody } from "@aqua/sdk/api/operator";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { type OperatorAccess, operatorOnly } from "../publicLog/operator.ts";
import type { AccountService } from "./service.ts";

/** The operator's route that logs an account out everywhere. */
export function accountOperatorRoutes(parts: {
  service: Pick<AccountService, "logOutEverywhere">;
  access: OperatorAccess;
}): FastifyPluginAsyncZod {
  const { service, access } = parts;
  return async (app) => {
    operatorOnly(app, access);
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
  };
}
