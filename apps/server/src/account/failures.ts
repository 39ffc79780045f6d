import type { SecurityEventKind } from "@aqua/sdk/api/security";
import { HOUR_MS } from "@aqua/sdk/durations";
import { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { JobHandler } from "../jobs/runner.ts";
import { openPayload, sealPayload } from "../jobs/sealed.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { Mailer } from "../mail/mail.ts";
import { limitRules } from "./limits.ts";
import type { AccountMail } from "./mails.ts";
import { placeOf } from "./place.ts";
import { countEvents, type Origin, recordEvent } from "./securityEvents.ts";
import { findByEmail, lockAccount } from "./store.ts";
import { programOf } from "./userAgent.ts";

const KIND = "account.failure";
/** Number of failed tries within an hour after which the owner gets a mail. */
export const MANY_FAILURES = 5;

export type FailureKind = Extract<SecurityEventKind, "log_in_failed" | "confirm_failed">;

export interface Failures {
  /**
   * Creates a job to record a failed try. The call does the same work whether or not the e-mail has an account,
   * because only the job checks that. The response time therefore reveals nothing.
   */
  note(email: string, kind: FailureKind, origin: Origin): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

const payloadShape = z.object({
  email: z.string(),
  kind: z.enum(["log_in_failed", "confirm_failed"]),
  ip: z.string(),
  userAgent: z.string().optional(),
  time: z.number(),
});

/** Describes the origin of a request in a mail: browser and system if they are known, and the network. */
export const whereOf = ({ ip, userAgent }: Origin) => ({ device: programOf(userAgent), place: placeOf(ip) });

export function createFailures(parts: {
  db: Pick<Database, "orm" | "transaction">;
  keys: Keys;
  limits: Pick<Limits, "spend">;
  mailer: Pick<Mailer<AccountMail>, "enqueue">;
  notifyJobs: () => void;
}): Failures {
  const { db, keys, limits, mailer, notifyJobs } = parts;

  async function write(tx: Orm, { email, kind, ip, userAgent, time }: z.infer<typeof payloadShape>): Promise<void> {
    const account = await findByEmail(tx, email);
    // The account is locked, because each of several concurrent tries would otherwise count only itself.
    if (account === null || !(await lockAccount(tx, account.id))) return;
    const origin = { ip, userAgent };
    await recordEvent(tx, { accountId: account.id, kind, origin, time });
    const since = time - HOUR_MS;
    const failed = await Promise.all(
      (["log_in_failed", "confirm_failed"] as const).map((one) => countEvents(tx, account.id, { kind: one, since })),
    );
    const count = failed.reduce((sum, one) => sum + one, 0);
    if (count < MANY_FAILURES) return;
    // Further tries do not each send a mail, regardless of their timing.
    if (!(await mayMail(tx, account.id))) return;
    const { language } = account;
    const content = { kind: "many_failures", count: String(count), ...whereOf(origin) } as const;
    await mailer.enqueue(tx, { to: email, language, content });
  }

  async function mayMail(tx: Orm, accountId: string): Promise<boolean> {
    try {
      await limits.spend([{ rule: limitRules.failureMails, whom: accountId }], tx);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "too_many_requests") return false;
      throw error;
    }
  }

  return {
    async note(email, kind, { ip, userAgent }) {
      const payload = { email, kind, ip, userAgent: userAgent?.slice(0, 1_000), time: Date.now() };
      await enqueue(db.orm, { kind: KIND, payload: sealPayload(keys, KIND, payload) });
      notifyJobs();
    },
    handlers: {
      async [KIND](payload) {
        await db.transaction((tx) => write(tx, payloadShape.parse(openPayload(keys, KIND, payload))));
        notifyJobs();
      },
    },
  };
}
