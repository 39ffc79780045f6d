import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envelope } from "@aqua/sdk/api/envelope";
import type { FastifyInstance } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ApiError } from "../../src/errors.ts";
import { currentRequestId } from "../../src/requestId.ts";
import { answeringDatabase, liveStatus, localDeployment, testApp } from "../support/app.ts";

const feature: FastifyPluginAsyncZod = async (app) => {
  app.get("/broken", async () => {
    throw new Error("select secret from vault");
  });
  app.get("/missing", async () => {
    throw new ApiError("pool_not_found", "No product with that id");
  });
  app.get("/dishonest", { schema: { response: { 200: envelope(z.object({ n: z.number() })) } } }, async () => {
    return { data: { n: "secret text" } } as unknown as { data: { n: number } };
  });
  app.post("/echo", { schema: { body: z.object({ email: z.email() }) } }, async (request) => ({ data: request.body }));
  app.post("/any", { schema: { body: z.unknown() } }, async (request) => ({ data: request.body }));
  app.get("/long", async () => ({ data: "water ".repeat(1_000) }));
};

let app: FastifyInstance;
let logged: string[];
beforeEach(async () => {
  ({ app, logged } = await testApp({ features: [feature] }));
});
afterEach(() => app.close());

describe("rejections", () => {
  it("answer an unexpected failure without its text, and the log has it under the same request id", async () => {
    const response = await app.inject("/api/v2/broken");
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ error_code: "internal_error", request_id: expect.any(String) });
    expect(response.body).not.toMatch(/select|secret|stack| at /);
    expect(logged.find((line) => line.includes("select secret"))).toContain(response.json().request_id);
  });

  it("answer internal_error instead of a result that violates its schema", async () => {
    const response = await app.inject("/api/v2/dishonest");
    expect(response.statusCode).toBe(500);
    expect(response.json().error_code).toBe("internal_error");
    expect(response.body).not.toContain("secret");
  });

  it("have the code and the status of their error", async () => {
    const response = await app.inject("/api/v2/missing");
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      error_code: "pool_not_found",
      message: "No product with that id",
      request_id: expect.any(String),
    });
  });

  it("name the invalid field", async () => {
    const response = await app.inject({ method: "POST", url: "/api/v2/echo", payload: { email: "no" } });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error_code: "validation_error", details: [{ path: "email" }] });
  });

  it.each([
    [
      "a body that reaches for prototypes",
      { payload: '{"__proto__":{}}', headers: { "content-type": "application/json" } },
      400,
      "validation_error",
    ],
    ["malformed JSON", { payload: "{", headers: { "content-type": "application/json" } }, 400, "validation_error"],
    ["no body where one is needed", { headers: { "content-type": "application/json" } }, 400, "validation_error"],
    ["another kind of body", { payload: "<a/>", headers: { "content-type": "text/xml" } }, 400, "validation_error"],
    ["a body beyond 1 MiB", { payload: { email: "a".repeat(1_100_000) } }, 413, "payload_too_large"],
  ] as const)("report %s", async (_name, request, status, code) => {
    const response = await app.inject({ method: "POST", url: "/api/v2/echo", ...request });
    expect([response.statusCode, response.json().error_code]).toEqual([status, code]);
  });

  it.each(["/api/v2/nothing", "/api/v2", "/api", "/rpc/31337", "/api/v2/echo", "/api/v2/%E0%A4%A"])(
    "never answer GET %s with the web app",
    async (url) => {
      const response = await app.inject({ url, headers: { accept: "text/html" } });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.json().error_code).toMatch(/not_found|validation_error/);
    },
  );

  it("answer U+0000 in bodies and addresses, because no text of the database can contain it", async () => {
    const body = await app.inject({ method: "POST", url: "/api/v2/echo", payload: { email: "a\u0000@b.example" } });
    const path = await app.inject("/api/v2/network?x=a%00b");
    for (const response of [body, path]) {
      expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
      expect(response.json().message).toContain("U+0000");
    }
  });

  const nested = (depth: number) => `${"[".repeat(depth)}"]}"${"]".repeat(depth)}`;
  const postText = (url: string, payload: string) =>
    app.inject({ method: "POST", url, payload, headers: { "content-type": "application/json" } });

  it.each(["/api/v2/any", "/rpc/31337"])("report that JSON is nested too deep, to %s", async (url) => {
    for (const depth of [33, 100_000]) {
      const response = await postText(url, nested(depth));
      expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
      expect(response.json().message).toContain("within each other");
    }
  });

  it("do not apply to JSON that is nested 32 deep or has brackets in its texts", async () => {
    expect((await postText("/api/v2/any", nested(32))).statusCode).toBe(200);
    expect((await postText("/api/v2/any", JSON.stringify(`\\"${"[".repeat(100)}`))).statusCode).toBe(200);
  });
});

describe("a request id", () => {
  it("is the caller's, in the answer and in the log", async () => {
    const headers = { "x-request-id": "proxy-1.a_B" };
    const refused = await app.inject({ url: "/api/v2/missing", headers });
    expect(refused.json().request_id).toBe("proxy-1.a_B");
    expect(refused.headers["x-request-id"]).toBe("proxy-1.a_B");
    expect(JSON.parse(logged.at(-1) ?? "")).toMatchObject({ request_id: "proxy-1.a_B", route: "/api/v2/missing" });
    for (const url of ["/", "/live", "/api/v2/network", "/assets/none.js"]) {
      expect((await app.inject({ url, headers })).headers["x-request-id"]).toBe("proxy-1.a_B");
    }
  });

  it.each([
    ["", "empty"],
    ["forged\nline", "two lines"],
    ["forged'*/", "the end of a comment"],
    ["f".repeat(129), "too long"],
    ["forgé", "not ASCII"],
  ])("is a new one in place of %j (%s)", async (chosen) => {
    const { headers } = await app.inject({ url: "/api/v2/missing", headers: { "x-request-id": chosen } });
    expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });

  it("is known to the work of its request, also after a body was read, and to no other", async () => {
    const seen: (string | undefined)[] = [];
    const noting: FastifyPluginAsyncZod = async (scope) => {
      scope.post("/noted", async () => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(currentRequestId());
        return {};
      });
    };
    const { app: server } = await testApp({ features: [noting] });
    await server.listen({ port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v2/noted`;
    const ids = ["a", "b", "c"];
    const ask = (id: string) =>
      fetch(url, { method: "POST", headers: { "x-request-id": id }, body: "x".repeat(100_000) });
    for (const id of ids) expect((await ask(id)).status).toBe(200);
    expect(seen).toEqual(ids);
    expect(currentRequestId()).toBeUndefined();
    await server.close();
  });
});

describe("a host name", () => {
  const ask = (host: string, url = "/api/v2/network") => app.inject({ url, headers: { host, accept: "text/html" } });

  it.each([
    ["of a page that points its own name here", "attacker.example"],
    ["with our port", "attacker.example:8080"],
    ["that begins as ours does", "localhost.attacker.example"],
    ["that ends as ours does", "attackerlocalhost"],
    ["that looks like an address", "127.0.0.1.attacker.example"],
  ])("%s is rejected, for calls and pages", async (_name, host) => {
    for (const url of ["/api/v2/network", "/", "/rpc/31337", "/assets/main-4f3a2b1c.js"]) {
      const response = await ask(host, url);
      expect([response.statusCode, response.json().error_code]).toEqual([400, "validation_error"]);
      expect(response.json().message).toContain("host name");
      expect(response.headers["content-security-policy"]).toContain("default-src 'self'");
      expect(response.headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it.each(["localhost:8080", "LOCALHOST", "127.0.0.1:8080", "192.168.1.20:8080", "[::1]:8080", "[fe80::1]"])(
    "%s is served",
    async (host) => {
      expect((await ask(host)).statusCode).toBe(200);
    },
  );

  it("is valid if it is that of PUBLIC_URL or one of ALLOWED_HOSTS", async () => {
    const other = await testApp({ config: { publicUrl: "https://aqua.example", allowedHosts: ["aqua.internal"] } });
    const status = async (host: string) =>
      (await other.app.inject({ url: "/api/v2/network", headers: { host } })).statusCode;
    expect([await status("aqua.example"), await status("aqua.internal:8080")]).toEqual([200, 200]);
    expect([await status("www.aqua.example"), await status("internal")]).toEqual([400, 400]);
    await other.app.close();
  });

  it("is not checked for a probe", async () => {
    for (const url of ["/live", "/health", "/ready", "/metrics"])
      expect((await ask("aqua-pod-7", url)).statusCode).toBe(200);
    expect((await ask("aqua-pod-7", "/health/../api/v2/network")).statusCode).toBe(400);
  });

  it("is not read from a forwarding header without a trusted proxy", async () => {
    const headers = { host: "attacker.example", "x-forwarded-host": "localhost" };
    expect((await app.inject({ url: "/api/v2/network", headers })).statusCode).toBe(400);
  });
});

describe("headers", () => {
  it("contain a strict Content-Security-Policy without foreign hosts", async () => {
    const { headers } = await app.inject({ url: "/", headers: { accept: "text/html" } });
    expect(headers["content-security-policy"]).toBe(
      "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;connect-src 'self';" +
        "font-src 'self';frame-src 'none';frame-ancestors 'none';object-src 'none';base-uri 'none';form-action 'self'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["x-powered-by"]).toBeUndefined();
  });

  it("allow the relay only with a WalletConnect project, and contain HSTS only for an instance on https", async () => {
    const other = await testApp({
      config: { walletConnectProjectId: "0".repeat(32), publicUrl: "https://aqua.example" },
    });
    const { headers } = await other.app.inject("/api/v2/network");
    expect(headers["content-security-policy"]).toContain("connect-src 'self' wss://relay.walletconnect.org;");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    await other.app.close();
  });

  it("are on rejections, too", async () => {
    const { headers } = await app.inject("/api/v2/nothing");
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["cache-control"]).toBe("no-store");
  });
});

describe("the web app", () => {
  const html = { accept: "text/html,application/xhtml+xml" };

  it.each(["/", "/products", "/product/river", "/assets", "/no/such/page?x=1"])(
    "answers the navigation to %s",
    async (url) => {
      const response = await app.inject({ url, headers: html });
      expect(response.statusCode).toBe(200);
      expect(response.headers["content-type"]).toContain("text/html");
      expect(response.headers["cache-control"]).toBe("no-cache");
      expect(response.body).toContain("<title>Aqua</title>");
    },
  );

  it.each([
    ["a preview of a link", { accept: "*/*" }],
    ["a crawler that names text of any kind", { accept: "text/*;q=0.9" }],
    ["a caller that does not say what it takes", {}],
  ])("answers %s with the page", async (_name, headers) => {
    const response = await app.inject({ url: "/products", headers });
    expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  });

  it.each([
    ["a missing asset", { url: "/assets/gone-00000000.js", headers: html }],
    ["a missing file", { url: "/robots.txt", headers: html }],
    ["a call that wants no page", { url: "/products", headers: { accept: "application/json" } }],
    ["another method", { method: "POST" as const, url: "/products", headers: html }],
    ["a way out of the folder", { url: "/..%2f..%2fpackage.json", headers: html }],
    ["a dot file", { url: "/.env", headers: html }],
  ])("does not answer %s", async (_name, request) => {
    const response = await app.inject(request);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.statusCode).toBeLessThan(500);
    expect(response.headers["content-type"]).toContain("application/json");
  });

  it("lets browsers cache hashed assets for a year and revalidate all other files", async () => {
    const asset = await app.inject("/assets/main-4f3a2b1c.js");
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const icon = await app.inject("/favicon.svg");
    expect(icon.headers["cache-control"]).toBe("no-cache");
    const again = await app.inject({ url: "/favicon.svg", headers: { "if-none-match": String(icon.headers.etag) } });
    expect(again.statusCode).toBe(304);
  });

  it.each(["br", "gzip"])("is compressed with %s, and so are answers", async (encoding) => {
    for (const url of ["/assets/main-4f3a2b1c.js", "/api/v2/long"]) {
      const response = await app.inject({ url, headers: { "accept-encoding": encoding } });
      expect(response.headers["content-encoding"]).toBe(encoding);
      expect(response.headers.vary).toContain("accept-encoding");
    }
  });
});

it("the server sends the build's compressed files to clients that accept them, with the right headers for caches", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aqua-web-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "assets"));
  const [plain, compressed] = ["let a".repeat(400), "of the build"];
  await writeFile(join(folder, "assets/main-1.js"), plain);
  await writeFile(join(folder, "assets/main-1.js.br"), compressed);
  const { app } = await testApp({ config: { webDir: folder } });
  const ask = (encoding: string) => app.inject({ url: "/assets/main-1.js", headers: { "accept-encoding": encoding } });

  const br = await ask("gzip, deflate, br");
  expect(br.body).toBe(compressed);
  expect(br.headers["content-type"]).toContain("javascript");
  expect(br.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect([br.headers["content-encoding"], br.headers.vary]).toEqual(["br", "accept-encoding"]);
  const none = await ask("identity");
  expect(none.body).toBe(plain);
  expect([none.headers["content-encoding"], none.headers.vary]).toEqual([undefined, "accept-encoding"]);
  expect((await ask("gzip")).headers["content-encoding"]).toBe("gzip");
  await app.close();
});

describe("without a built web app", () => {
  it.each(["missing", "empty"])("the API serves and a page is not found (%s folder)", async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), "aqua-no-web-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const bare = await testApp({ config: { webDir: kind === "empty" ? folder : join(folder, "gone") } });
    const page = await bare.app.inject({ url: "/products", headers: { accept: "text/html" } });
    expect([page.statusCode, page.json().error_code]).toEqual([404, "not_found"]);
    expect((await bare.app.inject("/api/v2/network")).statusCode).toBe(200);
    await bare.app.close();
  });
});

describe("limits", () => {
  it("answer 429 with Retry-After if one address calls too often, and count each address separately", async () => {
    const { app: small } = await testApp({ config: { rateLimits: { api: 3, rpc: 3 }, trustedProxies: 1 } });
    const call = (ip: string) => small.inject({ url: "/api/v2/network", headers: { "x-forwarded-for": ip } });
    for (let n = 0; n < 3; n += 1) expect((await call("10.0.0.1")).statusCode).toBe(200);
    const refused = await call("10.0.0.1");
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error_code).toBe("too_many_requests");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await call("10.0.0.2")).statusCode).toBe(200);
    expect((await small.inject({ url: "/", headers: { accept: "text/html" } })).statusCode).toBe(200);
    await small.close();
  });

  it("ignore X-Forwarded-For without a trusted proxy", async () => {
    const { app: small } = await testApp({ config: { rateLimits: { api: 1, rpc: 1 } } });
    const call = (ip: string) => small.inject({ url: "/api/v2/network", headers: { "x-forwarded-for": ip } });
    expect((await call("10.0.0.1")).statusCode).toBe(200);
    expect((await call("10.0.0.2")).statusCode).toBe(429);
    await small.close();
  });

  it("answer 503 with Retry-After if one route is full, do not affect other routes, and recover", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow: FastifyPluginAsyncZod = async (scope) => {
      scope.get("/slow", async () => {
        await gate;
        return { data: true };
      });
    };
    const { app: busy } = await testApp({ features: [slow] });
    const waiting = Array.from({ length: 100 }, () => busy.inject("/api/v2/slow"));
    await new Promise((resolve) => setImmediate(resolve));
    const refused = await busy.inject("/api/v2/slow");
    expect(refused.statusCode).toBe(503);
    expect(refused.headers["retry-after"]).toBe("1");
    expect((await busy.inject("/api/v2/network")).statusCode).toBe(200);
    open();
    for (const response of await Promise.all(waiting)) expect(response.statusCode).toBe(200);
    expect((await busy.inject("/api/v2/slow")).statusCode).toBe(200);
    await busy.close();
  });
});

describe("operations", () => {
  it.each(["/live", "/health"])("%s names the running database and its consequences", async (url) => {
    const { data, ...health } = (await app.inject(url)).json();
    expect(data).toBeUndefined();
    expect(health).toMatchObject({
      status: "ok",
      database: "embedded",
      notes: [expect.stringContaining("DATABASE_URL")],
      degraded: [],
    });
  });

  it("/ready is 503 from the moment at which a stop is requested", async () => {
    let stopping = false;
    const { app: server } = await testApp({ isStopping: () => stopping });
    expect((await server.inject("/ready")).statusCode).toBe(200);
    stopping = true;
    const response = await server.inject("/ready");
    expect(response.statusCode).toBe(503);
    expect(response.json().reasons).toEqual([{ part: "server", reason: "stopping" }]);
    expect((await server.inject("/live")).statusCode).toBe(200);
    await server.close();
  });

  it("/ready stays 200 without a node, a broker and a mail server, and /live, /ready and the metrics name them", async () => {
    const chain = { chainId: 31337, rpcUrls: [], deployment: localDeployment };
    const broker = { part: "mqtt", reason: "unavailable", note: "The broker does not answer." };
    const { app: server } = await testApp({
      chains: [{ ...chain, status: () => ({ ...liveStatus, state: "node_unavailable" }) }],
      troubles: () => [broker],
    });
    const degraded = [{ part: "chain 31337", reason: "node_unavailable" }, broker];
    const ready = await server.inject("/ready");
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: "ready", reasons: [], degraded });
    expect((await server.inject("/live")).json()).toMatchObject({
      degraded,
      notes: [expect.stringContaining("DATABASE_URL"), "The broker does not answer."],
    });
    const metrics = (await server.inject("/metrics")).body;
    expect(metrics).toContain('aqua_degraded{part="chain 31337",reason="node_unavailable"} 1');
    expect(metrics).toContain('aqua_degraded{part="mqtt",reason="unavailable"} 1');
    await server.close();
  });

  it("/ready is 503 while the database does not answer, and for a reorg that was too deep to follow", async () => {
    expect((await app.inject("/ready")).statusCode).toBe(200);
    const chain = { chainId: 31337, rpcUrls: [], deployment: localDeployment };
    const down = { ...answeringDatabase, ping: () => Promise.reject(new Error("password=hush")) };
    const ill = await testApp({
      db: down,
      chains: [
        { ...chain, status: () => ({ ...liveStatus, state: "reorg_too_deep" }) },
        { ...chain, chainId: 1, status: () => null },
        { ...chain, chainId: 133, deployment: null, status: () => null },
      ],
    });
    const response = await ill.app.inject("/ready");
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({
      status: "not_ready",
      reasons: [
        { part: "database", reason: "unavailable" },
        { part: "chain 31337", reason: "reorg_too_deep" },
      ],
      degraded: [{ part: "chain 1", reason: "backfill" }],
    });
    await ill.app.close();
  });

  it("/metrics labels requests by route, not by address", async () => {
    await app.inject("/api/v2/events?address=nonsense-in-the-query");
    await app.inject("/secret-path-0x1234");
    const { body, headers } = await app.inject("/metrics");
    expect(headers["content-type"]).toContain("text/plain");
    expect(body).toContain('aqua_indexer_block{chain_id="31337"} 100');
    expect(body).toContain('route="/api/v2/events"');
    expect(body).not.toContain("0x1234");
    expect(body).not.toContain("nonsense");
  });

  it("/metrics counts refused requests by the limit that was reached", async () => {
    const limited = await testApp({ config: { rateLimits: { api: 2, rpc: 10 } } });
    for (let n = 0; n < 4; n += 1) await limited.app.inject("/api/v2/network");
    expect((await limited.app.inject("/metrics")).body).toContain('aqua_limits_reached_total{limit="api"} 2\n');
    await limited.app.close();
  });

  it("network lists the chains with our contracts and the last indexed block of each", async () => {
    const { data } = (await app.inject("/api/v2/network")).json();
    expect(data).toMatchObject({
      chains: [{ chain_id: 31337, head: { block: 100, time: 1_700_000_000_000, stale: false } }],
      node_chains: [],
      name_service: false,
      faucet: false,
      walletconnect_project_id: null,
    });
    expect(data.chains[0].identity_registry).toBe("0x00000000000000000000000000000000000000A2");
  });

  it("network names the chains for which only a node is served", async () => {
    const node = { chainId: 1, rpcUrls: ["http://127.0.0.1:18148"], deployment: null, status: () => null };
    const { app: offering } = await testApp({ chains: [node] });
    const { data } = (await offering.inject("/api/v2/network")).json();
    expect(data).toMatchObject({ chains: [], node_chains: [1] });
    await offering.close();
  });
});

it("Errors quote request content only as JSON, which no browser renders as a page", async () => {
  const evil = "<script>alert(1)</script>";
  const requests = [
    { url: `/api/v2/${encodeURIComponent(evil)}` },
    { url: `/api/v2/network/${evil}` },
    { url: `/rpc/${encodeURIComponent(evil)}`, method: "POST" as const, payload: {} },
    { url: "/api/v2/echo", method: "POST" as const, payload: { email: evil, [evil]: evil } },
    { url: "/api/v2/echo", method: "POST" as const, payload: evil, headers: { "content-type": "application/json" } },
    { url: "/api/v2/network", headers: { host: evil } },
  ];
  for (const request of requests) {
    const { statusCode, headers } = await app.inject({
      ...request,
      headers: { accept: "text/html", ...request.headers },
    });
    expect([request.url, statusCode >= 400]).toEqual([request.url, true]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
});
