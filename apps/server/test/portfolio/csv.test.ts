import type { Statement } from "@aqua/sdk/api/portfolio";
import { parseUnits } from "@aqua/sdk/maths/units";
import { expect, it } from "vitest";
import { statementCsv, statementFileName } from "../../src/portfolio/csv.ts";

const wallet = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
const nothing = { shares: "0.000000000000", principal: null, claimable: "0.000000", value: "0.000000" };
const held = { shares: "100.000000000000", principal: null, claimable: "0.000000", value: "100.000000" };

function statementOf(change: Partial<Statement["products"][number]> = {}): Statement {
  const line = {
    time: 1_750_000_000_000,
    block: 7,
    log_index: 3,
    hash: `0x${"ab".repeat(32)}`,
    wallet,
    kind: "deposit" as const,
    deposit_id: null,
    amount: "100.000000",
    shares: "100.000000000000",
    price: "1.000000000000000000",
    fee: "0.000000",
    description: "Deposit into Aqua Solar",
    balance: held,
    paid_in: "100.000000",
    paid_out: "0.000000",
    earned: "0.000000",
  };
  const product = {
    short_id: "solar",
    name: "Solar",
    type: "demand_deposit" as const,
    chain_id: 1,
    symbol: "tUSD",
    decimals: 6,
    opening: nothing,
    closing: { ...held, value: "101.500000" },
    lines: [line],
    paid_in: "100.000000",
    paid_out: "0.000000",
    earned: "1.500000",
    ...change,
  };
  return {
    wallets: [wallet],
    from: 1_749_945_600_000,
    to: 1_750_032_000_000,
    products: [product],
    as_of: { chain_id: 1, block: 9, time: 1_750_100_000_000, stale: false },
  };
}

/** Parses a table by RFC 4180. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.replace(/^\ufeff/, "").matchAll(cells)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

function records(csv: string): Record<string, string>[] {
  const [header = [], ...rows] = parse(csv);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
}

it("a statement's CSV has a header, a row per movement and balances before and after, and its columns add up", () => {
  const rows = records(statementCsv(statementOf()));
  expect(rows.map(({ row, time, value }) => [row, time, value])).toEqual([
    ["opening", "2025-06-15T00:00:00.000Z", "0.000000"],
    ["movement", "2025-06-15T15:06:40.000Z", "100.000000"],
    ["closing", "2025-06-16T00:00:00.000Z", "101.500000"],
  ]);
  const sum = (column: string) => rows.reduce((total, row) => total + parseUnits(row[column] || "0", 6), 0n);
  expect([sum("paid_in"), sum("paid_out"), sum("earned")]).toEqual([100_000_000n, 0n, 1_500_000n]);
  expect(rows[1]).toMatchObject({ wallet, kind: "deposit", amount: "100.000000", hash: `0x${"ab".repeat(32)}` });
  expect(new Set(parse(statementCsv(statementOf())).map((row) => row.length)).size).toBe(1);
});

it("a statement's CSV begins with the UTF-8 mark for spreadsheets, and ends every line as RFC 4180 requires", () => {
  const csv = statementCsv(statementOf({ name: "Énergie solaire 태양광" }));
  expect(csv.startsWith("\ufeffproduct,name,")).toBe(true);
  expect(csv.endsWith("\r\n")).toBe(true);
  expect(csv.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(records(csv)[0]?.name).toBe("Énergie solaire 태양광");
});

it("a statement's CSV quotes commas, quotes and line breaks of a name", () => {
  const name = 'Sun, "the" star\r\nof ours';
  expect(records(statementCsv(statementOf({ name })))[0]?.name).toBe(name);
});

it.each(["=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1"])(
  "a statement's CSV makes no spreadsheet run %j, and does not change a negative number",
  (name) => {
    const [opening, , closing] = records(
      statementCsv(statementOf({ name, symbol: name, closing: { ...held, value: "99.000000" }, earned: "-1.000000" })),
    );
    expect(opening?.name).toBe(`'${name}`);
    expect(opening?.symbol).toBe(`'${name}`);
    expect(closing?.earned).toBe("-1.000000");
  },
);

it("a statement's CSV has a file name with the wallet, the first day and the last day", () => {
  expect(statementFileName(statementOf())).toBe(
    "aqua-statement-0x09db0a93b389bef724429898f539aeb7ac2dd55f-2025-06-15-2025-06-15.csv",
  );
});
