/**
 * Whether the time of an answer reveals that an e-mail has an account: medians over 200 calls each of the known and the
 * unknown,
 * taken in turns, for each call that takes an e-mail. Run: npm run bench -- accounts
 */
import { createAccountFeature } from "../apps/server/src/account/feature.ts";
import { createKnownDevices } from "../apps/server/src/account/knownDevices.ts";
import { accountMails } from "../apps/server/src/account/mails.ts";
import { createPasswords } from "../apps/server/src/account/passwords.ts";
import { account } from "../apps/server/src/account/schema.ts";
import { createSessions } from "../apps/server/src/account/sessions.ts";
import { readConfig } from "../apps/server/src/config.ts";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createEventHub } from "../apps/server/src/events/hub.ts";
import { buildApp } from "../apps/server/src/http/app.ts";
import { createOnce } from "../apps/server/src/idempotency/once.ts";
import { createKeys } from "../apps/server/src/keys.ts";
import { createLimits } from "../apps/server/src/limits/limits.ts";
import { limitUse } from "../apps/server/src/limits/schema.ts";
import { createLog } from "../apps/server/src/log.ts";
import { createMailer } from "../apps/server/src/mail/mail.ts";
import { outboxTransport } from "../apps/server/src/mail/transport.ts";
import { createLogWriter } from "../apps/server/src/publicLog/writer.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";

const TRIES = 200;
const KNOWN = "known@aqua.example";
const UNKNOWN = "other@aqua.example";
const PASSWORD = "moon over the tide";

const postgres = await startPostgres([]);
const db = await connectDatabase(postgres.url);
await migrate(db);
const keys = createKeys(new Uint8Array(32));
const limits = createLimits(db, keys);
const mailer = createMailer({
  ...{ keys, transport: outboxTransport(db), publicUrl: "https://aqua.example" },
  definitions: accountMails,
});
const config = {
  publicUrl: "https://aqua.example",
  securityContacts: [],
  allowedHosts: [],
  trustedProxies: 0,
  webDir: import.meta.dirname,
  walletConnectProjectId: null,
  nameService: null,
};
const feature = createAccountFeature({
  db,
  keys,
  limits,
  once: createOnce(db),
  sessions: createSessions(db, keys),
  mailer,
  devices: createKnownDevices(keys, config.publicUrl),
  writer: createLogWriter(keys),
  access: null,
  config: { ...config, demoAccount: null, rateLimits: { account: 5_000 } },
  walletsOf: async () => [],
  beforeDelete: async () => {},
  notifyJobs: () => {},
});
const app = await buildApp({
  db,
  hub: createEventHub(),
  chains: [],
  readVersion: async () => "",
  productIds: async () => [],
  faucet: false,
  features: feature.routes ?? [],
  findSession: async () => null,
  config: { ...config, demo: false, roles: ["web"], rateLimits: { api: 1_000_000, rpc: 1 } },
  log: createLog(readConfig({ LOG_LEVEL: "silent" })),
});
await db.orm.insert(account).values({
  id: "known",
  email: KNOWN,
  passwordHash: await createPasswords().hash(PASSWORD),
  country: "FR",
  language: "en-US",
  subject: `0x${"a".repeat(32)}`,
  createTime: 1,
});

const calls: [path: string, body: (email: string) => object][] = [
  ["login", (email) => ({ email, password: "not your account’s password" })],
  ["forget-password", (email) => ({ email })],
  ["send-verification-code", (email) => ({ email, purpose: "register" })],
  ["verify-email", (email) => ({ email, code: "000000", purpose: "register" })],
  ["register", (email) => ({ email, password: PASSWORD, ticket: "x", country: "FR" })],
];

async function milliseconds(path: string, body: object): Promise<number> {
  await db.orm.delete(limitUse);
  const started = performance.now();
  await app.inject({ method: "POST", url: `/api/v2/account/${path}`, payload: body });
  return performance.now() - started;
}

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
let worst = 0;
for (const [path, body] of calls) {
  const times: Record<string, number[]> = { [KNOWN]: [], [UNKNOWN]: [] };
  for (let turn = -10; turn < TRIES; turn += 1) {
    for (const email of turn % 2 ? [KNOWN, UNKNOWN] : [UNKNOWN, KNOWN]) {
      const taken = await milliseconds(path, body(email));
      if (turn >= 0) times[email]?.push(taken);
    }
  }
  const [known, unknown] = [median(times[KNOWN] ?? []), median(times[UNKNOWN] ?? [])];
  const apart = Math.abs(known - unknown) / Math.min(known, unknown);
  worst = Math.max(worst, apart);
  console.log(
    `${path.padEnd(24)} known ${known.toFixed(2).padStart(7)} ms  unknown ${unknown.toFixed(2).padStart(7)} ms  ${(apart * 100).toFixed(1).padStart(5)} % apart`,
  );
}
await app.close();
await db.close();
await postgres.stop();
if (worst > 0.1) {
  console.error("The time of an answer tells known from unknown: more than 10 % apart.");
  process.exitCode = 1;
}
