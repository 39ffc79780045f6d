import type { Config } from "../config.ts";
import type { Database, Orm } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { Once } from "../idempotency/once.ts";
import type { Keys } from "../keys.ts";
import type { Limits } from "../limits/limits.ts";
import type { Mailer } from "../mail/mail.ts";
import type { OperatorAccess } from "../operators/access.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { createCodes } from "./codes.ts";
import { createFactors } from "./factors.ts";
import { createFailures } from "./failures.ts";
import type { KnownDevices } from "./knownDevices.ts";
import { createAccountCalls } from "./limits.ts";
import type { AccountMail } from "./mails.ts";
import { accountOperatorRoutes } from "./operatorRoutes.ts";
import { createPasskeys } from "./passkeys.ts";
import { createPasswords } from "./passwords.ts";
import { accountRoutes } from "./routes.ts";
import { createSecurityService, type SecurityService } from "./security.ts";
import { deleteOldEvents } from "./securityEvents.ts";
import { securityRoutes } from "./securityRoutes.ts";
import { type AccountParts, createAccountService } from "./service.ts";
import type { Sessions } from "./sessions.ts";

export interface AccountFeatureParts {
  config: Pick<Config, "demoAccount" | "publicUrl"> & {
    rateLimits: Pick<Config["rateLimits"], "account">;
  };
  db: Database;
  keys: Keys;
  limits: Limits;
  once: Once;
  sessions: Sessions;
  devices: KnownDevices;
  mailer: Mailer<AccountMail>;
  writer: LogWriter;
  /** Null: there are no operator's calls. */
  access: OperatorAccess | null;
  /** Returns the wallets of an account. They belong to a feature above this one. */
  walletsOf: AccountParts["walletsOf"];
  /** Called in the transaction that deletes an account, before its rows are deleted. */
  beforeDelete: (tx: Orm, accountId: string) => Promise<void>;
  /** Called after a commit that created jobs. */
  notifyJobs: () => void;
  /** Called for every password hash that is computed. */
  hashed?: () => void;
}

export interface AccountFeature extends Feature {
  security: SecurityService;
}

/** Creates the feature for registration, log-in and the management of an account. */
export function createAccountFeature(parts: AccountFeatureParts): AccountFeature {
  const { config, db, keys, limits, once, sessions, devices, mailer, notifyJobs, hashed } = parts;
  const { beforeDelete, walletsOf, writer, access } = parts;
  const codes = createCodes({ db, keys, limits, mailer, notifyJobs });
  const passwords = createPasswords(hashed);
  const { demoAccount, publicUrl } = config;
  const failures = createFailures({ db, keys, limits, mailer, notifyJobs });
  const passkeys = createPasskeys({ db, publicUrl });
  const factors = createFactors({ db, keys, limits, passkeys, publicUrl, writer });
  const common = { db, passwords, codes, sessions, limits, mailer, failures, writer, notifyJobs };
  const security = createSecurityService({ ...common, factors, passkeys });
  const service = createAccountService({ ...common, security, demoAccount, beforeDelete, walletsOf });
  const shared = {
    sessions,
    limits,
    once,
    devices,
    accountCalls: createAccountCalls(limits, config.rateLimits.account),
  };
  return {
    security,
    routes: [
      accountRoutes({ ...shared, service, codes }),
      securityRoutes({ ...shared, db, security, factors, passkeys }),
      ...(access === null ? [] : [accountOperatorRoutes({ service, access })]),
    ],
    jobs: { ...codes.handlers, ...failures.handlers },
    async deleteExpired() {
      await sessions.deleteExpired();
      await codes.deleteExpired();
      await passkeys.deleteExpired();
      await deleteOldEvents(db.orm);
    },
  };
}
