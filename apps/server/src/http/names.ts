import { address } from "@aqua/sdk/api/envelope";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import { perNetwork, tooMany } from "./limits.ts";

/** A service that answers GET <url>/v1/resolve-ens?address=… with `{ "data": name or null }`. */
export interface NameService {
  url: string;
  /** Sent as `x-api-key`. Never logged or part of an answer. */
  key: string;
}

/** The kit's request timeout. */
const TIMEOUT_MS = 10_000;
const PER_MINUTE = 30;

// People read the name, so it must not hold characters that are invisible or change the direction of the text.
const name = z
  .string()
  .max(255)
  .regex(/^[^\p{C}\p{Z}]+$/u);
const answer = z.object({ data: name.nullable() });

/**
 * GET /v1/resolve-ens: returns the name of a wallet. This server asks the service, so that a browser connects to no
 * other host.
 */
export async function registerNames(app: FastifyInstance, service: NameService): Promise<void> {
  await app.register(rateLimit, {
    ...perNetwork(PER_MINUTE),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl, "names"),
  });
  app.withTypeProvider<ZodTypeProvider>().get(
    "/v1/resolve-ens",
    {
      schema: {
        summary: "The name of a wallet, null when it has none",
        tags: ["network"],
        querystring: z.object({ address }),
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      try {
        const response = await fetch(`${service.url}/v1/resolve-ens?address=${request.query.address}`, {
          headers: { accept: "application/json", "x-api-key": service.key },
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: "error",
        });
        if (!response.ok) throw new Error(`status ${response.status}`);
        const found = answer.parse(await response.json());
        reply.header("cache-control", "private, max-age=600");
        return found;
      } catch (error) {
        request.log.warn({ err: error }, "the name service does not answer");
        throw new ApiError("chain_unavailable", "The name service does not answer");
      }
    },
  );
}
