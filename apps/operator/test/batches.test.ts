import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/src/db/database.ts";
import { createEventHub } from "../../server/src/events/hub.ts";
import { createOpenFindings } from "../../server/src/findings/open.ts";
import { createKeys } from "../../server/src/keys.ts";
import { createLogWriter } from "../../server/src/publicLog/writer.ts";
import { anchorRoutes } from "../../server/src/telemetry/anchoring/routes.ts";
import { createAnchorService } from "../../server/src/telemetry/anchoring/service.ts";
import { createTelemetryFeature, type TelemetryFeature } from "../../server/src/telemetry/feature.ts";
import { localDeployment, type TestApp, testApp } from "../../server/test/support/app.ts";
import { openTestDatabase } from "../../server/test/support/databases.ts";
import { operatorAccess } from "../../server/test/support/publicLog.ts";
import {
  anchorAll,
  buildBatch,
  CHAIN,
  enrol,
  newDevice,
  type TestDevice,
} from "../../server/test/telemetry/devices.ts";
import { indexChain, listProduct } from "../../server/test/telemetry/rows.ts";
import { runAqua } from "./support/aqua.ts";

const TOKEN = "operator-token-of-the-batches-test-012345678";
const START = Date.UTC(2026, 0, 5);
let folder: string;
let db: Database;
let feature: TelemetryFeature;
let app: TestApp["app"];
let url: string;
let meter: TestDevice;
/** Files of four batches with two readings each. */
const files: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-batches-"));
  db = await openTestDatabase();
  await indexChain(db);
  await listProduct(db, "tide", { number: 1 });
  meter = newDevice({ name: "turbine-1", start: START, step: 600_000 });
  await enrol(db, meter);
  const batches: ReturnType<typeof buildBatch>[] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    const readings = [await meter.next(), await meter.next()];
    const batch = buildBatch("tide", readings, batches.at(-1) ?? null, START / 1_000 + turn * 3_600);
    batches.push(batch);
    files.push(join(folder, `${turn}.ndjson`));
    await writeFile(files.at(-1) ?? "", batch.file);
  }
  await anchorAll(db, batches);
  const keys = createKeys(Buffer.alloc(32, 7));
  feature = createTelemetryFeature({
    db,
    events: createEventHub(),
    chainIds: [CHAIN],
    writer: createLogWriter(keys),
    access: operatorAccess(db, keys, { token: TOKEN }),
    config: { retentionDays: 0, rateLimits: { telemetry: 1_000 } },
  });
  const deployment = { ...localDeployment, telemetry_anchor: `0x${"c0".repeat(20)}` as const };
  const chains = [{ chainId: CHAIN, deployment, status: () => ({ state: "live" as const }) }];
  const read = anchorRoutes(createAnchorService({ db, chains, findings: createOpenFindings(db) }), 1_000);
  ({ app } = await testApp({ features: [...(feature.routes ?? []), read] }));
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app?.close();
  await feature?.stop?.();
  await db?.close();
  await rm(folder, { recursive: true, force: true });
});

async function aqua(...args: string[]) {
  return runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: TOKEN });
}

it("aqua batches lists missing batches, imports their files, and declares one lost for all to see", async () => {
  expect((await aqua("batches", "list")).out).toBe("missing   tide  batches 1 to 4\n");
  expect((await aqua("batches", "import", files[0] ?? "", files[1] ?? "")).out).toBe(
    "2 batches with 4 readings were imported; 0 were known.\n",
  );
  expect((await aqua("batches", "list")).out).toBe("missing   tide  batches 3 to 4\n");

  const skipped = await aqua("batches", "import", files[3] ?? "");
  expect(skipped).toMatchObject({ code: 1, error: expect.stringContaining("The next batch of tide is 3, not 4") });
  expect(skipped.error).toContain(files[3]);
  expect((await aqua("batches", "declare-lost", "tide", "4", "--reason", "x")).error).toBe(
    "aqua: The next missing batch of tide is 3\n",
  );
  expect((await aqua("batches", "declare-lost", "tide", "5", "--reason", "x")).error).toBe(
    "aqua: The chain holds no batch 5 of tide\n",
  );

  const declared = await aqua("batches", "declare-lost", "tide", "3", "--reason", "The disk broke");
  expect(declared.out).toMatch(
    /^Declared lost, for all to see: tide {2}batch 3 {2}\d{4}-\d\d-\d\d {2}The disk broke\n$/,
  );
  expect((await aqua("batches", "import", files[3] ?? "")).out).toBe(
    "1 batches with 2 readings were imported; 0 were known.\n",
  );
  expect((await aqua("batches", "list")).out).toMatch(/^declared {2}tide {2}batch 3 {2}[\d-]+ {2}The disk broke\n$/);
  expect((await aqua("batches", "declare-lost", "tide", "3", "--reason", "x")).error).toBe(
    "aqua: Batch 3 of tide is not missing\n",
  );
});

it("aqua device declare-lost lets a device go on after readings that nobody has", async () => {
  await meter.next();
  const next = await meter.next();
  const post = () =>
    app
      .inject({ method: "POST", url: "/api/v2/telemetry", payload: { readings: [next] } })
      .then((answer) => answer.json().data);
  expect(await post()).toMatchObject({ accepted: 0, rejected: [{ reason: "gap", head: { seq: 8 } }] });
  expect((await aqua("device", "declare-lost", "turbine-1", "--reason", "The gateway was stolen")).out).toBe(
    "Declared lost, for all to see: readings of turbine-1 after number 8\n",
  );
  expect(await post()).toMatchObject({ accepted: 1, rejected: [] });
  // It holds for one reading: the one after must name that one.
  await meter.next();
  const later = await meter.next();
  const answer = await app.inject({ method: "POST", url: "/api/v2/telemetry", payload: { readings: [later] } });
  expect(answer.json().data).toMatchObject({ accepted: 0, rejected: [{ reason: "gap", head: { seq: 10 } }] });
  expect((await aqua("batches", "list")).out).toContain("readings of turbine-1 after 8");
});

it.each([
  [["batches", "import"], "missing required argument 'files': in the order of their numbers"],
  [["batches", "import", "none.ndjson"], "none.ndjson cannot be read: ENOENT"],
  [["batches", "declare-lost", "tide", "--reason", "y"], "missing required argument 'number': the number of the batch"],
  [["batches", "declare-lost", "tide", "x", "--reason", "y"], "x is not the number of a batch"],
  [
    ["batches", "declare-lost", "tide", "4"],
    "required option '--reason <why>' not specified: the reason, which everybody can read",
  ],
  [["batches", "lst"], "did you mean list?"],
  [
    ["device", "declare-lost", "turbine-1"],
    "required option '--reason <why>' not specified: the reason, which everybody can read",
  ],
])("aqua %j explains what is wrong", async (args, message) => {
  const { code, error } = await aqua(...args);
  expect(code).toBeGreaterThan(0);
  expect(error).toContain(message);
});
