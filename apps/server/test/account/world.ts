import type { OutboxMail, Session } from "@aqua/sdk/api/auth";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { createAccountFeature } from "../../src/account/feature.ts";
import { createKnownDevices } from "../../src/account/knownDevices.ts";
import { accountMails } from "../../src/account/mails.ts";
import { createSessions } from "../../src/account/sessions.ts";
import type { Database, Orm } from "../../src/db/database.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { createMailer } from "../../src/mail/mail.ts";
import { outboxMails } from "../../src/mail/store.ts";
import { outboxTransport } from "../../src/mail/transport.ts";
import { exportNotices } from "../../src/notices/preferences.ts";
import { profileRoutes } from "../../src/profile/routes.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { linkedWallets } from "../../src/records/store.ts";
import { testApp } from "../support/app.ts";
import { workOff } from "../support/jobs.ts";
import { operatorAccess } from "../support/publicLog.ts";

export const PASSWORD = "moon over the tide";

interface PostOptions {
  ip?: string;
  /** The header Idempotency-Key. */
  key?: string;
  /** The header Cookie. */
  cookie?: string;
}

export interface AccountWorld {
  app: FastifyInstance;
  /** Lines that the server logged. */
  logged: string[];
  /** Password hashes computed so far. */
  hashes(): number;
  post(path: string, body?: object, token?: string, more?: PostOptions): Promise<LightMyRequestResponse>;
  get(path: string, token?: string): Promise<LightMyRequestResponse>;
  /** Sends the waiting mails and returns those to this address, newest first. */
  mailsTo(email: string): Promise<OutboxMail[]>;
  codeFor(email: string, purpose: "register" | "reset_password"): Promise<string>;
  ticketFor(email: string, purpose: "register" | "reset_password"): Promise<string>;
  register(email: string, password?: string): Promise<Session>;
  close(): Promise<void>;
}

/** The account calls on the real HTTP server. A second world with the same database and secret acts as a restart. */
export async function openAccounts(
  db: Database,
  options: {
    perAddress?: number;
    now?: () => number;
    beforeDelete?: (tx: Orm, accountId: string) => Promise<void>;
    operatorToken?: string;
    publicUrl?: string;
  } = {},
): Promise<AccountWorld> {
  let hashed = 0;
  const publicUrl = options.publicUrl ?? "https://aqua.example";
  const keys = createKeys(new Uint8Array(32).fill(7));
  const limits = createLimits(db, keys, options.now);
  const mailer = createMailer({ keys, transport: outboxTransport(db), publicUrl, definitions: accountMails });
  const sessions = createSessions(db, keys);
  const feature = createAccountFeature({
    db,
    keys,
    limits,
    once: createOnce(db),
    sessions,
    mailer,
    devices: createKnownDevices(keys, publicUrl),
    config: {
      demoAccount: null,
      publicUrl,
      rateLimits: { account: options.perAddress ?? 1_000 },
    },
    writer: createLogWriter(keys),
    access: options.operatorToken === undefined ? null : operatorAccess(db, keys, { token: options.operatorToken }),
    walletsOf: linkedWallets,
    beforeDelete: options.beforeDelete ?? (async () => {}),
    notifyJobs: () => {},
    hashed: () => {
      hashed += 1;
    },
  });
  const { app, logged } = await testApp({
    features: [
      ...(feature.routes ?? []),
      profileRoutes({
        ...{ db, keys, sessions, exportMore: exportNotices },
        security: feature.security,
        publicUrl,
        notifyJobs: () => {},
      }),
    ],
  });
  const headers = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` });
  const world: AccountWorld = {
    app,
    logged,
    hashes: () => hashed,
    close: async () => void (await app.close()),
    post: (path, body, token, { ip = "203.0.113.1", key, cookie } = {}) =>
      app.inject({
        method: "POST",
        url: `/api/v2/account/${path}`,
        remoteAddress: ip,
        headers: {
          ...headers(token),
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(cookie === undefined ? {} : { cookie }),
        },
        ...(body === undefined ? {} : { payload: body }),
      }),
    get: (path, token) => app.inject({ url: `/api/v2/account/${path}`, headers: headers(token) }),
    async mailsTo(email) {
      await workOff(db, { ...mailer.handlers, ...feature.jobs });
      return outboxMails(db.orm, email, 100);
    },
    async codeFor(email, purpose) {
      await world.post("send-verification-code", { email, purpose });
      const code = (await world.mailsTo(email))
        .map(({ text }) => /^ {4}(\d{6})$/m.exec(text)?.[1])
        .find((one) => one !== undefined);
      if (code === undefined) throw new Error(`no code came to ${email}`);
      return code;
    },
    async ticketFor(email, purpose) {
      const code = await world.codeFor(email, purpose);
      return (await world.post("verify-email", { email, purpose, code })).json().data.ticket;
    },
    async register(email, password = PASSWORD) {
      const ticket = await world.ticketFor(email, "register");
      const response = await world.post("register", { email, password, ticket, country: "FR" });
      if (response.statusCode !== 200) throw new Error(`${email} was not registered: ${response.body}`);
      return response.json().data;
    },
  };
  return world;
}
