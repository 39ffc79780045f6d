import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Busy, type Ingest } from "../../src/telemetry/ingest.ts";
import { telemetryRoutes } from "../../src/telemetry/routes.ts";
import { testApp } from "../support/app.ts";

let app: FastifyInstance;
let take: Ingest["take"];
let busy = 0;

beforeAll(async () => {
  const ingest: Ingest = { take: (...args) => take(...args), depth: () => 0, stop: async () => {} };
  const onBusy = () => {
    busy += 1;
  };
  ({ app } = await testApp({ features: [telemetryRoutes({ ingest, perMinute: 1_000, onBusy })] }));
});
afterAll(() => app.close());

const send = (payload: object) => app.inject({ method: "POST", url: "/api/v2/telemetry", payload });

it("POST telemetry passes each reading on as received, valid or not, and returns their outcomes", async () => {
  const given: unknown[] = [];
  take = async (readings) => {
    given.push(...readings);
    return { accepted: 1, duplicates: 0, rejected: [], server_time: 5 };
  };
  const response = await send({ readings: [{ seq: 1 }, "no reading"] });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ data: { accepted: 1, duplicates: 0, rejected: [], server_time: 5 } });
  expect(given).toEqual([{ seq: 1 }, "no reading"]);
});

it.each([
  ["a character no database takes", String.raw`{"device":"a\u0000b"}`],
  ["a name that means something to programs", '{"__proto__":{"device":"a"},"constructor":{"prototype":1}}'],
])("POST telemetry passes on the valid readings beside one with %s", async (_what, bad) => {
  const given: unknown[] = [];
  take = async (readings) => {
    given.push(...readings);
    return { accepted: 1, duplicates: 0, rejected: [], server_time: 5 };
  };
  const headers = { "content-type": "application/json" };
  const payload = `{"readings":[${bad},{"seq":1}]}`;
  const response = await app.inject({ method: "POST", url: "/api/v2/telemetry", headers, payload });
  expect(response.statusCode).toBe(200);
  expect(given).toHaveLength(2);
  expect(given[1]).toEqual({ seq: 1 });
  expect(Object.getPrototypeOf(given[0])).toBe(Object.prototype);
});

it.each(["", "[", '{"readings":[1]'])("POST telemetry rejects a body that is not JSON: %j", async (payload) => {
  const headers = { "content-type": "application/json" };
  const response = await app.inject({ method: "POST", url: "/api/v2/telemetry", headers, payload });
  expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
});

it("POST telemetry rejects JSON that is nested too deeply", async () => {
  const headers = { "content-type": "application/json" };
  const payload = `{"readings":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`;
  take = async () => ({ accepted: 0, duplicates: 0, rejected: [], server_time: 5 });
  const response = await app.inject({ method: "POST", url: "/api/v2/telemetry", headers, payload });
  expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
});

it("POST telemetry rejects a whole call while too much waits, and says when to retry", async () => {
  take = () => Promise.reject(new Busy("full"));
  const response = await send({ readings: [{ seq: 1 }] });
  expect(response.statusCode).toBe(503);
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
  expect(busy).toBe(1);
});

it.each([
  ["no readings", { readings: [] }],
  ["more than 500", { readings: Array.from({ length: 501 }, () => 1) }],
  ["something else", { messages: [] }],
])("POST telemetry rejects a call with %s", async (_what, payload) => {
  take = () => Promise.reject(new Error("must not be asked"));
  const response = await send(payload);
  expect(response.statusCode).toBe(400);
  expect(response.json().error_code).toBe("validation_error");
});
