import {
  accountInfo,
  authenticateBody,
  authenticated,
  nothing,
  signMessage,
  signMessageBody,
} from "@aqua/sdk/api/auth";
import { address, envelope, idempotencyHeaders } from "@aqua/sdk/api/envelope";
import { signSwitchBody, stoppedSwitch, stopSwitchBody, unlinkWalletBody } from "@aqua/sdk/api/security";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Hex } from "viem";
import { z } from "zod";
import type { KnownDevices } from "../account/knownDevices.ts";
import { type Sessions, sessionHashOf } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import type { Once } from "../idempotency/once.ts";
import { isLinked } from "../records/store.ts";
import type { Caller, WalletService } from "./service.ts";

const tags = ["account"];

export interface WalletRouteParts {
  db: Pick<Database, "orm">;
  sessions: Pick<Sessions, "optional">;
  wallets: WalletService;
  once: Once;
  devices: Pick<KnownDevices, "remember" | "recognise">;
}

export function walletRoutes({ db, sessions, wallets, once, devices }: WalletRouteParts): FastifyPluginAsyncZod {
  const callerOf = async ({ headers, ip }: FastifyRequest): Promise<Caller> => ({
    session: await sessions.optional(headers.authorization),
    ip,
    userAgent: headers["user-agent"],
    deviceOf: (email) => devices.recognise(headers.cookie, email),
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
        const messageRequest = { address, chainId: chain_id, switchFrom: switch_from };
        return { data: await wallets.message(messageRequest, await callerOf(request)) };
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
    app.post(
      "/account/switch/stop",
      {
        schema: {
          summary: "Stop a switch of the wallet that still waits, by the link of the mail or with a session",
          tags,
          headers: idempotencyHeaders,
          body: stopSwitchBody,
          response: { 200: envelope(stoppedSwitch) },
        },
      },
      async (request) => {
        const { body, headers } = request;
        const key = headers["idempotency-key"];
        // The stop also ends the caller's session, so only the hash of that session identifies a repeated call.
        const caller = body.token ?? sessionHashOf(headers.authorization) ?? "";
        const call = { key, route: "POST account/switch/stop", caller, body: JSON.stringify(body) };
        return { data: await once(call, async () => wallets.stop(body.token, await callerOf(request))) };
      },
    );
    app.post(
      "/account/wallets/unlink",
      {
        schema: {
          summary: "Stop the account's wallet from logging in; it may only withdraw then. Wants a confirmation",
          tags,
          security: [{ session: [] }],
          body: unlinkWalletBody,
          response: { 200: envelope(accountInfo) },
        },
      },
      async (request) => ({ data: await wallets.unlink(request.body.address, await callerOf(request)) }),
    );
    app.post(
      "/account/switch/sign",
      {
        schema: {
          summary: "Takes the former wallet's signature: the switch no longer waits",
          tags,
          security: [{ session: [] }],
          body: signSwitchBody,
          response: { 200: envelope(nothing) },
        },
      },
      async (request) => {
        await wallets.signSwitch(request.body.signature as Hex, await callerOf(request));
        return { data: {} };
      },
    );
  };
}
