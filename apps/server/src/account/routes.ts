import {
  codeSent,
  deleteAccountBody,
  emailTicket,
  endSessionsBody,
  forgetPasswordBody,
  loginBody,
  nothing,
  passwordReset,
  registerBody,
  resetPasswordBody,
  sendCodeBody,
  session,
  sessionInfo,
  verifyEmailBody,
} from "@aqua/sdk/api/auth";
import { envelope, idempotencyHeaders } from "@aqua/sdk/api/envelope";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Once } from "../idempotency/once.ts";
import type { Codes } from "./codes.ts";
import type { KnownDevices } from "./knownDevices.ts";
import { type AccountCalls, type Caller, callerInSession } from "./limits.ts";
import type { AccountService } from "./service.ts";
import type { Sessions } from "./sessions.ts";

export interface AccountRouteParts {
  service: AccountService;
  codes: Pick<Codes, "send" | "verify">;
  sessions: Pick<Sessions, "require" | "list">;
  once: Once;
  accountCalls: AccountCalls;
  devices: KnownDevices;
}

const tags = ["account"];
const security = [{ session: [] }];

export function accountRoutes(parts: AccountRouteParts): FastifyPluginAsyncZod {
  const { service, codes, sessions, once, accountCalls, devices } = parts;

  const callerOf = ({ ip, headers }: FastifyRequest, email: string): Caller => ({
    ip,
    device: devices.recognise(headers.cookie, email),
    userAgent: headers["user-agent"],
  });

  /**
   * The request for `once` of a route without a session. Its Idempotency-Key belongs to whoever knows `secret`, a value
   * from the body.
   */
  const ask = ({ headers, body }: FastifyRequest, route: string, secret: string) => {
    return { key: headers["idempotency-key"], route, caller: secret, body: JSON.stringify(body) };
  };

  return async (app) => {
    app.post(
      "/account/login",
      { schema: { summary: "Log in", tags, body: loginBody, response: { 200: envelope(session) } } },
      async (request, reply) => {
        const { email } = request.body;
        const caller = callerOf(request, email);
        await accountCalls(caller);
        const data = await service.login(request.body, caller);
        reply.header("set-cookie", devices.remember(request.headers.cookie, email));
        return { data };
      },
    );
    app.post(
      "/account/send-verification-code",
      {
        schema: {
          summary: "Send a code by e-mail; the answer is the same whether the e-mail is known or not",
          tags,
          body: sendCodeBody,
          response: { 200: envelope(codeSent) },
        },
      },
      async (request) => {
        const { email, purpose, language } = request.body;
        const caller = callerOf(request, email);
        await accountCalls(caller);
        return { data: await codes.send({ email, purpose, language }, caller) };
      },
    );
    app.post(
      "/account/forget-password",
      {
        schema: {
          summary: "Send a code to set a new password with",
          tags,
          body: forgetPasswordBody,
          response: { 200: envelope(codeSent) },
        },
      },
      async (request) => {
        const { email, language } = request.body;
        const caller = callerOf(request, email);
        await accountCalls(caller);
        return { data: await codes.send({ email, purpose: "reset_password", language }, caller) };
      },
    );
    app.post(
      "/account/verify-email",
      {
        schema: {
          summary: "Exchange a code for a ticket: used once, within 10 minutes",
          tags,
          headers: idempotencyHeaders,
          body: verifyEmailBody,
          response: { 200: envelope(emailTicket) },
        },
      },
      async (request) => {
        const { email, purpose, code } = request.body;
        const caller = callerOf(request, email);
        const ticket = await once(ask(request, "POST account/verify-email", `${email} ${code}`), async () => {
          await accountCalls(caller);
          return codes.verify({ email, purpose, code }, caller);
        });
        return { data: { ticket } };
      },
    );
    app.post(
      "/account/register",
      {
        schema: {
          summary: "Make an account",
          tags,
          headers: idempotencyHeaders,
          body: registerBody,
          response: { 200: envelope(session) },
        },
      },
      async (request, reply) => {
        const { body, headers } = request;
        const caller = callerOf(request, body.email);
        const registration = await once(ask(request, "POST account/register", body.ticket), async () => {
          await accountCalls(caller);
          return service.register(body, caller);
        });
        reply.header("set-cookie", devices.remember(headers.cookie, body.email));
        return { data: registration };
      },
    );
    app.post(
      "/account/reset-password",
      {
        schema: {
          summary: "Set a new password; every session of the account ends. Answers the wallets that may log in still",
          tags,
          headers: idempotencyHeaders,
          body: resetPasswordBody,
          response: { 200: envelope(passwordReset) },
        },
      },
      async (request, reply) => {
        const { body, headers } = request;
        const caller = callerOf(request, body.email);
        const data = await once(ask(request, "POST account/reset-password", body.ticket), async () => {
          await accountCalls(caller);
          return service.resetPassword(body, caller);
        });
        reply.header("set-cookie", devices.remember(headers.cookie, body.email));
        return { data };
      },
    );
    app.post(
      "/account/logout",
      { schema: { summary: "End this session", tags, security, response: { 200: envelope(nothing) } } },
      async ({ headers }) => {
        await service.logout(headers.authorization);
        return { data: {} };
      },
    );
    app.get(
      "/account/sessions",
      {
        schema: {
          summary: "Where the account is logged in, last used first",
          tags,
          security,
          response: { 200: envelope(z.array(sessionInfo)) },
        },
      },
      async ({ headers }) => ({ data: await sessions.list(await sessions.require(headers.authorization)) }),
    );
    app.post(
      "/account/sessions/end",
      {
        schema: {
          summary: "End one session, or all but this one",
          tags,
          security,
          body: endSessionsBody,
          response: { 200: envelope(nothing) },
        },
      },
      async ({ body, headers, ip }) => {
        const session = await sessions.require(headers.authorization);
        await service.endSessions(session, body.id, { ip, userAgent: headers["user-agent"] });
        return { data: {} };
      },
    );
    app.post(
      "/account/delete",
      {
        schema: {
          summary: "Delete the account; what the blockchain holds stays there",
          tags,
          security,
          body: deleteAccountBody,
          response: { 200: envelope(nothing) },
        },
      },
      async (request, reply) => {
        const session = await sessions.require(request.headers.authorization);
        const caller = callerInSession(request, session);
        await accountCalls(caller);
        await service.remove(session, request.body, caller);
        reply.header("set-cookie", devices.forget());
        return { data: {} };
      },
    );
  };
}
