import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fastify from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createPages } from "../../src/http/pages.ts";
import { type TestApp, testApp } from "../support/app.ts";

/** Replaces the built web app: renders its path and the API's answer. */
const RENDERER = `
export const seen = [];
export const gate = { open: Promise.resolve() };
export async function renderPage({ path, language, template, chunks, lastEventId, fetch }) {
  seen.push(path);
  await gate.open;
  if (path === "/about") throw new Error("broken");
  const answer = await fetch("/api/v2/caller");
  if (!answer.ok) throw await answer.json();
  const { data } = await answer.json();
  return template.replace("CONTENT", language + " " + path + " " + data + " " + Object.keys(chunks) + " after " + lastEventId);
}
`;

/** Returns the caller's address, and rejects callers above the limit. */
const feature: FastifyPluginAsyncZod = async (app) => {
  app.get("/caller", { schema: { response: { 200: z.object({ data: z.string() }) } } }, async ({ ip, headers }) => ({
    data: `for ${ip} with ${headers.authorization ?? headers.cookie ?? "nothing"} at ${version}`,
  }));
};

let version: string;
let folder: string;
let door: TestApp;
/** Ids of listed products, and how often they were read. */
let known: Set<string>;
let reads: number;

const productIds = async () => {
  reads += 1;
  return [...known];
};

beforeEach(async () => {
  version = "one";
  folder = await mkdtemp(join(tmpdir(), "aqua-pages-"));
  await mkdir(join(folder, ".server"));
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, "index.html"), '<!doctype html><html lang="en-US"><body>CONTENT</body></html>');
  await writeFile(join(folder, ".vite/chunks.json"), '{"app.js":{}}');
  await writeFile(join(folder, ".server/server.js"), RENDERER);
  known = new Set(Array.from({ length: 12 }, (_, index) => `p${index}`));
  reads = 0;
  door = await testApp({
    config: { webDir: folder },
    features: [feature],
    readVersion: async () => version,
    productIds,
  });
});
afterEach(async () => {
  await door.app.close();
  await rm(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = {}, remoteAddress = "192.0.2.1") =>
  door.app.inject({ url, headers: { accept: "text/html", ...headers }, remoteAddress });

const hasContent = ({ body }: { body: string }) => body.includes("for ourselves");
const renderer = (): Promise<{ seen: string[]; gate: { open: Promise<unknown> } }> =>
  import(join(folder, ".server/server.js"));
/** Paths that were rendered, in order. */
const rendered = async () => (await renderer()).seen;

describe("a public page", () => {
  it("contains its content, rendered from answers for a visitor without a session", async () => {
    const answer = await ask("/products", {
      cookie: "app-language=fr-FR; token=secret",
      authorization: "Bearer secret",
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toMatch(/fr-FR \/products for ourselves-\S{36} with nothing at one app\.js after /);
    expect(answer.body).toContain(`after ${door.hub.lastEventId()}<`);
  });

  it("is rendered once in each language until the chain or a document changes, and sent to clients without it", async () => {
    const first = await ask("/products");
    version = "one";
    expect((await ask("/products")).body).toBe(first.body);
    expect((await ask("/products", { "accept-language": "ko" })).body).toContain("ko-KR");
    expect([first.headers["cache-control"], first.headers.vary]).toEqual([
      "no-cache",
      "accept-encoding, accept-language, cookie",
    ]);
    const etag = String(first.headers.etag);
    expect((await ask("/products", { "if-none-match": etag })).statusCode).toBe(304);
    version = "two";
    const next = await ask("/products", { "if-none-match": etag });
    expect([next.statusCode, next.body.includes("at two")]).toEqual([200, true]);
  });

  it("is left to the browser if it cannot be rendered, which is logged", async () => {
    const answer = await ask("/about", { "accept-language": "zh-TW" });
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      '<!doctype html><html lang="zh-TW"><body>CONTENT</body></html>',
    ]);
    expect(door.logged.some((line) => line.includes("left to the browser"))).toBe(true);
  });

  it("is left to the browser once the app is built again, because it would not match the new code", async () => {
    expect((await ask("/products")).body).toContain("/products");
    await utimes(join(folder, ".server/server.js"), new Date(), new Date(Date.now() + 60_000));
    expect((await ask("/products")).body).toContain("CONTENT");
  });
});

describe("PageQueue", () => {
  it("serves another network while one asks for unknown products", async () => {
    const unknown = Array.from({ length: 50 }, (_, index) => ask(`/product/x${index}`));
    const honest = ["/products", "/home", "/product/p1", "/about-us"].map((url) => ask(url, {}, "198.51.100.7"));
    const answers = await Promise.all(unknown);
    expect(answers.filter(hasContent)).toEqual([]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
    expect((await Promise.all(honest)).map(hasContent)).toEqual([true, true, true, false]);
    expect((await rendered()).sort()).toEqual(["/home", "/product/p1", "/products"]);
  });

  it("serves another network while one asks for every known page", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    (await renderer()).gate.open = held;
    const all = Array.from({ length: 12 }, (_, index) => ask(`/product/p${index}`));
    // The first page that is left to the browser shows that the network's places are in use.
    expect(hasContent(await Promise.any(all))).toBe(false);
    const honest = ask("/products", {}, "2001:db8::1");
    // A further request of the attacking network ensures that the honest request has arrived before a place is free.
    expect(hasContent(await ask("/home"))).toBe(false);
    release();
    expect(hasContent(await honest)).toBe(true);
    // One page is rendered and three wait. The others are not logged.
    expect((await Promise.all(all)).filter(hasContent).length).toBe(4);
    expect(door.logged.some((line) => line.includes("left to the browser"))).toBe(false);
  });

  it("renders a page of another network while one waits for its answers", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { gate, seen } = await renderer();
    gate.open = held;
    const slow = ask("/transparency");
    await vi.waitFor(() => expect(seen).toEqual(["/transparency"]));
    gate.open = Promise.resolve();
    expect(hasContent(await ask("/products", {}, "198.51.100.7"))).toBe(true);
    release();
    expect(hasContent(await slow)).toBe(true);
  });

  it("takes one place for all requests of a network for the same page", async () => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => ask("/products")));
    expect(crowd.every(hasContent)).toBe(true);
    expect(await rendered()).toEqual(["/products"]);
  });

  it("renders a page once for simultaneous requests of more networks than there are places", async () => {
    const crowd = await Promise.all(Array.from({ length: 60 }, (_, index) => ask("/products", {}, `192.0.2.${index}`)));
    expect(crowd.filter(hasContent)).toHaveLength(60);
    expect(await rendered()).toEqual(["/products"]);
  });

  it("reads the ids of products once until the tables change, and then finds a product that is listed", async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(hasContent(await ask("/liquidity/new"))).toBe(false);
    expect(reads).toBe(1);
    known.add("new");
    version = "two";
    expect(hasContent(await ask("/liquidity/new"))).toBe(true);
    expect(reads).toBe(2);
  });
});

describe("RateLimit of pages", () => {
  it("counts pages of a network separately from its calls, and answers 429 with a page that the browser renders", async () => {
    const rateLimits = { api: 2, rpc: 2 };
    const limited = await testApp({ config: { webDir: folder, rateLimits }, features: [feature], productIds });
    const from = (remoteAddress: string, url = "/products") =>
      limited.app.inject({ url, headers: { accept: "text/html" }, remoteAddress });
    const answers = [await from("2001:db8::1"), await from("2001:db8::2"), await from("2001:db8::3", "/product/x")];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    const [, , refused] = answers;
    expect(refused?.headers["retry-after"]).toMatch(/^\d+$/);
    expect(refused?.body).toContain("CONTENT");
    expect((await from("2001:db8:0:1::1")).statusCode).toBe(200);
    expect((await from("2001:db8::1", "/api/v2/caller")).statusCode).toBe(200);
    await limited.app.close();
  });
});

describe("the Content-Security-Policy of a page", () => {
  const html = (script: string) =>
    `<!doctype html><html lang="en-US"><script>${script}</script><body>CONTENT</body></html>`;
  const allowed = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  const scripts = async (url: string, headers = {}) =>
    /script-src ([^;]*);/.exec(String((await ask(url, headers)).headers["content-security-policy"]))?.[1];

  it("allows the script that the build wrote into the page, also if the page is not rendered or not modified", async () => {
    await writeFile(join(folder, "index.html"), html("early()"));
    const policy = `'self' ${allowed("early()")}`;
    expect(await scripts("/products")).toBe(policy);
    expect(await scripts("/products?page=2")).toBe(policy);
    const etag = String((await ask("/products")).headers.etag);
    expect(await scripts("/products", { "if-none-match": etag })).toBe(policy);
    // The web app is built again meanwhile.
    await writeFile(join(folder, "index.html"), html("other()"));
    expect(await scripts("/account")).toBe(`'self' ${allowed("other()")}`);
  });

  it("allows no script in the page's content, and none if the build wrote none", async () => {
    version = "<script>stolen()</script>";
    const answer = await ask("/products");
    expect(answer.body).toContain("<script>stolen()</script>");
    expect(await scripts("/products")).toBe("'self'");
    expect(await scripts("/api/v2/caller")).toBe("'self'");
  });
});

it.each(["/operator", "/operator/?case=1", "/Operator"])(
  "%s may show documents and is not for search engines",
  async (url) => {
    const { headers } = await ask(url);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("img-src 'self' data: blob:;");
    expect(policy).toContain("frame-src blob:;");
    expect(policy).toContain("script-src 'self'");
    expect(headers["x-robots-tag"]).toBe("noindex");
  },
);

it.each(["/account", "/operator/more", "/products"])("%s may show no blob", async (url) => {
  const { headers } = await ask(url);
  expect(headers["content-security-policy"]).not.toContain("blob:");
  expect(headers["x-robots-tag"]).toBeUndefined();
});

it("a page whose answer is missing is left to the browser, and other pages do not wait for it", async () => {
  const app = fastify();
  app.get("/api/v2/caller", () => new Promise(() => undefined));
  const hub = { lastEventId: () => "run-1" };
  const pages = await createPages({
    app,
    hub,
    publicUrl: "https://aqua.example",
    webDir: folder,
    readVersion: async () => version,
    productIds,
    perMinute: 600,
    longestCallMs: 50,
  });
  app.setNotFoundHandler((request, reply) => pages.send(request, reply));
  const answers = await Promise.all(["/products", "/transparency"].map((url) => app.inject({ url })));
  expect(answers.map(({ body }) => body.includes("CONTENT"))).toEqual([true, true]);
  await app.close();
});

it("does not retain the answers of the API from which a page was rendered", async () => {
  const requests: WeakRef<object>[] = [];
  const app = fastify();
  app.get("/api/v2/caller", async (request) => {
    requests.push(new WeakRef(request.raw));
    return { data: "for ourselves" };
  });
  const parts = { hub: { lastEventId: () => "run-1" }, publicUrl: "https://aqua.example", productIds, perMinute: 600 };
  const longestCallMs = 3_600_000;
  const pages = await createPages({ app, ...parts, webDir: folder, readVersion: async () => version, longestCallMs });
  app.setNotFoundHandler((request, reply) => pages.send(request, reply));
  expect((await app.inject({ url: "/products" })).body).toContain("for ourselves");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await vi.waitFor(() => {
    collect();
    expect(requests.map((request) => request.deref() === undefined)).toEqual([true]);
  }, 5_000);
  await app.close();
});

it("a caller cannot avoid limits by claiming our own address in a forwarding header", async () => {
  const limited = await testApp({ config: { trustedProxies: 1, rateLimits: { api: 2, rpc: 2 } }, features: [feature] });
  const ask = async () => {
    const headers = { "x-forwarded-for": "ourselves" };
    return (await limited.app.inject({ url: "/api/v2/caller", headers })).statusCode;
  };
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  await limited.app.close();
});

describe("other pages", () => {
  it.each(["/account", "/products?q=sun", "/product/a/b", "/product/A%20b", "/dev/ui", "/portfolios"])(
    "%s is left to the browser",
    async (url) => {
      const answer = await ask(url);
      expect([answer.statusCode, answer.body.includes("CONTENT"), answer.headers["cache-control"]]).toEqual([
        200,
        true,
        "no-cache",
      ]);
    },
  );

  it("do not include the renderer's own files", async () => {
    for (const file of ["/.server/server.js", "/.vite/chunks.json"])
      expect((await door.app.inject({ url: file })).statusCode, file).toBe(404);
  });
});
