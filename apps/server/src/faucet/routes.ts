import { envelope } from "@aqua/sdk/api/envelope";
import {
  faucetBody,
  faucetResult,
  identityBody,
  identityMessage,
  identityMessageBody,
  identityResult,
} from "@aqua/sdk/api/faucet";
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
    app.post(
      "/dev/identity/message",
      {
        schema: {
          summary: "The message a wallet signs, with a line `Request ID: <subject>` after it, to be verified",
          tags,
          body: identityMessageBody,
          response: { 200: envelope(identityMessage) },
        },
      },
      async ({ body, ip }) => ({ data: await service.message(body.address, ip) }),
    );
    app.post(
      "/dev/identity",
      {
        schema: {
          summary: "A verified record for a wallet that signed the message",
          tags,
          body: identityBody,
          response: { 200: envelope(identityResult) },
        },
      },
      async ({ body, ip }) => ({ data: await service.verify(body, ip) }),
    );
  };
}
