/**
 * What it costs that processes share the limits of calls: the time of a call that reads one row, counted by this process
 * alone and counted in slices of the database, in turns. Each address calls as often as it may, so that every slice is
 * taken. Run: npm run bench -- budgets
 */
import { readConfig } from "../apps/server/src/config.ts";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createEventHub } from "../apps/server/src/events/hub.ts";
import { buildApp } from "../apps/server/src/http/app.ts";
import type { SharedBudgets } from "../apps/server/src/http/limits.ts";
import { createKeys } from "../apps/server/src/keys.ts";
import { createBudgets } from "../apps/server/src/limits/budgets.ts";
import { createLog } from "../apps/server/src/log.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { medianOfEach } from "./support/median.ts";

const PER_MINUTE = 600;
const ADDRESSES = 2;
const AT_ONCE = 16;
const TURNS = 61;
const GOAL = 1.05;

const postgres = await startPostgres([]);
const db = await connectDatabase(postgres.url);
await migrate(db);

const log = createLog(readConfig({ LOG_LEVEL: "silent" }));

async function appWith(budgets: SharedBudgets) {
  const app = await buildApp({
    config: {
      publicUrl: "http://localhost:8080",
      securityContacts: [],
      allowedHosts: [],
      trustedProxies: 0,
      webDir: import.meta.dirname,
      walletConnectProjectId: null,
      nameService: null,
      demo: false,
      roles: ["web"],
      rateLimits: { api: PER_MINUTE, rpc: PER_MINUTE },
    },
    log,
    db,
    hub: createEventHub(),
    findSession: async () => null,
    chains: [],
    readVersion: async () => "",
    productIds: async () => [],
    faucet: false,
    budgets,
    features: [
      async (routes) => {
        routes.get("/read", async () => {
          const { rows } = await db.orm.execute("select count(*) as migrations from drizzle.__drizzle_migrations");
          return { data: rows };
        });
      },
    ],
  });
  await app.ready();
  return app;
}

let address = 0;
/** Microseconds of one call. Every turn has new addresses, which begin a window. */
async function measure(app: Awaited<ReturnType<typeof appWith>>): Promise<number> {
  const calls: string[] = [];
  for (let one = 0; one < ADDRESSES; one += 1) {
    address += 1;
    const from = `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`;
    for (let call = 0; call < PER_MINUTE; call += 1) calls.push(from);
  }
  const count = calls.length;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let from = calls.pop(); from !== undefined; from = calls.pop()) {
        const { statusCode } = await app.inject({ url: "/api/v2/read", remoteAddress: from });
        if (statusCode !== 200) throw new Error(`a call was answered ${statusCode}`);
      }
    }),
  );
  return ((performance.now() - begun) * 1_000) / count;
}

try {
  const alone = await appWith(undefined);
  const shared = await appWith(createBudgets(db, createKeys(new Uint8Array(32)), { log }));
  for (const app of [alone, shared]) await measure(app);
  const measured: { alone: number; shared: number }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    // The order changes, so that neither is always the second.
    if (turn % 2 === 0) measured.push({ alone: await measure(alone), shared: await measure(shared) });
    else {
      const second = await measure(shared);
      measured.push({ alone: await measure(alone), shared: second });
    }
  }
  const median = medianOfEach(measured);
  const { ratio } = medianOfEach(measured.map((turn) => ({ ratio: turn.shared / turn.alone })));
  console.log(`by this process alone  ${median.alone.toFixed(0).padStart(5)} µs a read`);
  console.log(`in shared slices       ${median.shared.toFixed(0).padStart(5)} µs a read`);
  console.log(`ratio ${ratio.toFixed(3)}, goal ≤ ${GOAL}`);
  process.exitCode = ratio <= GOAL ? 0 : 1;
  await alone.close();
  await shared.close();
} finally {
  await db.close();
  await postgres.stop();
}
