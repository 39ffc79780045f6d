import { envelope } from "@aqua/sdk/api/envelope";
import { loggedOut, logOutBody } from "@aqua/sdk/api/operator";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Limits } from "../limits/limits.ts";
import { operatorOnly } from "../limits/operator.ts";
import type { AccountService } from "./service.ts";

/** The operator's route that logs an account out everywhere. */
export function accountOperatorRoutes(parts: {
  service: Pick<AccountService, "logOutEverywhere">;
  limits: Limits;
  token: string;
}): FastifyPluginAsyncZod {
  const { service, limits, token } = parts;
  return async (app) => {
    app.addHook("onRequest", operatorOnly(limits, token));
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
      async ({ body: { email } }) => ({ data: { email, ended: await service.logOutEverywhere(email) } }),
    );
  };
}
