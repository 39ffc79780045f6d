import { codeSent, nothing, session } from "@aqua/sdk/api/auth";
import { envelope, idempotencyHeaders, listOf, pageQuery } from "@aqua/sdk/api/envelope";
import {
  addPasskeyBody,
  addTotpBody,
  changedEmail,
  changeEmailBody,
  changePasswordBody,
  confirmBody,
  confirmed,
  emailCodeBody,
  passkeyLogInBody,
  passkeyOptions,
  recoveryCodes,
  removeFactorBody,
  securityEvent,
  totpSetup,
} from "@aqua/sdk/api/security";
import { MINUTE_MS } from "@aqua/sdk/durations";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Once } from "../idempotency/once.ts";
import type { Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";
import type { Factors } from "./factors.ts";
import type { KnownDevices } from "./knownDevices.ts";
import { type AccountCalls, type Caller, callerInSession } from "./limits.ts";
import type { Passkeys } from "./passkeys.ts";
import type { SecurityService } from "./security.ts";
import { eventsOf } from "./securityEvents.ts";
import type { ActiveSession, Sessions } from "./sessions.ts";
import { findById } from "./store.ts";

export interface SecurityRouteParts {
  db: Pick<Database, "orm">;
  security: SecurityService;
  factors: Pick<Factors, "setUpTotp">;
  passkeys: Pick<Passkeys, "registerOptions" | "useOptions">;
  sessions: Pick<Sessions, "require" | "requireConfirmed">;
  limits: Pick<Limits, "spend">;
  once: Once;
  devices: KnownDevices;
  /** Counts a call that guesses a secret, sends a mail or computes a hash. */
  accountCalls: AccountCalls;
}

/**
 * Each opened log-in form asks for options once, so that the browser can offer passkeys. The call guesses nothing and
 * costs one row.
 */
const passkeyOptionsAsked = { name: "passkey.options", most: 300, windowMs: 15 * MINUTE_MS };

const tags = ["account"];
const security = [{ session: [] }];

/** Routes by which an owner proves their identity and manages the protection of the account. */
export function securityRoutes(parts: SecurityRouteParts): FastifyPluginAsyncZod {
  const { db, security: service, factors, passkeys, sessions, limits, once, devices, accountCalls } = parts;

  async function owner({ accountId }: ActiveSession) {
    const account = await findById(db.orm, accountId);
    if (account === null) throw new ApiError("token_error", "This account is no longer there");
    return account;
  }
  /** Counts the call and returns the session and its caller. */
  async function counted(request: FastifyRequest): Promise<[ActiveSession, Caller]> {
    const active = await sessions.require(request.headers.authorization);
    const caller = callerInSession(request, active);
    await accountCalls(caller);
    return [active, caller];
  }

  /** Does `work` once for the session and the request's Idempotency-Key. */
  function onceIn<Answer>(
    { tokenHash: caller }: ActiveSession,
    { headers, body }: FastifyRequest,
    { route, work }: { route: string; work: () => Promise<Answer> },
  ): Promise<Answer> {
    return once({ key: headers["idempotency-key"], route, caller, body: JSON.stringify(body) }, work);
  }

  return async (app) => {
    app.post(
      "/account/confirm",
      {
        schema: {
          summary:
            "Prove to be the owner: with the password or a mailed code, or with the second factor; lasts 5 minutes",
          tags,
          security,
          headers: idempotencyHeaders,
          body: confirmBody,
          response: { 200: envelope(confirmed) },
        },
      },
      async (request) => {
        const [active, caller] = await counted(request);
        const work = () => service.confirm(active, request.body, caller);
        return { data: { confirmed_until: await onceIn(active, request, { route: "POST account/confirm", work }) } };
      },
    );
    app.post(
      "/account/confirm/code",
      { schema: { summary: "Mail a code to confirm with", tags, security, response: { 200: envelope(codeSent) } } },
      async (request) => {
        const [active, caller] = await counted(request);
        return { data: await service.sendConfirmCode(active, caller) };
      },
    );
    app.get(
      "/account/events",
      {
        schema: {
          summary: "What happened on the account within a year, newest first",
          tags,
          security,
          querystring: pageQuery,
          response: { 200: envelope(listOf(securityEvent)) },
        },
      },
      async ({ headers, query }) => {
        const { accountId } = await sessions.require(headers.authorization);
        return { data: { ...(await eventsOf(db.orm, accountId, query)), ...query } };
      },
    );
    app.post(
      "/account/change-password",
      {
        schema: {
          summary: "Set another password; all other sessions end. Wants a confirmation",
          tags,
          security,
          body: changePasswordBody,
          response: { 200: envelope(nothing) },
        },
      },
      async (request) => {
        const [active, caller] = await counted(request);
        await service.changePassword(active, request.body.password, caller);
        return { data: {} };
      },
    );
    app.post(
      "/account/change-email/code",
      {
        schema: {
          summary: "Mail a code to the new address. Wants a confirmation",
          tags,
          security,
          body: emailCodeBody,
          response: { 200: envelope(codeSent) },
        },
      },
      async (request) => {
        const [active, caller] = await counted(request);
        return { data: await service.sendEmailCode(active, request.body.email, caller) };
      },
    );
    app.post(
      "/account/change-email",
      {
        schema: {
          summary: "Use another e-mail; the former one gets a mail, all other sessions end. Wants a confirmation",
          tags,
          security,
          headers: idempotencyHeaders,
          body: changeEmailBody,
          response: { 200: envelope(changedEmail) },
        },
      },
      async (request, reply) => {
        const [active, caller] = await counted(request);
        const { email } = request.body;
        await onceIn(active, request, {
          route: "POST account/change-email",
          work: () => service.changeEmail(active, request.body, caller).then(() => ({})),
        });
        reply.header("set-cookie", devices.remember(request.headers.cookie, email));
        return { data: { email } };
      },
    );
    app.post(
      "/account/passkeys/options",
      {
        schema: {
          summary: "What a browser needs to use a passkey: to log in, as second factor or to confirm",
          tags,
          response: { 200: envelope(passkeyOptions) },
        },
      },
      async ({ ip }) => {
        await limits.spend([{ rule: passkeyOptionsAsked, whom: networkOf(ip) }]);
        return { data: await passkeys.useOptions() };
      },
    );
    app.post(
      "/account/passkeys/login",
      {
        schema: {
          summary: "Log in with a passkey",
          tags,
          body: passkeyLogInBody,
          response: { 200: envelope(session) },
        },
      },
      async (request, reply) => {
        const { headers, ip, body } = request;
        await accountCalls({ ip, device: null });
        const data = await service.logInWithPasskey(body.passkey, (email) => ({
          ip,
          device: devices.recognise(headers.cookie, email),
          userAgent: headers["user-agent"],
        }));
        reply.header("set-cookie", devices.remember(headers.cookie, data.email));
        return { data };
      },
    );
    app.post(
      "/account/passkeys/new",
      {
        schema: {
          summary: "What a browser needs to make a passkey. Wants a confirmation",
          tags,
          security,
          response: { 200: envelope(passkeyOptions) },
        },
      },
      async ({ headers }) => {
        const active = await sessions.requireConfirmed(headers.authorization);
        return { data: await passkeys.registerOptions(await owner(active)) };
      },
    );
    app.post(
      "/account/passkeys/add",
      {
        schema: {
          summary: "Store the passkey; the first factor comes with recovery codes. Wants a confirmation",
          tags,
          security,
          body: addPasskeyBody,
          response: { 200: envelope(recoveryCodes) },
        },
      },
      async (request) => {
        const [active, caller] = await counted(request);
        const { name, passkey } = request.body;
        return { data: { codes: await service.addPasskey(active, { name, answer: passkey }, caller) } };
      },
    );
    app.post(
      "/account/totp/new",
      {
        schema: {
          summary: "A secret for an authenticator app. Wants a confirmation",
          tags,
          security,
          response: { 200: envelope(totpSetup) },
        },
      },
      async ({ headers }) => {
        const active = await sessions.requireConfirmed(headers.authorization);
        return { data: await factors.setUpTotp(await owner(active)) };
      },
    );
    app.post(
      "/account/totp/add",
      {
        schema: {
          summary: "Put the authenticator app to use with its first code. Wants a confirmation",
          tags,
          security,
          headers: idempotencyHeaders,
          body: addTotpBody,
          response: { 200: envelope(recoveryCodes) },
        },
      },
      async (request) => {
        const [active, caller] = await counted(request);
        const work = () => service.addTotp(active, request.body.code, caller);
        return { data: { codes: await onceIn(active, request, { route: "POST account/totp/add", work }) } };
      },
    );
    app.post(
      "/account/factors/remove",
      {
        schema: {
          summary: "Remove a passkey or the authenticator app. Wants a confirmation",
          tags,
          security,
          body: removeFactorBody,
          response: { 200: envelope(nothing) },
        },
      },
      async (request) => {
        const active = await sessions.require(request.headers.authorization);
        await service.removeFactor(active, request.body.id, callerInSession(request, active));
        return { data: {} };
      },
    );
    app.post(
      "/account/recovery-codes",
      {
        schema: {
          summary: "New recovery codes; earlier ones end. Wants a confirmation",
          tags,
          security,
          response: { 200: envelope(recoveryCodes) },
        },
      },
      async (request) => {
        const active = await sessions.require(request.headers.authorization);
        return { data: { codes: await service.makeRecoveryCodes(active, callerInSession(request, active)) } };
      },
    );
  };
}
