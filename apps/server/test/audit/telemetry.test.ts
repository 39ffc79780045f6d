import { nameHex } from "@aqua/sdk/proofs/reading";
import { validationIssues } from "@aqua/sdk/telemetry/quality";
import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { auditTelemetry } from "../../src/audit/telemetry.ts";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";
import { addresses, CHAIN, collect, fill, NOW, tampered } from "./world.ts";

const wrong = `'\\x${"ab".repeat(32)}'`;
const wrongText = `'0x${"ab".repeat(32)}'`;
const tide = `'${nameHex("tide")}'`;
const hour = Math.floor((NOW - 7_200_123) / 3_600_000) * 3_600_000;

/** A change of rows, and the row and column at which it is found: in the changed table, unless another is named. */
type Case = [set: string, where: string, row: string, column: string | null, table?: string];

/** Batched: 1 to 17 of device 1. In no batch: 18 to 20. */
const readings: Case[] = [
  ["seq = 100", "device = 1 and seq = 3", "device 1, number 3", null],
  ["seq = 100", "device = 1 and seq = 19", "device 1, number 100", "hash"],
  ["device = 5", "device = 1 and seq = 3", "device 1, number 3", null],
  ["device = 5", "device = 1 and seq = 19", "device 1, number 19", null],
  ["time = time + 1", "device = 1 and seq = 3", "device 1, number 3", "time"],
  ["time = time + 1", "device = 1 and seq = 19", "device 1, number 19", "hash"],
  ["time = time - 120000", "device = 1 and seq = 19", "device 1, number 19", "time"],
  ["accepted = time - 200000", "device = 1 and seq = 3", "device 1, number 3", "accepted"],
  ["accepted = accepted + 1", "device = 1 and seq = 20", "device 1", "accepted", "device_head"],
  ["value = value + 1", "device = 1 and seq = 3", "device 1, number 3", "value"],
  ["value = value + 1", "device = 1 and seq = 16", "device 1, number 16", "value"],
  ["value = value + 1", "device = 1 and seq = 19", "device 1, number 19", "hash"],
  [`prev = ${wrong}`, "device = 1 and seq = 3", "device 1, number 3", "prev"],
  [`prev = ${wrong}`, "device = 1 and seq = 19", "device 1, number 19", "prev"],
  ["prev = '\\x00'", "device = 1 and seq = 19", "device 1, number 19", "prev"],
  [`hash = ${wrong}`, "device = 1 and seq = 3", "device 1, number 3", "hash"],
  [`hash = ${wrong}`, "device = 1 and seq = 19", "device 1, number 19", "hash"],
  [`hash = ${wrong}`, "device = 1 and seq = 20", "device 1, number 20", "hash"],
  [
    "signature = set_byte(signature, 9, get_byte(signature, 9) # 1)",
    "device = 1 and seq = 3",
    "device 1, number 3",
    "signature",
  ],
  [
    "signature = set_byte(signature, 9, get_byte(signature, 9) # 1)",
    "device = 1 and seq = 19",
    "device 1, number 19",
    "signature",
  ],
  [
    "signature = set_byte(signature, 9, get_byte(signature, 9) # 1)",
    "device = 2 and seq = 16",
    "device 2, number 16",
    "signature",
  ],
  ["co_signature = signature", "device = 1 and seq = 3", "device 1, number 3", "co_signature"],
  ["co_signature = null", "device = 2 and seq = 3", "device 2, number 3", "co_signature"],
  ["co_signature = null", "device = 2 and seq = 16", "device 2, number 16", "co_signature"],
  ["co_signature = signature", "device = 2 and seq = 16", "device 2, number 16", "co_signature"],
  ["flaw = null", "device = 1 and seq = 4", "device 1, number 4", "flaw"],
  ["flaw = 'jump'", "device = 1 and seq = 3", "device 1, number 3", "flaw"],
  ["flaw = 'frozen'", "device = 1 and seq = 19", "device 1, number 19", "flaw"],
  ["flaw = null", "device = 2 and seq = 13", "device 2, number 13", "flaw"],
];

const second = `stream = ${tide} and number = 2`;
const batches: Case[] = [
  ["chain_id = 1", second, "batch 2 of tide", null],
  [`stream = '${nameHex("sun")}', number = 7`, second, "batch 2 of tide", null],
  ["number = 9", second, "batch 2 of tide", null],
  ["short_id = 'sun'", second, "batch 2 of tide", "short_id"],
  [`previous_head = ${wrongText}`, second, "batch 2 of tide", "previous_head"],
  [`root = ${wrongText}`, second, "batch 2 of tide", "root"],
  ['"from" = "from" - 1', second, "batch 2 of tide", "from"],
  ['"to" = "to" + 1', second, "batch 2 of tide", "to"],
  ["count = count + 1", second, "batch 2 of tide", "count"],
  [`data_hash = ${wrongText}`, second, "batch 2 of tide", "data_hash"],
  [`head = ${wrongText}`, second, "batch 2 of tide", "head"],
  ["file = '\\x00'", second, "batch 2 of tide", "file"],
  ["file = null", second, "batch 2 of tide", "file"],
  [
    `file = (select file from telemetry_batch where stream = ${tide} and number = 1)`,
    second,
    "batch 2 of tide",
    "file",
  ],
  ...(["root", "data_hash", "head", "previous_head"] as const).map(
    (column): Case => [`${column} = ${wrongText}`, `stream = ${tide} and number = 3`, "batch 3 of tide", column],
  ),
  ["count = 1", `stream = ${tide} and number = 3`, "batch 3 of tide", "count"],
  [
    `file = (select file from telemetry_batch where stream = ${tide} and number = 1)`,
    `stream = ${tide} and number = 3`,
    "batch 3 of tide",
    "file",
  ],
  ["count = 5", "file is null", "batch 2 of sun", "count"],
];

const ofSecond = `${second} and device = 1`;
const parts: Case[] = [
  ["chain_id = 1", ofSecond, "batch 2 of tide, device 1", null],
  [`stream = '${nameHex("sun")}'`, ofSecond, "batch 2 of tide, device 1", null],
  ["number = 8", ofSecond, "batch 8 of tide, device 1", null],
  ["device = 5", ofSecond, "batch 2 of tide, device 5", null],
  ["first_seq = 8", ofSecond, "batch 2 of tide, device 1", "first_seq"],
  ["last_seq = 15", ofSecond, "batch 2 of tide, device 1", "last_seq"],
];

const firstHour = `device = 1 and span = 3600000 and start = ${hour}`;
const hourRow = `device 1, 3600000 ms from ${new Date(hour).toISOString()}`;
const buckets: Case[] = [
  ["device = 5", firstHour, hourRow, null],
  ["span = 60000", firstHour, hourRow.replace("3600000", "60000"), null],
  ["start = start - 3600000", firstHour, hourRow, null],
  ["start = start + 360000000", firstHour, hourRow, null],
  ...[
    ...["count", "bounds", "jump", "frozen", "backwards", "min", "max", "sum"],
    ...["first_time", "first_value", "last_time", "last_value"],
  ].flatMap((column): Case[] => [
    [`${column} = ${column} + 1`, firstHour, hourRow, column],
    [
      `${column} = ${column} + 1`,
      "device = 1 and span = 86400000",
      "device 1, 86400000 ms from 2026-05-20T00:00:00.000Z",
      column,
    ],
  ]),
];

const heads: Case[] = [
  ["device = 77", "device = 1", "device 1", null],
  ["seq = 21", "device = 1", "device 1", "seq"],
  ["seq = 19", "device = 1", "device 1", "seq"],
  [`hash = ${wrong}`, "device = 1", "device 1", "hash"],
  ["time = time + 1", "device = 1", "device 1", "time"],
  ["accepted = accepted + 1", "device = 1", "device 1", "accepted"],
  ["good_seq = 19", "device = 1", "device 1", "good_seq"],
  ["good_time = null", "device = 1", "device 1", "good_time"],
  ["good_value = good_value + 1", "device = 1", "device 1", "good_value"],
  ["repeats = 11", "device = 2", "device 2", "repeats"],
  ["readings = readings - 1", "device = 1", "device 1", "readings"],
  ["readings = 1", "device = 5", "device 5", "readings"],
  ["rejoins = true", "device = 1", "device 1", "rejoins"],
];

const devices: Case[] = [
  ["id = 99", "id = 1", "device 1", null],
  ["name = 'somebody'", "id = 1", "device 1", "name"],
  ["chain_id = 1", "id = 1", "device 1", "chain_id"],
  ["short_id = 'sun'", "id = 1", "device 1", "short_id"],
  ["metric = 'gas'", "id = 1", "device 1", "metric"],
  ["exponent = 0", "id = 1", "device 1", "exponent"],
  ["co_signer = null", "id = 2", "device 2", "co_signer"],
  ["co_signer = 'meter'", "id = 2", "device 2", "co_signer"],
];

/** Changed limits contradict the flaws of the stored readings. */
const limits: Case[] = [
  ["min = 1000000", "id = 1", "device 1, number 1", "flaw", "reading"],
  ["max = 1000000", "id = 1", "device 1, number 4", "flaw", "reading"],
  ["max_step = null", "id = 1", "device 1, number 8", "flaw", "reading"],
  ["interval = 1", "id = 1", "device 1, number 8", "flaw", "reading"],
];

const lostReadings = "device = 'lossy'";
const losses: Case[] = [
  ["chain_id = 1", lostReadings, "loss 1", "chain_id"],
  ["short_id = 'sun'", lostReadings, "loss 1", "short_id"],
  ["batch = 7", lostReadings, "loss 1", "batch"],
  ["device = 'nobody'", lostReadings, "loss 1", "device"],
  ["after_seq = 900", lostReadings, "loss 1", "after_seq"],
  ["after_seq = 1", lostReadings, "device 3, number 4", "prev", "reading"],
  ["batch = 1", "batch = 2", "loss 2", "batch"],
];

const cases = {
  reading: readings,
  telemetry_batch: batches,
  telemetry_batch_part: parts,
  reading_bucket: buckets,
  device_head: heads,
  device: [...devices, ...limits],
  declared_loss: losses,
  device_interval: [["device = 77", "device = 5", "device 77", null, "device"]] as Case[],
};

/** What nothing proves today. A change is not found. */
const unproved: Record<string, readonly string[]> = {
  reading: [],
  telemetry_batch: ["create_time", "hash"],
  telemetry_batch_part: [],
  reading_bucket: [],
  device_head: [],
  device: [...["place", "latitude", "longitude", "model", "trust"], ...["secret_hash", "create_time", "retired_time"]],
  declared_loss: ["id", "reason", "time"],
  device_interval: ["since", "interval"],
};

const words = ({ table, row, column }: { table: string; row: string; column: string | null }) =>
  `${table}, ${row}: ${column ?? "the row"}`;

withDatabase("the audit of telemetry", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await fill(db);
    await db.orm.execute(sql`insert into device_interval (device, since, interval) values (5, ${NOW}, 1000)`);
  });
  const change = (table: string, set: string, where: string) => sql.raw(`update ${table} set ${set} where ${where}`);
  const found = async (...changes: string[]) => {
    const all = changes.map((one) => sql.raw(one));
    return (await tampered(db, all)).map(words);
  };

  it("finds no difference in honest data of every kind", async () => {
    const { rows } = await db.orm.execute<{ flaw: string }>(
      sql`select distinct flaw from reading where flaw is not null`,
    );
    expect(rows.map(({ flaw }) => flaw).sort()).toEqual([...validationIssues].sort());
    const { differences, compared } = await collect(auditTelemetry({ db, chainIds: [CHAIN] }));
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(800);
  });

  for (const [table, all] of Object.entries(cases)) {
    it(`finds a change of each proved column of ${table}`, async () => {
      const missed: string[] = [];
      for (const [set, where, row, column, at = table] of all) {
        const differences = (await tampered(db, [change(table, set, where)])).map(words);
        const wanted = words({ table: at, row, column });
        if (!differences.includes(wanted))
          missed.push(`${set} where ${where}: ${wanted}, not ${differences.slice(0, 8).join("; ")}`);
      }
      expect(missed).toEqual([]);
    });
  }

  it("names every column of these tables as proved or as not proved, and finds no change of the latter", async () => {
    for (const [table, all] of Object.entries(cases)) {
      const { rows } = await db.orm.execute<{ name: string; type: string }>(sql`
        select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = ${table}`);
      const changed = new Set(all.map(([set]) => (set.split(" =")[0] ?? "").replaceAll('"', "")));
      const columns = rows.map(({ name }) => name).sort();
      expect([...changed, ...(unproved[table] ?? [])].sort(), table).toEqual(columns);
      for (const column of unproved[table] ?? []) {
        const { type } = rows.find(({ name }) => name === column) ?? {};
        const value = type === "text" ? "'other'" : type === "bytea" ? "'\\x00'" : "77";
        expect(
          await found(`update ${table} set ${column} = ${value} where ctid = (select min(ctid) from ${table})`),
        ).toEqual([]);
      }
    }
  });

  it("reports a changed value once, with both values and whose it is", async () => {
    const meter = { table: "reading", row: "device 1, number 3", product: addresses.tide, device: "meter" };
    expect(await tampered(db, [change("reading", "value = 7", "device = 1 and seq = 3")])).toEqual([
      { ...meter, column: "value", expected: "1030", found: "7" },
    ]);
  });

  it.each([
    ["the first reading", "reading", "device = 1 and seq = 1", "reading, device 1, number 1: the row"],
    ["a reading of a batch", "reading", "device = 1 and seq = 3", "reading, device 1, number 3: the row"],
    ["the last reading of a batch", "reading", "device = 4 and seq = 2", "reading, device 4, number 2: the row"],
    ["a reading of no batch", "reading", "device = 1 and seq = 19", "reading, device 1, number 19: the row"],
    ["the newest reading", "reading", "device = 1 and seq = 20", "reading, device 1, number 20: the row"],
    ["the newest readings", "reading", "device = 1 and seq > 18", "reading, device 1, numbers 19 to 20: the row"],
    ["a batch", "telemetry_batch", second, "telemetry_batch, batch 2 of tide: the row"],
    [
      "the first batch",
      "telemetry_batch",
      `stream = ${tide} and number = 1`,
      "telemetry_batch, batch 1 of tide: the row",
    ],
    ["a lost batch", "telemetry_batch", "file is null", "declared_loss, loss 2: batch"],
    ["a part", "telemetry_batch_part", ofSecond, "telemetry_batch_part, batch 2 of tide, device 1: the row"],
    ["a bucket", "reading_bucket", firstHour, `reading_bucket, ${hourRow}: the row`],
    ["all buckets", "reading_bucket", "device = 1", `reading_bucket, ${hourRow}: the row`],
    ["a head", "device_head", "device = 1", "device_head, device 1: the row"],
    ["a device", "device", "id = 1", "device, device 1: the row"],
    ["lost readings", "declared_loss", "device = 'lossy'", "reading, device 3, number 4: prev"],
    ["the loss of a batch", "declared_loss", "batch = 2", "telemetry_batch, batch 2 of sun: file"],
  ])("finds the deletion of %s", async (_, table, where, wanted) => {
    expect(await found(`delete from ${table} where ${where}`)).toContain(wanted);
  });

  it("finds that the newest batch on chain was deleted with its parts, as its readings are stored", async () => {
    const where = `stream = ${tide} and number > 1`;
    const deleted = await found(
      `delete from telemetry_batch_part where ${where}`,
      `delete from telemetry_batch where ${where}`,
    );
    expect(deleted).toContain("telemetry_batch, batch 2 of tide: the row");
    // One that is not on chain yet is built again.
    const third = `stream = ${tide} and number = 3`;
    expect(
      await found(`delete from telemetry_batch_part where ${third}`, `delete from telemetry_batch where ${third}`),
    ).toEqual([]);
  });

  it("finds that a batch between others was deleted with its parts", async () => {
    const first = `stream = ${tide} and number = 1`;
    expect(
      await found(`delete from telemetry_batch_part where ${first}`, `delete from telemetry_batch where ${first}`),
    ).toContain("telemetry_batch, batch 1 of tide: the row");
  });

  it("blames no reading for a file that cannot be read", async () => {
    expect(await found(`update telemetry_batch set file = '\\x00' where ${second}`)).toEqual([
      "telemetry_batch, batch 2 of tide: file",
    ]);
  });

  /** Copies rows with other values in some columns. */
  async function copy(table: string, where: string, changed: Record<string, string>) {
    const { rows } = await db.orm.execute<{ name: string }>(
      sql`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`,
    );
    const names = rows.map(({ name }) => `"${name}"`);
    const values = rows.map(({ name }) => changed[name] ?? `"${name}"`);
    return `insert into ${table} (${names.join()}) select ${values.join()} from ${table} where ${where}`;
  }

  it.each<[string, string, string, Record<string, string>, string]>([
    [
      "a second reading of a number",
      "reading",
      "device = 1 and seq = 3",
      { time: "time + 1" },
      "reading, device 1, number 3: the row",
    ],
    [
      "a second reading of a number in no batch",
      "reading",
      "device = 1 and seq = 19",
      { time: "time + 1" },
      "reading, device 1, number 19: the row",
    ],
    [
      "a reading under a skipped number",
      "reading",
      "device = 3 and seq = 2",
      { seq: "3", time: "time + 1" },
      "reading, device 3, number 3: the row",
    ],
    [
      "a reading that the device did not sign",
      "reading",
      "device = 1 and seq = 20",
      { seq: "21", prev: "hash" },
      "reading, device 1, number 21: signature",
    ],
    [
      "a reading of a device that sent none",
      "reading",
      "device = 4 and seq = 1",
      { device: "5" },
      "reading, device 5, number 1: signature",
    ],
    ["a reading of no device", "reading", "device = 1 and seq = 3", { device: "50" }, "device, device 50: the row"],
    [
      "a batch",
      "telemetry_batch",
      `stream = ${tide} and number = 3`,
      { number: "4" },
      "telemetry_batch, batch 4 of tide: previous_head",
    ],
    [
      "a part",
      "telemetry_batch_part",
      ofSecond,
      { device: "5" },
      "telemetry_batch_part, batch 2 of tide, device 5: the row",
    ],
    [
      "a bucket",
      "reading_bucket",
      firstHour,
      { start: "start - 36000000" },
      `reading_bucket, ${hourRow.replace(new Date(hour).toISOString(), new Date(hour - 36_000_000).toISOString())}: the row`,
    ],
    [
      "a bucket of a device that sent nothing",
      "reading_bucket",
      firstHour,
      { device: "5" },
      `reading_bucket, ${hourRow.replace("device 1", "device 5")}: the row`,
    ],
    [
      "lost readings",
      "declared_loss",
      "device = 'lossy'",
      { id: "9", device: "'meter'", after_seq: "20" },
      "device_head, device 1: rejoins",
    ],
    ["the loss of a batch", "declared_loss", "batch = 2", { id: "9", batch: "1" }, "declared_loss, loss 9: batch"],
  ])("finds the insertion of %s", async (_, table, where, changed, wanted) => {
    expect(await found(await copy(table, where, changed))).toContain(wanted);
  });

  /** Exchanges columns of two rows. */
  const exchanged = (table: string, columns: readonly string[], [a, b]: readonly [string, string]) => {
    const of = (column: string, where: string) => `(select s.${column} from ${table} s where ${where})`;
    const sets = columns.map((one) => `${one} = case when ${a} then ${of(one, b)} else ${of(one, a)} end`);
    return `update ${table} set ${sets.join()} where (${a}) or (${b})`;
  };

  it.each<[string, string, string[], [string, string], string[]]>([
    [
      "values of two readings",
      "reading",
      ["value"],
      ["device = 1 and seq = 2", "device = 1 and seq = 3"],
      ["reading, device 1, number 2: value", "reading, device 1, number 3: value"],
    ],
    [
      "two readings of no batch",
      "reading",
      ["value", "prev", "hash", "signature"],
      ["device = 1 and seq = 18", "device = 1 and seq = 19"],
      ["reading, device 1, number 18: signature", "reading, device 1, number 19: signature"],
    ],
    [
      "two readings of a batch",
      "reading",
      ["value", "prev", "hash", "signature", "flaw"],
      ["device = 1 and seq = 2", "device = 1 and seq = 3"],
      ["reading, device 1, number 2: hash", "reading, device 1, number 3: hash"],
    ],
    [
      "two files",
      "telemetry_batch",
      ["file"],
      [`stream = ${tide} and number = 1`, second],
      ["telemetry_batch, batch 1 of tide: file", "telemetry_batch, batch 2 of tide: file"],
    ],
    [
      "two heads",
      "device_head",
      ["seq", "hash", "time"],
      ["device = 1", "device = 2"],
      ["device_head, device 1: hash", "device_head, device 2: hash"],
    ],
    [
      "the metrics of two devices",
      "device",
      ["metric"],
      ["id = 1", "id = 2"],
      ["device, device 1: metric", "device, device 2: metric"],
    ],
    [
      "two buckets",
      "reading_bucket",
      ["count", "sum"],
      [firstHour, firstHour.replace("device = 1", "device = 2")],
      [`reading_bucket, ${hourRow}: sum`, `reading_bucket, ${hourRow.replace("device 1", "device 2")}: sum`],
    ],
  ])("finds the exchange of %s", async (_, table, columns, rows, wanted) => {
    expect(await found(exchanged(table, columns, rows))).toEqual(expect.arrayContaining(wanted));
  });

  it("finds an older head that was put back", async () => {
    const older = `update device_head set (seq, hash, time, good_seq, good_time, good_value, repeats, readings) =
      (select seq, hash, time, seq, time, value, 1, 19 from reading where device = 1 and seq = 19) where device = 1`;
    expect(await found(older)).toEqual(
      ["seq", "hash", "time", "readings", "good_seq", "good_time", "good_value"].map(
        (column) => `device_head, device 1: ${column}`,
      ),
    );
  });

  it("finds a batch that is not on chain although later ones are", async () => {
    const removed = `delete from anchor where stream = ${tide} and number = 1`;
    expect(await found(removed)).toContain("telemetry_batch, batch 1 of tide: head");
  });

  it("finds readings that no key on chain signed, whether they are in a batch or not", async () => {
    const other = `(select x, y from device_key where device = '${nameHex("panel")}')`;
    const changed = await found(`update device_key set (x, y) = ${other} where device = '${nameHex("lossy")}'`);
    expect(changed).toEqual([1, 2, 4, 5].map((seq) => `reading, device 3, number ${seq}: signature`));
  });

  it("lets a device's clock run ahead of a new key by as much as the ingest does", async () => {
    const earlier = (seconds: number) =>
      found(`update device_key set valid_from = valid_from - ${seconds}
        where device = '${nameHex("meter")}' and valid_from > 1`);
    expect(await earlier(120)).toEqual([]);
    expect(await earlier(240)).toEqual([9, 10].map((seq) => `reading, device 1, number ${seq}: signature`));
  });

  it("goes on after values that no device can have", async () => {
    for (const set of ["name = repeat('x', 60)", "metric = 'No!'", "exponent = 99"]) {
      expect((await found(`update device set ${set} where id = 7`)).length, set).toBeGreaterThan(0);
    }
    // Nothing of a device that is in no batch states its product.
    expect(await found("update device set short_id = repeat('y', 60) where id = 7")).toEqual([]);
    const huge = await copy("reading", "device = 1 and seq = 20", { seq: "9000000000000000000" });
    expect(await found(huge)).toContain("reading, device 1, number 9000000000000000000: seq");
    expect(await found("update device set name = 'No!' where id = 7")).toContain("device, device 7: name");
    expect(await found("update reading set prev = '\\x' where device = 7")).toContain(
      "reading, device 7, number 1: prev",
    );
  });
});
