import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { noReading } from "@aqua/sdk/proofs/reading";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serverIncome } from "../src/fleet/serverIncome.ts";
import type { IncomeSource } from "../src/operator.ts";

const DAY = 86_400;
const NOW = 1_795_300_000;
const due = { from: NOW - DAY, to: NOW, assets: 1n, closed: false };
const head = `0x${"5e".repeat(32)}`;
const anchor = { number: 7, head, block: 1, time: 1 };

let server: Server;
let income: IncomeSource;
let asked: string | undefined;
let answer: { status: number; data: unknown };

beforeAll(async () => {
  server = createServer((request, response) => {
    asked = request.url;
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: answer.data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  income = serverIncome(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => server.close());

it("serverIncome reports the income that the server has recomputed, to the last unit, under the head it names", async () => {
  answer = { status: 200, data: { to: (NOW - 30) * 1_000, expected: "91.832716", anchor } };
  expect(await income("sahel-solar", due)).toEqual({ gain: 91_832_716n, asOf: NOW - 30, evidence: head });
  expect(asked).toBe("/api/v2/product/sahel-solar/income/next");
});

it("serverIncome waits while nothing new is anchored, and while the server is down or rejects calls", async () => {
  answer = { status: 200, data: { to: null, expected: null, anchor } };
  expect(await income("sahel-solar", due)).toBeNull();
  answer = { status: 503, data: undefined };
  expect(await income("sahel-solar", due)).toBeNull();
  expect(await serverIncome("http://127.0.0.1:9")("sahel-solar", due)).toBeNull();
});

it("serverIncome reports zero income on time for a closed product, and after a delay for one without readings", async () => {
  answer = { status: 200, data: { to: null, expected: null, anchor } };
  const nothing = { gain: 0n, asOf: NOW, evidence: head };
  expect(await income("lofoten-tidal", { ...due, closed: true })).toEqual(nothing);
  expect(await income("sahel-solar", { ...due, from: NOW - 6 * DAY })).toEqual(nothing);
  answer = { status: 200, data: { to: null, expected: null, anchor: null } };
  expect(await income("lofoten-tidal", { ...due, closed: true })).toEqual({ ...nothing, evidence: noReading });
});
