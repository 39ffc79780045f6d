import { DAY_MS } from "@aqua/sdk/durations";
import { and, eq, lte } from "drizzle-orm";
import { getAddress } from "viem";
import type { Notify } from "../account/notices.ts";
import { account } from "../account/schema.ts";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import { mailFormat } from "../mail/format.ts";
import type { Act, LogWriter } from "../publicLog/writer.ts";
import { isRecorded } from "../records/bindings.ts";
import { enqueueCurrentRecord } from "../records/enqueue.ts";
import { currentWallet } from "../records/store.ts";
import type { EmitWebhook } from "../webhooks/emit.ts";
import type { IdentityMail } from "./mails.ts";
import { identityCase } from "./schema.ts";
import { deleteDocument, type IdentityCase, readCase } from "./store.ts";

export type Decision = { kind: "verified"; validUntil: number } | { kind: "rejected"; reason: string };

export interface DecisionParts {
  db: Database;
  recordChainIds: readonly number[];
  notify: Notify<IdentityMail>;
  writer: LogWriter;
  events: Pick<EventHub, "publishIdentity">;
  /** Tells the operator's system of a decision. */
  emit: EmitWebhook;
  notifyJobs(): void;
}

export interface Decisions {
  /**
   * Decides a pending case. `first` runs before that in the same transaction; if it returns false, nothing is decided.
   * @throws ApiError not_found, conflict if it was already decided
   */
  decide(caseId: string, decision: Decision, by?: { first?: (tx: Orm) => Promise<boolean>; act?: Act }): Promise<void>;
  /**
   * Revokes the verification of the case's person, including all cases that count. @throws ApiError not_found, conflict
   * if the case is not verified
   */
  revoke(caseId: string, reason: string, act?: Act): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

/** Days for which a document is stored after its decision. */
export const DOCUMENT_DAYS = 30;
/** A record that expires needs no call. After this delay the chain's own clock has passed the expiry too. */
const RUN_OUT_MS = 60_000;

const EXPIRE = "identity.expire";
const FORGET = "identity.forget";

/**
 * Carries out the consequences of a decision: the record on chain, the mail, the end of the validity, and the deletion
 * of the document.
 */
export function createDecisions(parts: DecisionParts): Decisions {
  const { db, recordChainIds, notify, writer, events, emit, notifyJobs } = parts;
  /**
   * Runs `work` on a case and publishes the change. The lock on the account prevents that a wallet is linked meanwhile.
   */
  async function change(
    { caseId, act }: { caseId: string; act: Act },
    work: (tx: Orm, row: IdentityCase) => Promise<boolean>,
  ): Promise<void> {
    const changed = await db.transaction(async (tx): Promise<string | null> => {
      const row = await lockCase(tx, caseId);
      if (row === null) throw new ApiError("not_found", "There is no such case");
      if (!(await work(tx, row))) return null;
      await writer.account(tx, row.accountId, act);
      return row.accountId;
    });
    notifyJobs();
    if (changed !== null) events.publishIdentity(changed);
  }

  /** Locks the account of a case, compares it with the log, and returns the case. Null if there is none any more. */
  async function lockCase(tx: Orm, caseId: string): Promise<IdentityCase | null> {
    const found = await readCase(tx, caseId);
    if (found === null) return null;
    await tx.select({ id: account.id }).from(account).where(eq(account.id, found.accountId)).for("update");
    const row = await readCase(tx, caseId);
    if (row !== null) await writer.requireAccount(tx, row.accountId);
    return row;
  }

  function emitDecision(tx: Orm, row: Pick<IdentityCase, "id" | "status" | "validUntil">, time: number): Promise<void> {
    const { id, status, validUntil } = row;
    if (status === "pending") throw new Error(`case ${id} is not decided`);
    const data = { case_id: id, status, valid_until: validUntil };
    return emit(tx, { type: "identity", time, fact: `${id} ${status} ${time}`, data });
  }

  async function verifiedMail(tx: Orm, accountId: string, validUntil: number): Promise<IdentityMail> {
    const [owner] = await tx.select({ language: account.language }).from(account).where(eq(account.id, accountId));
    const date = mailFormat(owner?.language ?? "en-US").date(validUntil);
    const wallet = await currentWallet(tx, accountId);
    if (wallet === null) return { kind: "identity_verified", date, notes: ["wallet_missing", "verified_until"] };
    // A renewal: the record of the earlier verification counts until its new one is written.
    const recorded = await isRecorded(tx, recordChainIds, wallet.address);
    const note = recorded ? "wallet_recorded" : "wallet_unrecorded";
    return { kind: "identity_verified", date, wallet: getAddress(wallet.address), notes: [note, "verified_until"] };
  }

  return {
    decide: (caseId, decision, { first, act = null } = {}) =>
      change({ caseId, act }, async (tx, row) => {
        if (first !== undefined && !(await first(tx))) return false;
        if (row.status !== "pending") throw new ApiError("conflict", `This case is ${row.status} already`);
        const now = Date.now();
        const verified = decision.kind === "verified";
        const validUntil = verified ? decision.validUntil : null;
        await tx
          .update(identityCase)
          .set({ status: decision.kind, decideTime: now, ...(verified ? { validUntil } : { reason: decision.reason }) })
          .where(eq(identityCase.id, caseId));
        await emitDecision(tx, { id: caseId, status: decision.kind, validUntil }, now);
        const payload = { caseId };
        await enqueue(tx, { kind: FORGET, payload, runAt: now + DOCUMENT_DAYS * DAY_MS });
        if (verified) {
          await enqueue(tx, { kind: EXPIRE, payload, runAt: decision.validUntil });
          await enqueueCurrentRecord(tx, { chainIds: recordChainIds, accountId: row.accountId });
          await notify(tx, row.accountId, await verifiedMail(tx, row.accountId, decision.validUntil));
        } else {
          await notify(tx, row.accountId, { kind: "identity_rejected", reason: decision.reason });
        }
        return true;
      }),

    revoke: (caseId, reason, act = null) =>
      change({ caseId, act }, async (tx, row) => {
        if (row.status !== "verified") throw new ApiError("conflict", `This case is ${row.status}, not verified`);
        const now = Date.now();
        const revoked = await tx
          .update(identityCase)
          .set({ status: "rejected", decideTime: now, validUntil: null, reason })
          // All verified cases of the account are revoked, because an earlier one would otherwise continue to count.
          .where(and(eq(identityCase.accountId, row.accountId), eq(identityCase.status, "verified")))
          .returning();
        for (const one of revoked) await emitDecision(tx, one, now);
        await enqueueCurrentRecord(tx, { chainIds: recordChainIds, accountId: row.accountId });
        await notify(tx, row.accountId, { kind: "identity_rejected", reason });
        return true;
      }),

    handlers: {
      async [EXPIRE](payload) {
        const { caseId } = payload as { caseId: string };
        const now = Date.now();
        const expired = await db.transaction(async (tx): Promise<string | null> => {
          await lockCase(tx, caseId);
          const [row] = await tx
            .update(identityCase)
            .set({ status: "expired" })
            .where(
              and(eq(identityCase.id, caseId), eq(identityCase.status, "verified"), lte(identityCase.validUntil, now)),
            )
            .returning();
          if (row === undefined) return null;
          await emitDecision(tx, row, now);
          await writer.account(tx, row.accountId);
          await enqueueCurrentRecord(tx, {
            chainIds: recordChainIds,
            accountId: row.accountId,
            runAt: now + RUN_OUT_MS,
          });
          return row.accountId;
        });
        if (expired !== null) events.publishIdentity(expired);
      },
      async [FORGET](payload) {
        const { caseId } = payload as { caseId: string };
        await db.transaction(async (tx) => {
          const row = await lockCase(tx, caseId);
          await deleteDocument(tx, caseId);
          if (row !== null) await writer.account(tx, row.accountId);
        });
      },
    },
  };
}
