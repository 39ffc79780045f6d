import { authenticateBody, authenticated, signMessage, signMessageBody } from "@aqua/sdk/api/auth";
import { address, envelope } from "@aqua/sdk/api/envelope";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { KnownDevices } from "../account/knownDevices.ts";
import type { Sessions } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import { isLinked } from "../records/store.ts";
import type { Caller, WalletService } from "./service.ts";

const tags = ["account"];

export interface WalletRouteParts {
  db: Pick<Database, "orm">;
  sessions: Pick<Sessions, "optional">;
  wallets: WalletService;
  devices: Pick<KnownDevices, "remember">;
}

export function walletRoutes({ db, sessions, wallets, devices }: WalletRouteParts): FastifyPluginAsyncZod {
  const callerOf = async ({ headers, ip }: FastifyRequest): Promise<Caller> => ({
    session: await sessions.optional(headers.authorization),
    ip,
    userAgent: headers["user-agent"],
  });
  return async (app) => {
    app.get(
      "/account/checkAddress/:address",
      {
        schema: {
          summary: "Whether an account signs in with this wallet",
          tags,
          params: z.object({ address }),
          response: { 200: envelope(z.boolean()) },
        },
      },
      async ({ params }) => ({ data: await isLinked(db.orm, params.address) }),
    );
    app.post(
      "/account/getSignMessage",
      {
        schema: {
          summary:
            "A message to sign: with a session to link the wallet or switch to it, without one to sign in with it",
          tags,
          body: signMessageBody,
          response: { 200: envelope(signMessage) },
        },
      },
      async (request) => {
        const { address, chain_id, switch_from } = request.body;
        const asked = { address, chainId: chain_id, switchFrom: switch_from };
        return { data: await wallets.message(asked, await callerOf(request)) };
      },
    );
    app.post(
      "/account/authenticate",
      {
        schema: {
          summary: "Takes the signed message: links or switches the wallet of the account, or signs in",
          tags,
          body: authenticateBody,
          response: { 200: envelope(authenticated) },
        },
      },
      async (request, reply) => {
        const data = await wallets.authenticate(request.body, await callerOf(request));
        if ("token" in data) reply.header("set-cookie", devices.remember(request.headers.cookie, data.email));
        return { data };
      },
    );
  };
}
