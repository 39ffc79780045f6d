import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import type { Performance } from "@aqua/sdk/api/product";
import type { Fleet, IncomeCheck, IncomeNext, IncomeSeries } from "@aqua/sdk/api/telemetry";
import { and, eq, lt } from "drizzle-orm";
import type { Hex } from "viem";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { productState } from "../../src/indexer/schema.ts";
import { reading } from "../../src/telemetry/schema.ts";
import { withDatabase } from "../support/databases.ts";
import {
  batch,
  CHAIN,
  type Endpoint,
  type Enrolled,
  enrol,
  indexChain,
  listProduct,
  NOW,
  openEndpoint,
  putVault,
  type ReadingRow,
  record,
  report,
  zeros,
} from "./rows.ts";

const DAY = 86_400;
/** Unix seconds. */
const START = Math.floor(NOW / 1_000) - 10 * DAY;
const HOUR = 3_600;
const hash = (fill: string): Hex => `0x${fill.repeat(32)}`;

const reason = "The insurer paid an advance.";
const document = (income: object | null, other: object[] = []): ProductDocument =>
  productDocument.parse({
    short_id: "sahel-solar",
    name: "Sahel Solar",
    summary: "Pumps.",
    asset_class: "Irrigation",
    location: { name: "Niger", country: "NE", latitude: 13.5, longitude: 2.1 },
    image: "sahel-solar.svg",
    description: ["Water."],
    yield_source: ["Sold."],
    evidence: [],
    income,
    other_income: other,
    holder: { name: "Aqua", role: "Owner", country: "NE" },
    risks: [{ title: "Drought", text: "None." }],
    translations: {
      "fr-FR": { name: "Solaire du Sahel", ...(other.length > 0 && { other_income: [{ reason: "Une avance." }, {}] }) },
    },
  });
const terms = { id: "water-sold", version: 1, price: "0.40", share: "0.5", financed: "1000" };
const documents = new Map<Hex, ProductDocument>([
  [hash("01"), document(terms)],
  [hash("02"), document({ ...terms, price: "0.80" })],
  [hash("03"), document(null)],
  [
    hash("04"),
    document(terms, [
      { amount: "2.50", reason },
      { amount: "0.0000001", reason: "Finer than the asset." },
    ]),
  ],
  [hash("05"), document({ ...terms, id: "energy-sold" })],
]);

/** Hourly readings, each 2.50 m³ above the previous one. */
const hourly = (count: number, from = START): ReadingRow[] =>
  Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    time: (from + index * HOUR) * 1_000,
    value: 10_000n + BigInt(index) * 250n,
  }));

withDatabase("the income of a product by its readings", (open) => {
  let db: Database;
  let door: Endpoint;
  let number = 0;
  beforeAll(async () => {
    db = await open();
    door = await openEndpoint(db, documents);
    await indexChain(db);
  });

  /** A product that holds 800 from its creation on and reports by the document with this hash. */
  async function product(shortId: string, metadataHash: Hex = hash("01")) {
    number += 1;
    const vault = await listProduct(db, shortId, { number: number * 100, created: START, metadataHash });
    const held = { settled: 800_000_000n, deposited: 800_000_000n, supply: 800_000_000_000_000n };
    await putVault(db, {
      ...held,
      product: vault,
      block: number * 100 + 1,
      logIndex: 0,
      time: START,
      reportAsOf: START,
    });
    const meter = (name: string) => enrol(db, `${shortId}-${name}`, "volume", { shortId });
    const anchored = (of: number, parts: [Enrolled, number, number][]) =>
      batch(db, shortId, of, parts, number * 100 + 10 + of);
    const told = (index: number, hours: number, delta: bigint, root?: Hex) =>
      report(
        db,
        vault,
        {
          block: number * 100 + 50 + index,
          time: START + hours * HOUR + 600,
          asOf: START + hours * HOUR,
          delta,
          ...(root ? { root } : {}),
        },
        held,
      );
    const check = (of: Hex) => door.get<IncomeCheck>(`product/${shortId}/income/${of}`);
    const next = () => door.get<IncomeNext>(`product/${shortId}/income/next`);
    return { vault, meter, anchored, told, check, next, held, block: number * 100 };
  }

  it("is computed from the registers at both ends of a report's window, rounded down", async () => {
    const { meter, anchored, told, check } = await product("plain");
    const [east, west] = [await meter("east"), await meter("west")];
    await record(db, east, hourly(30));
    await record(db, west, hourly(30, START + 60));
    const head = await anchored(1, [
      [east, 1, 25],
      [west, 1, 24],
    ]);
    // 117.5 m³: 24 hours of one register, and 23 of the other, which is read a minute later and began within the window.
    const found = await check(await told(1, 24, 18_800_000n, head));
    expect(found).toMatchObject({
      report: { from: START * 1_000, to: (START + 24 * HOUR) * 1_000, delta: "18.800000" },
      metric: { id: "water-sold", register: "volume", unit: "m³", price: "0.40" },
      counted: "117.500000000000000000",
      proceeds: "47.000000",
      assets: "800.000000",
      expected: "18.800000",
      other: "0.000000",
      verdict: "equal",
      anchor: { number: 1, head },
    });
    expect(found.devices).toMatchObject([
      {
        name: "plain-east",
        counted: "60.000000000000000000",
        first: { seq: 1, value: "100.00", batch: 1 },
        last: { seq: 25, value: "160.00", batch: 1 },
      },
      { name: "plain-west", first: { seq: 1 }, last: { seq: 24, value: "157.50" } },
    ]);
  });

  it("is compared with reports of more, less or a loss, and a report without one of our batches is unsupported", async () => {
    const { meter, anchored, told, check, next } = await product("verdicts");
    const only = await meter("only");
    await record(db, only, hourly(100));
    const head = await anchored(1, [[only, 1, 100]]);
    // Each day counts 60 m³, which earn 24. With half financed and 800 of 1000 held, 24 · 0.5 · 0.8 = 9.6.
    expect(await check(await told(1, 24, 9_600_001n, head))).toMatchObject({ verdict: "more", other: "0.000001" });
    expect(await check(await told(2, 48, 9_599_999n, head))).toMatchObject({ verdict: "less", other: "-0.000001" });
    expect(await check(await told(3, 72, -5_000_000n, head))).toMatchObject({ verdict: "loss", expected: "9.600000" });
    for (const root of [zeros, hash("99")])
      expect(await check(await told(root === zeros ? 4 : 5, root === zeros ? 80 : 90, 1n, root))).toMatchObject({
        verdict: "no_anchor",
        anchor: null,
        devices: [],
        counted: null,
        expected: null,
        other: null,
      });
    expect(await next()).toMatchObject({ from: (START + 90 * HOUR) * 1_000, verdict: "ready" });
  });

  it("has the document's reason for an amount without a meter if the document names exactly that amount", async () => {
    const { meter, anchored, told } = await product("advance", hash("04"));
    const only = await meter("only");
    await record(db, only, hourly(100));
    const head = await anchored(1, [[only, 1, 100]]);
    const [one, two] = [await told(1, 24, 12_100_000n, head), await told(2, 48, 12_100_001n, head)];
    const check = (of: Hex, query = "") => door.get<IncomeCheck>(`product/advance/income/${of}${query}`);
    expect(await check(one)).toMatchObject({ verdict: "more", other: "2.500000", other_reason: reason });
    expect(await check(one, "?lang=fr-FR")).toMatchObject({ other_reason: "Une avance." });
    expect(await check(two)).toMatchObject({ verdict: "more", other: "2.500001", other_reason: null });
    const { items } = await door.get<IncomeSeries>("product/advance/income?range=all&lang=fr-FR");
    expect(items).toMatchObject([
      { other: "2.500000", other_reason: "Une avance." },
      { other: "2.500001", other_reason: null },
    ]);
  });

  it("includes readings that were anchored after a report once, in the next report", async () => {
    const { meter, anchored, told, check } = await product("late");
    const only = await meter("only");
    await record(db, only, hourly(49));
    const first = await anchored(1, [[only, 1, 20]]);
    const second = await anchored(2, [[only, 21, 49]]);
    const one = await check(await told(1, 24, 0n, first));
    const two = await check(await told(2, 48, 0n, second));
    expect([one.counted, two.counted]).toEqual(["47.500000000000000000", "72.500000000000000000"]);
    expect(two.devices[0]?.first).toMatchObject({ seq: 20, batch: 1 });
  });

  it("excludes flawed readings and a register that had not begun", async () => {
    const { meter, anchored, told, check } = await product("flawed");
    const [one, later] = [await meter("one"), await meter("two")];
    const readings = hourly(25);
    await record(db, one, [
      ...readings.slice(0, 24),
      { ...(readings[24] as ReadingRow), value: 9n, flaw: "backwards" },
    ]);
    await record(db, later, hourly(3, START + 30 * HOUR));
    const head = await anchored(1, [
      [one, 1, 25],
      [later, 1, 3],
    ]);
    const found = await check(await told(1, 24, 1n, head));
    expect(found.devices).toMatchObject([{ last: { seq: 24 }, counted: "57.500000000000000000" }]);
  });

  it("is unknown if readings of a register are in no batch up to the head", async () => {
    const { meter, anchored, told, check } = await product("unknown");
    const [one, unanchored] = [await meter("one"), await meter("two")];
    await record(db, one, hourly(25));
    await record(db, unanchored, hourly(25));
    const head = await anchored(1, [[one, 1, 25]]);
    const found = await check(await told(1, 24, 1n, head));
    expect(found).toMatchObject({ verdict: "no_readings", counted: null, proceeds: null, expected: null });
    expect(found.devices).toMatchObject([{ counted: "60.000000000000000000" }, { last: null, counted: null }]);
  });

  it("does not refute a report whose readings were deleted for their age, and says so", async () => {
    const { meter, anchored, told, check, next } = await product("dropped");
    const [old, ended] = [await meter("old"), await meter("ended")];
    await record(db, old, hourly(97));
    await record(db, ended, hourly(20));
    const head = await anchored(1, [
      [old, 1, 97],
      [ended, 1, 20],
    ]);
    const hashes: Hex[] = [];
    for (const day of [1, 2, 3]) hashes.push(await told(day, day * 24, day === 2 ? -1n : 1n, head));
    const drop = (one: Enrolled, before: number) =>
      db.orm.delete(reading).where(and(eq(reading.device, one.id), lt(reading.seq, before)));
    const answers = () => Promise.all(hashes.map(check));
    expect(await answers()).toMatchObject([
      { verdict: "less", counted: "107.500000000000000000", retained_since: null },
      { verdict: "loss", counted: "60.000000000000000000", retained_since: null },
      { verdict: "less", counted: "60.000000000000000000", retained_since: null },
    ]);
    // Drops all readings of the register that ended in the first window, and those of the other up to the second window.
    await drop(ended, 30);
    await drop(old, 40);
    const since = { retained_since: (START + 39 * HOUR) * 1_000 };
    expect(await answers()).toMatchObject([
      { verdict: "not_kept", counted: null, expected: null, other: null, ...since },
      { verdict: "loss", counted: null, ...since },
      { verdict: "less", counted: "60.000000000000000000", retained_since: null },
    ]);
    expect(await next()).toMatchObject({ verdict: "ready", counted: "60.000000000000000000" });
    // A register was silent for longer than readings are stored, so its reading at the window's start is also dropped.
    await drop(old, 97);
    expect(await check(hashes[2] ?? hash("99"))).toMatchObject({ verdict: "not_kept" });
    expect(await next()).toMatchObject({ verdict: "not_kept", expected: null });
    await drop(old, 100);
    expect(await check(hashes[2] ?? hash("99"))).toMatchObject({ verdict: "not_kept", retained_since: null });
  });

  it("distinguishes deleted readings from readings that are missing for another reason", async () => {
    const { meter, anchored, told, check } = await product("mixed");
    const [old, unanchored] = [await meter("old"), await meter("unanchored")];
    await record(db, old, hourly(60));
    await record(db, unanchored, hourly(60));
    const head = await anchored(1, [[old, 1, 60]]);
    const of = await told(1, 24, 1n, head);
    await db.orm.delete(reading).where(and(eq(reading.device, old.id), lt(reading.seq, 30)));
    expect(await check(of)).toMatchObject({ verdict: "no_readings", counted: null });
  });

  /** Registers another document, `at` blocks after the product's first one. */
  const rename = ({ vault, block }: Awaited<ReturnType<typeof product>>, at: number, metadataHash: Hex) =>
    db.orm.insert(productState).values({
      chainId: CHAIN,
      block: block + at,
      logIndex: 0,
      time: START,
      product: vault,
      status: 0,
      metadataHash,
    });

  it("uses price and share of the document that the registry named at the time of the report", async () => {
    const repriced = await product("repriced");
    const { meter, anchored, told, check } = repriced;
    const only = await meter("only");
    await record(db, only, hourly(80));
    const head = await anchored(1, [[only, 1, 80]]);
    const one = await told(1, 24, 0n, head);
    await rename(repriced, 52, hash("02"));
    const two = await told(3, 48, 0n, head);
    await rename(repriced, 54, hash("03"));
    const three = await told(5, 72, 0n, head);
    expect(await check(one)).toMatchObject({ expected: "9.600000" });
    expect(await check(two)).toMatchObject({ expected: "19.200000" });
    expect(await check(three)).toMatchObject({ metric: null, verdict: "no_metric", expected: null });
  });

  it("uses the same document in the list of reports as on the page of a report", async () => {
    const relisted = await product("relisted");
    const { meter, anchored, told, check } = relisted;
    const only = await meter("only");
    await record(db, only, hourly(120));
    const head = await anchored(1, [[only, 1, 120]]);
    const hashes = [await told(1, 24, 9_600_000n, head)];
    await rename(relisted, 52, hash("03"));
    hashes.push(await told(3, 48, 1n, head));
    await rename(relisted, 54, hash("02"));
    hashes.push(await told(5, 72, 19_200_000n, head));
    const { items, metric } = await door.get<IncomeSeries>("product/relisted/income?range=all");
    expect(metric).toMatchObject({ price: "0.80" });
    expect(items).toMatchObject([
      { counted: "60.000000000000000000", proceeds: "24.000000", expected: "9.600000", other: "0.000000" },
      { counted: null, proceeds: null, expected: null, other: null },
      { counted: "60.000000000000000000", proceeds: "48.000000", expected: "19.200000", other: "0.000000" },
    ]);
    for (const [index, of] of hashes.entries()) {
      const { counted, proceeds, expected, other } = await check(of);
      expect(items[index]).toMatchObject({ counted, proceeds, expected, other });
    }
  });

  it("excludes counts in another unit than the metric from the list", async () => {
    const rebuilt = await product("rebuilt");
    const { meter, anchored, told, check } = rebuilt;
    const [water, power] = [await meter("water"), await enrol(db, "rebuilt-meter", "energy", { shortId: "rebuilt" })];
    await record(db, water, hourly(80));
    await record(db, power, hourly(80));
    const head = await anchored(1, [
      [water, 1, 80],
      [power, 1, 80],
    ]);
    const one = await told(1, 24, 9_600_000n, head);
    await rename(rebuilt, 52, hash("05"));
    await told(3, 48, 0n, head);
    const { items, metric } = await door.get<IncomeSeries>("product/rebuilt/income?range=all");
    expect(metric).toMatchObject({ unit: "kWh" });
    expect(items).toMatchObject([
      { counted: null, expected: "9.600000", other: "0.000000" },
      { counted: expect.any(String), expected: expect.any(String) },
    ]);
    expect(await check(one)).toMatchObject({ counted: "60.000000000000000000", metric: { unit: "m³" } });
  });

  it("uses the total assets at the end of the window, including streamed income", async () => {
    const { vault, meter, anchored, told, check, held, block } = await product("streamed");
    const only = await meter("only");
    await record(db, only, hourly(30));
    const head = await anchored(1, [[only, 1, 25]]);
    await putVault(db, {
      ...held,
      product: vault,
      block: block + 2,
      logIndex: 0,
      time: START + 12 * HOUR,
      reportAsOf: START,
      streaming: 200_000_000n,
      streamStart: START + 12 * HOUR,
      streamEnd: START + 36 * HOUR,
    });
    expect(await check(await told(1, 24, 0n, head))).toMatchObject({ assets: "900.000000", expected: "10.800000" });
  });

  it("uses the total assets before a report of the same second pays the queue", async () => {
    const { vault, meter, anchored, check, held, block } = await product("served");
    const only = await meter("only");
    await record(db, only, hourly(30));
    const head = await anchored(1, [[only, 1, 25]]);
    const moment = START + 24 * HOUR;
    // The queue is paid in the report's transaction, just before the report.
    const left = { ...held, settled: 300_000_000n };
    await putVault(db, { ...left, product: vault, block: block + 60, logIndex: 3, time: moment, reportAsOf: START });
    const of = { block: block + 60, time: moment, asOf: moment, delta: 9_600_000n, root: head };
    const hash = await report(db, vault, of, left);
    expect(await check(hash)).toMatchObject({ assets: "800.000000", expected: "9.600000", verdict: "equal" });
    const { items } = await door.get<IncomeSeries>("product/served/income?range=all");
    expect(items).toMatchObject([{ expected: "9.600000", delta: "9.600000" }]);
  });

  it("states the income that can be reported next, and when there is none", async () => {
    const { meter, anchored, told, next, vault, held, block } = await product("next");
    expect(await next()).toMatchObject({ verdict: "no_anchor", to: null, anchor: null, expected: null, most: null });
    const only = await meter("only");
    await record(db, only, hourly(60));
    const first = await anchored(1, [[only, 1, 25]]);
    await putVault(db, {
      ...held,
      product: vault,
      block: block + 2,
      logIndex: 0,
      time: START,
      reportAsOf: START,
      maxRate: 5n * 10n ** 18n,
    });
    expect(await next()).toMatchObject({
      from: START * 1_000,
      to: (START + 24 * HOUR) * 1_000,
      verdict: "ready",
      expected: "9.600000",
      assets: "800.000000",
      anchor: { number: 1, head: first },
      most: "10.958904",
    });
    await told(1, 24, 9_600_000n, first);
    expect(await next()).toMatchObject({ verdict: "no_readings", to: null, devices: [], anchor: { number: 1 } });
    // The batch is built but not on chain yet.
    await batch(db, "next", 2, [[only, 26, 49]], null);
    expect(await next()).toMatchObject({ verdict: "no_readings", to: null });
  });

  it("lists the reports of a range with the counts and the batch of each", async () => {
    const { meter, anchored, told } = await product("series");
    const only = await meter("only");
    await record(db, only, hourly(80));
    const head = await anchored(1, [[only, 1, 80]]);
    const hashes = [await told(1, 24, 9_600_000n, head), await told(2, 60, 7n, zeros), await told(3, 72, 8n, head)];
    const { items, metric } = await door.get<IncomeSeries>("product/series/income?range=all");
    expect(metric?.unit).toBe("m³");
    expect(items).toMatchObject([
      {
        from: START * 1_000,
        hash: hashes[0],
        counted: "60.000000000000000000",
        expected: "9.600000",
        delta: "9.600000",
      },
      { hash: hashes[1], counted: null, expected: null, delta: "0.000007" },
      { hash: hashes[2], counted: "30.000000000000000000", expected: "4.800000" },
    ]);
    expect((await door.get<IncomeSeries>("product/series/income?range=7d")).items).toHaveLength(1);
    const { reports } = await door.get<Performance>("product/series/performance?range=all");
    expect(reports.map(({ anchored: batch }) => batch)).toEqual([{ number: 1 }, null, { number: 1 }]);
  });

  it("has no report of another product or transaction", async () => {
    const { told } = await product("lonely");
    const of = await told(1, 24, 1n);
    expect(await door.refusal(`product/none/income/${of}`)).toMatchObject({ error_code: "pool_not_found" });
    expect(await door.refusal(`product/plain/income/${of}`)).toMatchObject({ status: 404, error_code: "not_found" });
    expect(await door.refusal("product/plain/income/0x12")).toMatchObject({ status: 400 });
  });

  it("has the product's feed with a name in the reader's language if there is one", async () => {
    await product("tongues");
    await enrol(db, "tongues-meter", "volume", { shortId: "tongues" });
    const name = async (query: string) =>
      (await door.get<Fleet>(`transparency/devices${query}`)).feeds.find(({ short_id }) => short_id === "tongues")
        ?.name;
    expect(await name("?lang=fr-FR")).toBe("Solaire du Sahel");
    expect(await name("?lang=ko-KR")).toBe("Sahel Solar");
    expect(await name("")).toBe("Sahel Solar");
  });
});
