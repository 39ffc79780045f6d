import {
  addDeskPasskeyBody,
  addedDeskPasskey,
  deskLoggedOut,
  deskLogIn,
  deskLogInBody,
  deskState,
} from "@aqua/sdk/api/desk";
import { envelope } from "@aqua/sdk/api/envelope";
import { passkeyOptions } from "@aqua/sdk/api/security";
import { MINUTE_MS } from "@aqua/sdk/durations";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../errors.ts";
import { networkOf } from "../limits/network.ts";
import { type OperatorAccess, operatorOnly } from "./access.ts";
import type { KnownOperator } from "./service.ts";

const tags = ["operator"];
/** A log-in guesses nothing: a passkey signs. Each call costs one row. */
const logIns = { name: "desk.login", most: 300, windowMs: 15 * MINUTE_MS };

/** The calls by which an operator logs in at the desk. */
export function deskLogInRoutes({ desk, limits }: OperatorAccess): FastifyPluginAsyncZod {
  const count = ({ ip }: FastifyRequest) => limits.spend([{ rule: logIns, whom: networkOf(ip) }]);
  return async (app) => {
    app.post(
      "/operator/desk/login/options",
      {
        schema: {
          summary: "What a browser needs to use an operator's passkey",
          tags,
          response: { 200: envelope(passkeyOptions) },
        },
      },
      async (request) => {
        await count(request);
        return { data: await desk.logInOptions() };
      },
    );
    app.post(
      "/operator/desk/login",
      {
        schema: {
          summary: "Logs an operator in with a passkey",
          description: "The token is valid for ten hours, for what the operator's scopes allow.",
          tags,
          body: deskLogInBody,
          response: { 200: envelope(deskLogIn) },
        },
      },
      async (request, reply) => {
        await count(request);
        reply.header("cache-control", "no-store");
        return { data: await desk.logIn(request.body.passkey) };
      },
    );
  };
}

/** The calls of an operator about their own place at the desk. */
export function deskRoutes(access: OperatorAccess): FastifyPluginAsyncZod {
  const { desk, operators, fourEyes } = access;
  /** A passkey lasts longer than a log-in, so that a stolen log-in may not add one. */
  function withToken({ operator, deskSession }: FastifyRequest): KnownOperator {
    if (operator === null || deskSession !== null)
      throw new ApiError("not_allowed", "A passkey is added with the operator's own token, not with a log-in");
    return operator;
  }
  return async (app) => {
    operatorOnly(app, access, "own");
    app.get(
      "/operator/desk",
      { schema: { summary: "Who is logged in at the desk", tags, response: { 200: envelope(deskState) } } },
      async ({ operator, deskSession }) => {
        const { name, scopes } = operator as KnownOperator;
        const expires_at = deskSession?.expires ?? null;
        return {
          data: { name, scopes: [...scopes], expires_at, signs: operators.length > 0, four_eyes: [...fourEyes] },
        };
      },
    );
    app.post(
      "/operator/desk/passkey/new",
      {
        schema: {
          summary: "What a browser needs to make a passkey for the desk. Wants the operator's own token",
          tags,
          response: { 200: envelope(passkeyOptions) },
        },
      },
      async (request) => ({ data: await desk.passkeyOptions(withToken(request)) }),
    );
    app.post(
      "/operator/desk/passkey",
      {
        schema: {
          summary: "Adds a passkey for the desk. Wants the operator's own token",
          tags,
          body: addDeskPasskeyBody,
          response: { 200: envelope(addedDeskPasskey) },
        },
      },
      async (request) => {
        const { passkey, only } = request.body;
        const data = await desk.addPasskey(withToken(request), { passkey, only });
        request.log.info({ operator: data.name, passkeys: data.passkeys }, "an operator has added a passkey");
        return { data };
      },
    );
    app.post(
      "/operator/desk/logout",
      { schema: { summary: "Ends this log-in at the desk", tags, response: { 200: envelope(deskLoggedOut) } } },
      async ({ headers }) => ({
        data: { ended: await desk.logOut(String(headers.authorization).replace(/^Bearer /, "")) },
      }),
    );
  };
}
