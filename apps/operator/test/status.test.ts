import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { createKeys } from "../../server/src/keys.ts";
import { operationRoutes } from "../../server/src/operations/routes.ts";
import { createOperationService } from "../../server/src/operations/service.ts";
import { createLogWriter } from "../../server/src/publicLog/writer.ts";
import { liveStatus, testApp } from "../../server/test/support/app.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { operatorToken } from "../../server/test/support/identity.ts";
import { operatorAccess } from "../../server/test/support/publicLog.ts";
import { runAqua } from "./support/aqua.ts";

const id = randomUUID();
const address = `0x${"a1".repeat(20)}` as const;
let db: Database;
let close: () => Promise<void>;
let url: string;
let woken = 0;

beforeAll(async () => {
  db = await openTestDatabase();
  const key = { chainId: 1, name: "attester" as const, address, transactionsLeft: 12 };
  const keys = createKeys(new Uint8Array(32));
  const service = createOperationService({
    db,
    writer: createLogWriter(keys),
    chains: [
      {
        chainId: 1,
        deployment: {},
        status: () => ({ ...liveStatus, cursor: { block: 90, time: liveStatus.cursor?.time ?? 0 } }),
      },
    ],
    works: ["chain 1"],
    keys: { last: () => [key], refresh: async () => [key] },
    troubles: () => [{ part: "mail", reason: "refused", note: "Mails wait." }],
    notifyJobs: () => {
      woken += 1;
    },
  });
  const access = operatorAccess(db, keys, { token: operatorToken });
  const { app } = await testApp({ features: [operationRoutes(service, access)] });
  close = () => app.close();
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  await db.orm.execute(`insert into instance (id, version, host, roles, start_time)
    values ('${id}', '1.2.3', 'box', '{web,jobs}', now() - interval '3 hours')`);
  const hour = 3_600_000;
  const now = Date.now();
  await db.orm.execute(`insert into job (id, kind, payload, run_at, create_time, attempts, last_error, failed_time, request_id)
    values (101, 'mail.send', '{}', ${now + hour}, ${now - hour}, 3, 'the mail server is away', null, 'req-1'),
      (102, 'mail.send', '{}', ${now - hour}, ${now - hour}, 1, 'no such mailbox', ${now - 3 * hour}, null),
      (103, 'sweep', '{}', ${now + hour}, ${now - hour}, 0, 'not yet', null, null)`);
});
afterAll(async () => {
  await close?.();
  await db?.close();
});

async function aqua(...args: string[]) {
  return runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: operatorToken });
}

it("aqua status prints processes, leaders, lag, failing jobs with reason and request, and keys", async () => {
  const { code, out } = await aqua("status");
  expect(code).toBe(0);
  const lines = out.split("\n").map((line) => line.replace(/ {2,}/g, "  "));
  for (const line of [
    `${id.slice(0, 8)}  1.2.3  box  web,jobs  3 h`,
    "chain 1  NOBODY",
    "mail  refused  Mails wait.",
    expect.stringMatching(/^1 {2}live {2}100, \d+ d old {2}10 blocks, 0 s$/),
    expect.stringMatching(/^mail\.send {2}0 {2}1 {2}1 {2}0 s$/),
    expect.stringMatching(
      /^101 {2}mail\.send {2}try 3 failed, again in (59|60) min {2}req-1 {2}the mail server is away$/,
    ),
    "102  mail.send  given up 3 h ago  none  no such mailbox",
    `attester  1  ${address}  12`,
  ])
    expect(lines).toContainEqual(line);
});

it("aqua status --json prints the server's answer", async () => {
  expect(JSON.parse((await aqua("status", "--json")).out)).toMatchObject({
    instances: [{ id, roles: ["web", "jobs"] }],
    leaders: [{ work: "chain 1", instance: null }],
    troubled_jobs: [
      { id: 101, state: "failing", request_id: "req-1" },
      { id: 102, state: "abandoned" },
    ],
  });
});

it("aqua jobs retry makes the named jobs due, and those that were given up again", async () => {
  expect(await aqua("jobs", "retry", "103")).toEqual({
    code: 1,
    out: "",
    error: "aqua: No job with this id fails or was given up\n",
  });
  expect((await aqua("jobs", "retry", "sweep")).out).toBe("No such job fails or was given up.\n");
  expect(woken).toBe(0);
  expect((await aqua("jobs", "retry", "102")).out).toBe("1 job is tried again now.\n");
  expect(JSON.parse((await aqua("jobs", "retry", "mail.send", "--json")).out)).toEqual({ retried: 1 });
  expect(woken).toBe(2);
  const { rows } = await db.orm.execute(`select id, attempts, failed_time, run_at <= ${Date.now()} as due
    from job order by id`);
  expect(rows).toEqual([
    { id: "101", attempts: 0, failed_time: null, due: true },
    { id: "102", attempts: 0, failed_time: null, due: true },
    { id: "103", attempts: 0, failed_time: null, due: false },
  ]);
  expect((await aqua("jobs", "retry")).out).toBe("No such job fails or was given up.\n");
});

it("aqua jobs names a command that it does not know", async () => {
  expect(await aqua("jobs", "rety")).toMatchObject({ code: 2, error: expect.stringContaining("retry") });
});
