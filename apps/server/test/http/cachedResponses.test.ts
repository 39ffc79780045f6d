import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ApiError } from "../../src/errors.ts";
import { encodingFor } from "../../src/http/cachedResponses.ts";
import { type TestApp, testApp } from "../support/app.ts";

let door: TestApp;
/** Version of the tables, the computed responses, and whether computing fails. */
let version: string;
let computed: string[];
let fails: boolean;

const feature: FastifyPluginAsyncZod = async (app) => {
  app.get(
    "/kept/:id",
    {
      config: { cached: { unless: ["q"] } },
      schema: {
        params: z.object({ id: z.string() }),
        querystring: z.object({ page: z.coerce.number().default(1), q: z.string().optional() }),
        response: { 200: z.object({ data: z.string() }) },
      },
    },
    async ({ params, query }) => {
      computed.push(`${params.id} ${query.page}`);
      if (fails) throw new ApiError("chain_unavailable", "Not yet");
      return { data: `${params.id} ${query.page} at ${version} ${"water ".repeat(500)}` };
    },
  );
};

const ofTime: FastifyPluginAsyncZod = async (app) => {
  app.get("/now", { config: { cached: { unless: [], forMs: 5_000 } } }, async () => {
    computed.push("now");
    return { data: version };
  });
};

beforeEach(async () => {
  version = "one";
  computed = [];
  fails = false;
  door = await testApp({ features: [feature, ofTime], readVersion: async () => version });
});
afterEach(async () => {
  vi.useRealTimers();
  await door.app.close();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  door.app.inject({ url: `/api/v2/kept/${path}`, headers });

describe("a cached response", () => {
  it("is computed once per version and query in any spelling", async () => {
    const first = await ask("a");
    const again = await ask("a?page=1&unknown=2");
    expect(again.body).toBe(first.body);
    await ask("a?page=2");
    expect(computed).toEqual(["a 1", "a 2"]);
    version = "two";
    expect((await ask("a")).body).toContain("a 1 at two");
    expect(computed).toEqual(["a 1", "a 2", "a 1"]);
  });

  it("is sent again only to clients without it", async () => {
    const { headers, statusCode } = await ask("a");
    expect([statusCode, headers["cache-control"], headers.vary]).toEqual([200, "no-cache", "accept-encoding"]);
    const etag = String(headers.etag);
    for (const named of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const known = await ask("a", { "if-none-match": named });
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, "", etag]);
    }
    version = "two";
    expect((await ask("a", { "if-none-match": etag })).statusCode).toBe(200);
  });

  it("is compressed in an encoding that its caller accepts", async () => {
    const { body } = await ask("a");
    const brotli = await ask("a", { "accept-encoding": "gzip, br" });
    const gzip = await ask("a", { "accept-encoding": "gzip, br;q=0" });
    expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(body);
    expect(brotli.headers["content-length"]).toBe(String(brotli.rawPayload.length));
    expect(computed).toEqual(["a 1"]);
  });

  it("answers HEAD with its length and without its body", async () => {
    const { body } = await ask("a");
    const head = await door.app.inject({ method: "HEAD", url: "/api/v2/kept/a" });
    expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([200, String(body.length), ""]);
  });

  it("has the headers of every response", async () => {
    const { headers } = await ask("a");
    for (const name of ["content-security-policy", "permissions-policy", "x-ratelimit-remaining"])
      expect(headers).toHaveProperty(name);
  });
});

it("KeptAnswers compute an answer that depends on the clock once per interval, and at once after the tables change", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  const now = async () => (await door.app.inject("/api/v2/now")).json().data;
  expect([await now(), await now()]).toEqual(["one", "one"]);
  expect(computed).toEqual(["now"]);
  version = "two";
  expect(await now()).toBe("two");
  expect(computed).toEqual(["now", "now"]);
  vi.setSystemTime(1_004_999);
  expect(await now()).toBe("two");
  vi.setSystemTime(1_005_000);
  expect(await now()).toBe("two");
  expect(computed).toEqual(["now", "now", "now"]);
});

it("an answer to a query with personal parameters is neither stored nor cacheable", async () => {
  for (let time = 0; time < 2; time += 1) {
    const { headers } = await ask("a?q=sun");
    expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
  }
  expect(computed).toEqual(["a 1", "a 1"]);
});

it("a rejection is not stored", async () => {
  fails = true;
  const refused = await ask("a");
  expect([refused.statusCode, refused.headers["cache-control"], refused.headers.etag]).toEqual([
    503,
    "no-store",
    undefined,
  ]);
  expect((await ask("a?page=x")).statusCode).toBe(400);
  fails = false;
  expect((await ask("a")).statusCode).toBe(200);
});

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.001", "br"],
  ["GZIP", "gzip"],
  ["br;q=0.000, gzip; q=0", null],
  ["identity", null],
  ["", null],
  [undefined, null],
])("Accept-Encoding %s selects %s", (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});
