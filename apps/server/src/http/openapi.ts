import { errorBody } from "@aqua/sdk/api/envelope";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { version } from "../version.ts";

type Transform = typeof jsonSchemaTransform;

/** Every route may refuse. Adding the refusal here keeps it out of each route's own schema. */
const withRefusals: Transform = (input) => {
  const { schema } = input;
  if (!schema || schema.hide) return jsonSchemaTransform(input);
  const response = { ...(schema.response as object | undefined), default: errorBody };
  return jsonSchemaTransform({ ...input, schema: { ...schema, response } });
};

/** Must run before any route is added: the document is gathered from the routes as they are registered. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Aqua",
        version,
        description:
          "Success is `{ data }`, failure `{ error_code, message, details?, request_id }`. Amounts are decimal strings in whole units, times Unix milliseconds, rates fractions.",
        license: { name: "MIT", identifier: "MIT" },
      },
      components: { securitySchemes: { session: { type: "http", scheme: "bearer" } } },
    },
    transform: withRefusals,
  });
}

export async function registerDocs(app: FastifyInstance): Promise<void> {
  let text: string | undefined;
  app.get("/api/v2/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    // Serialized once, because the routes do not change after the start and the document is large.
    text ??= JSON.stringify(app.swagger());
    return reply.header("cache-control", "no-cache").type("application/json; charset=utf-8").send(text);
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/v2/docs",
    uiConfig: { url: "/api/v2/openapi.json", deepLinking: true, validatorUrl: null },
    theme: { title: "Aqua API" },
  });
}
