import { clientErrorBody } from "@aqua/sdk/api/client-error";
import { envelope } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

/** Reports a minute from one network. Further reports of a page that breaks repeatedly add nothing. */
const PER_MINUTE = 10;

/** POST client/error: logs errors of visitors' browsers, so that the operator of the server finds them. */
export const clientErrorRoutes: FastifyPluginAsyncZod = async (app) => {
  app.post(
    "/client/error",
    {
      config: { rateLimit: { max: PER_MINUTE, timeWindow: 60_000 } },
      schema: {
        summary: "Reports an error of the web app",
        tags: ["operations"],
        body: clientErrorBody,
        response: { 200: envelope(z.object({})) },
      },
    },
    async (request) => {
      request.log.warn({ client: request.body }, "the web app reported an error in a browser");
      return { data: {} };
    },
  );
};
