import { DAY_MS } from "@aqua/sdk/durations";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runAqua } from "../support/aqua.ts";

const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const hash = (byte: string) => `0x${byte.repeat(32)}`;
const paper = (title: string, expires: string | null) => ({
  ...{ title, issuer: "Bureau", issued: "2026-01-01", expires, hash: hash("aa") },
});
const evidence: Record<string, object[]> = {
  "sahel-solar": [paper("Permit", null), paper("Inspection", day(30))],
  "seine-hydro": [paper("Licence", day(-2)), paper("Insurance", day(0))],
};
const app = Fastify();
let url: string;

beforeAll(async () => {
  const answer = (data: unknown) => ({ data });
  app.get<{ Querystring: { page: string } }>("/api/v2/product/list", async ({ query }) => {
    const ids = Object.keys(evidence);
    // One product a page: the command must read all pages.
    const items = ids.slice(Number(query.page) - 1, Number(query.page)).map((short_id) => ({ short_id }));
    return answer({ items, total: ids.length });
  });
  app.get<{ Params: { id: string } }>("/api/v2/product/:id", async ({ params }, reply) => {
    const found = evidence[params.id];
    if (found) return answer({ evidence: found });
    return reply.code(404).send({ error_code: "pool_not_found", message: `No product ${params.id}`, request_id: "r" });
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app.close());

const list = (...args: string[]) => runAqua(["evidence", "list", ...args], { AQUA_URL: url });

it("aqua evidence list puts expired documents first and ends with 1 while there is one", async () => {
  const { code, out, error } = await list();
  expect([code, error]).toEqual([1, ""]);
  const rows = out.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ["PRODUCT", "DOCUMENT", "ISSUER", "HASH", "EXPIRES", "DAYS LEFT"],
    ["seine-hydro", "Licence", "Bureau", hash("aa"), day(-2), "EXPIRED"],
    ["seine-hydro", "Insurance", "Bureau", hash("aa"), day(0), "0"],
    ["sahel-solar", "Inspection", "Bureau", hash("aa"), day(30), "30"],
    ["sahel-solar", "Permit", "Bureau", hash("aa"), "never", "—"],
  ]);
});

it("aqua evidence list of one product answers with data, and with success if no document has expired", async () => {
  const { code, out } = await list("sahel-solar", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([
    { short_id: "sahel-solar", ...paper("Inspection", day(30)), days_left: 30 },
    { short_id: "sahel-solar", ...paper("Permit", null), days_left: null },
  ]);
});

it("aqua evidence list says what the server refuses, and that a server does not answer", async () => {
  expect(await list("sahel")).toMatchObject({ code: 1, error: expect.stringContaining("No product sahel") });
  const nowhere = await runAqua(["evidence", "list"], { AQUA_URL: "http://127.0.0.1:1" });
  expect(nowhere).toMatchObject({ code: 1, error: expect.stringContaining("does not answer; set AQUA_URL") });
});
