import { envelope } from "@aqua/sdk/api/envelope";
import { addedOperator, namedOperator, operatorBody, operatorName } from "@aqua/sdk/api/operator";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { type OperatorAccess, operatorOnly } from "./access.ts";

const tags = ["operator"];

/** The calls by which the holder of the instance's token names operators. */
export function operatorRoutes(access: OperatorAccess): FastifyPluginAsyncZod {
  const { named } = access;
  return async (app) => {
    operatorOnly(app, access, "instance");
    app.get(
      "/operator/operators",
      { schema: { summary: "All named operators", tags, response: { 200: envelope(z.array(namedOperator)) } } },
      async () => ({ data: await named.list() }),
    );
    app.post(
      "/operator/operators",
      {
        schema: {
          summary: "Adds an operator with a token of their own",
          description: "Answers the token, this once. A name is never used again.",
          tags,
          body: operatorBody,
          response: { 200: envelope(addedOperator) },
        },
      },
      async ({ body, act }) => ({ data: await named.add(body, act) }),
    );
    app.post(
      "/operator/operators/:name/revoke",
      {
        schema: {
          summary: "Ends an operator's token for good",
          tags,
          params: z.object({ name: operatorName }),
          response: { 200: envelope(namedOperator) },
        },
      },
      async ({ params: { name }, act }) => ({ data: await named.revoke(name, act) }),
    );
  };
}
