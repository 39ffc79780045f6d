import type { WebhookEvent } from "@aqua/sdk/api/webhooks";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { createSessions } from "../../src/account/sessions.ts";
import type { Config } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { createEventHub, type EventHub } from "../../src/events/hub.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import { createIdentityFeature } from "../../src/identity/feature.ts";
import type { IdentityMail } from "../../src/identity/mails.ts";
import { createJobRunner } from "../../src/jobs/runner.ts";
import { createKeys } from "../../src/keys.ts";
import { createLimits } from "../../src/limits/limits.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { testApp } from "./app.ts";
import { operatorAccess } from "./publicLog.ts";

export const operatorToken = "operator-token-of-the-tests-0123456789";

export interface IdentityReview {
  app: FastifyInstance;
  events: EventHub;
  /** The mails to owners, in order. */
  notices: (IdentityMail & { accountId: string })[];
  /** The events for the operator's system, in order. */
  emitted: WebhookEvent[];
  stop(): Promise<void>;
}

/** The identity check on these tables, with running jobs. */
export async function identityReview(
  db: Database,
  { operatorToken = null, ...config }: Partial<Pick<Config, "identity" | "operatorToken" | "publicUrl">> = {},
): Promise<IdentityReview> {
  const events = createEventHub();
  const keys = createKeys(new Uint8Array(32).fill(7));
  const notices: IdentityReview["notices"] = [];
  const emitted: WebhookEvent[] = [];
  const feature = createIdentityFeature({
    db,
    keys,
    limits: createLimits(db, keys),
    sessions: createSessions(db, keys),
    once: createOnce(db),
    events,
    recordChainIds: [31337],
    notify: async (_tx, accountId, notice) => {
      notices.push({ accountId, ...notice });
    },
    emit: async (_tx, { fact: _fact, ...event }) => void emitted.push(event),
    notifyJobs: () => jobs.wake(),
    writer: createLogWriter(keys),
    access: operatorToken === null ? null : operatorAccess(db, keys, { token: operatorToken }),
    config: { identity: { provider: "manual" }, publicUrl: "https://aqua.example", ...config },
  });
  const settings = { pollMs: 50, firstPauseMs: 20 };
  const jobs = createJobRunner({ db, log: pino({ level: "silent" }), handlers: feature.jobs ?? {}, settings });
  jobs.start();
  const { app } = await testApp({ features: feature.routes ?? [] });
  return {
    app,
    events,
    notices,
    emitted,
    async stop() {
      await app.close();
      await jobs.stop();
    },
  };
}

/** The first bytes of a picture, which identify its type, and some further bytes. */
export const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
  Buffer.alloc(500, 7),
]);

export interface FormChange {
  /** The header Idempotency-Key. */
  key?: string;
  fields?: Record<string, string | null>;
  document?: Uint8Array | null;
  fileName?: string;
}

/** A valid submission with these parts changed. Null removes a part. */
export async function submissionForm(change: FormChange = {}): Promise<{ payload: Buffer; type: string }> {
  const form = new FormData();
  const fields = { name: "Ada Lovelace", birth_date: "1990-12-10", country: "FR", document_kind: "passport" };
  for (const [name, value] of Object.entries({ ...fields, ...change.fields }))
    if (value !== null) form.set(name, value);
  const document = change.document === undefined ? png : change.document;
  if (document !== null) form.set("document", new Blob([new Uint8Array(document)]), change.fileName ?? "passport.png");
  const response = new Response(form);
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get("content-type") ?? "",
  };
}

export async function submit(app: FastifyInstance, authorization: string | undefined, change: FormChange = {}) {
  const { payload, type } = await submissionForm(change);
  const headers = {
    "content-type": type,
    ...(authorization === undefined ? {} : { authorization }),
    ...(change.key === undefined ? {} : { "idempotency-key": change.key }),
  };
  const response = await app.inject({ method: "POST", url: "/api/v2/account/identity", payload, headers });
  return response.json();
}

export async function showIdentity(app: FastifyInstance, authorization: string) {
  const response = await app.inject({ url: "/api/v2/account/identity", headers: { authorization } });
  return response.json().data;
}
