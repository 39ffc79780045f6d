import { envelope } from "@aqua/sdk/api/envelope";
import { faucetBody, faucetResult } from "@aqua/sdk/api/faucet";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { FaucetService } from "./service.ts";

const tags = ["local chain"];

export function faucetRoutes(service: FaucetService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/dev/faucet",
      {
        schema: { summary: "Test dollars and gas", tags, body: faucetBody, response: { 200: envelope(faucetResult) } },
      },
      async ({ body, ip }) => ({ data: await service.fill(body.address, ip) }),
    );
  };
}
