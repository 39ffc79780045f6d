import { randomUUID } from "node:crypto";
import type { Identity } from "@aqua/sdk/api/identity";
import { DAY_MS } from "@aqua/sdk/durations";
import type { ActiveSession, Sessions } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import type { IdentityProvider } from "./provider.ts";
import { identityState } from "./status.ts";
import { hasPending, insertCase } from "./store.ts";
import type { Submission } from "./submission.ts";

export interface IdentityParts {
  db: Database;
  keys: Keys;
  limits: Limits;
  sessions: Pick<Sessions, "lock">;
  provider: IdentityProvider;
  writer: LogWriter;
  events: Pick<EventHub, "publishIdentity">;
  notifyJobs(): void;
}

export interface IdentityService {
  show(accountId: string): Promise<Identity>;
  /** Counts an attempt to submit. @throws ApiError too_many_requests */
  spend(accountId: string): Promise<void>;
  /**
   * @throws ApiError conflict while a submission is pending, or if the account is verified for more than another month;
   *   token_error if the session ended while the document was being sent
   */
  submit(session: ActiveSession, submission: Submission): Promise<Identity>;
}

/** A verification can be renewed from this time before its end on. */
const RENEWAL_MS = 30 * DAY_MS;
export const tries = { name: "identity.submit", most: 20, windowMs: DAY_MS };

export function createIdentityService(parts: IdentityParts): IdentityService {
  const { db, keys, limits, sessions, provider, writer, events, notifyJobs } = parts;

  async function show(accountId: string): Promise<Identity> {
    const { status, decisive } = await identityState(db.orm, accountId);
    return {
      status,
      provider: provider.name,
      submitted_at: decisive?.submitTime ?? null,
      decided_at: decisive?.decideTime ?? null,
      valid_until: decisive?.validUntil ?? null,
      reason: status === "rejected" ? (decisive?.reason ?? null) : null,
      sandbox_names: provider.sandboxNames,
    };
  }

  return {
    show,
    spend: (accountId) => limits.spend([{ rule: tries, whom: accountId }]),
    async submit(session, { fields, document }) {
      const { accountId } = session;
      const { name, birth_date, country, document_kind } = fields;
      const id = randomUUID();
      await db.transaction(async (tx) => {
        // Also locks the account, so that the second of two simultaneous submissions sees the first.
        await sessions.lock(tx, session);
        await writer.requireAccount(tx, accountId);
        if (await hasPending(tx, accountId)) throw new ApiError("conflict", "Your last submission is being checked");
        const { status, decisive } = await identityState(tx, accountId);
        if (status === "verified" && (decisive?.validUntil ?? 0) > Date.now() + RENEWAL_MS) {
          throw new ApiError("conflict", "Your identity is verified already");
        }
        const row = { id, accountId, provider: provider.name, status: "pending" as const, country };
        await insertCase(tx, {
          keys,
          row: { ...row, documentKind: document_kind, submitTime: Date.now() },
          person: { name, birth_date },
          document,
        });
        await provider.submitted(tx, id, name);
        await writer.account(tx, accountId);
      });
      notifyJobs();
      events.publishIdentity(accountId);
      return show(accountId);
    },
  };
}
