import type { Config } from "../config.ts";
import type { Database, Orm } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { Once } from "../idempotency/once.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { Mailer } from "../mail/mail.ts";
import { createCodes } from "./codes.ts";
import type { KnownDevices } from "./knownDevices.ts";
import { accountCalls } from "./limits.ts";
import { createPasswords } from "./passwords.ts";
import { accountRoutes } from "./routes.ts";
import { createAccountService } from "./service.ts";
import type { Sessions } from "./sessions.ts";

export interface AccountFeatureParts {
  config: Pick<Config, "demoAccount"> & { rateLimits: Pick<Config["rateLimits"], "account"> };
  db: Database;
  keys: Keys;
  limits: Limits;
  once: Once;
  sessions: Sessions;
  devices: KnownDevices;
  mailer: Mailer;
  /** Called in the transaction that deletes an account, before its rows go. */
  beforeDelete: (tx: Orm, accountId: string) => Promise<void>;
  /** Called after a commit that took on jobs. */
  notifyJobs: () => void;
  /** Called for every password hash that is computed. */
  hashed?: () => void;
}

/** Registration, log-in and what an owner does with an account, put together. */
export function createAccountFeature(parts: AccountFeatureParts): Feature {
  const { config, db, keys, limits, once, sessions, devices, mailer, beforeDelete, notifyJobs, hashed } = parts;
  const codes = createCodes({ db, keys, limits, mailer, notifyJobs });
  const passwords = createPasswords(hashed);
  const { demoAccount } = config;
  const service = createAccountService({
    db,
    passwords,
    codes,
    sessions,
    limits,
    mailer,
    demoAccount,
    beforeDelete,
    notifyJobs,
  });
  return {
    routes: [
      accountRoutes({
        service,
        codes,
        sessions,
        limits,
        once,
        devices,
        accountCalls: accountCalls(config.rateLimits.account),
      }),
    ],
    jobs: codes.handlers,
    async deleteExpired() {
      await sessions.deleteExpired();
      await codes.deleteExpired();
    },
  };
}
