import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { documentRoutes } from "../../src/product/documentRoutes.ts";
import { anchorRoutes } from "../../src/telemetry/anchoring/routes.ts";
import { telemetryReadRoutes } from "../../src/telemetry/read/routes.ts";
import { liveStatus, testApp } from "../support/app.ts";

const MIB = 1024 * 1024;
/** More bytes than the sockets of both sides accept for a client that never reads, and too random to compress. */
const LARGE = randomBytes(9 * MIB).toString("base64");
const WALLET = "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f";
const HASH = `0x${"ab".repeat(32)}`;

const asOf = { chain_id: 31337, block: 1, time: 1, stale: false };
const nothing = { shares: null, principal: null, claimable: "0", value: "0" };
const statement = {
  wallets: [WALLET],
  from: 0,
  to: 1,
  products: [],
  as_of: asOf,
};

let app: FastifyInstance;
let port: number;
const closers: (() => unknown)[] = [];

/** The real routes of the features, with services that return the largest possible answers. */
const features: FastifyPluginAsyncZod[] = [
  telemetryReadRoutes({
    readingsFile: async () => ({
      name: "readings.csv",
      text: (async function* () {
        for (let at = 0; ; at = (at + 256 * 1024) % LARGE.length) yield LARGE.slice(at, at + 256 * 1024);
      })(),
    }),
  } as never),
  anchorRoutes({ file: async () => ({ gzip: gzipSync(LARGE), dataHash: HASH }) } as never, 1_000),
  portfolioRoutes(
    {
      statement: async () => ({
        ...statement,
        products: [
          {
            ...{ short_id: "river", name: LARGE, type: "demand_deposit", chain_id: 31337, symbol: "tUSD", decimals: 6 },
            ...{ opening: nothing, closing: nothing, paid_in: "0", paid_out: "0", earned: "0", lines: [] },
          },
        ],
      }),
    } as never,
    {} as never,
  ),
  documentRoutes({ orm: { select: () => emptyQuery() } } as never, {
    read: async () => ({ content: Buffer.from(LARGE), type: "text/plain; charset=utf-8" }),
  }),
  async (routes) => {
    routes.get("/kept", { config: { cached: { unless: [] } } }, async () => ({ data: LARGE }));
  },
];

function emptyQuery(): unknown {
  return { from: emptyQuery, where: async () => [] };
}

beforeAll(async () => {
  const webDir = await mkdtemp(join(tmpdir(), "aqua-web-"));
  closers.push(() => rm(webDir, { recursive: true }));
  await mkdir(join(webDir, "assets"));
  await writeFile(join(webDir, "index.html"), `<!doctype html><title>Aqua</title>${LARGE}`);
  await writeFile(join(webDir, "assets", "main-1.js"), LARGE);
  const node = createServer((request, response) => {
    request.resume().once("end", () => response.end(`{"id":0,"result":"${LARGE.slice(0, 4 * MIB - 100)}"}`));
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  closers.push(() => node.close());
  const rpcUrls = [`http://127.0.0.1:${(node.address() as AddressInfo).port}`];
  ({ app } = await testApp({
    features,
    config: { webDir },
    chains: [{ chainId: 31337, rpcUrls, deployment: null, status: () => liveStatus }],
    receivers: { stalledMs: 1_000, unsent: { perNetwork: 1_000 * MIB, total: 1_000 * MIB } },
  }));
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterAll(async () => {
  await app?.close();
  for (const close of closers) await close();
});

const connections = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", true] });
const get = (path: string) => `GET ${path} HTTP/1.1`;

it.each([
  ["readings as a file", get("/api/v2/product/river/readings?format=csv")],
  ["a file of a batch", get("/api/v2/transparency/anchors/river/1")],
  ["a statement", get(`/api/v2/account/statement/${WALLET}?from=0&to=1`)],
  ["a statement as a file", get(`/api/v2/account/statement/${WALLET}?from=0&to=1&format=csv`)],
  ["a document", get(`/api/v2/document/${HASH}`)],
  ["an answer that is stored until the next block", get("/api/v2/kept")],
  ["a file of the web app", get("/assets/main-1.js")],
  ["a page", `${get("/")}\r\naccept: text/html`],
  [
    "an answer of the node",
    `POST /rpc/31337 HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${call.length}`,
  ],
])("connections whose client never reads %s are closed", async (_name, head) => {
  // Compressed, the largest answer of a node fits into the sockets.
  const encodings = head.startsWith("POST") ? ["identity"] : ["identity", "gzip"];
  const begun = encodings.map(async (encoding) => {
    const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    const body = head.startsWith("POST") ? call : "";
    socket.write(`${head}\r\nhost: localhost\r\naccept-encoding: ${encoding}\r\n\r\n${body}`);
    const [first] = await once(socket, "data");
    socket.pause();
    return String(first).split("\r\n", 1)[0];
  });
  expect(await Promise.all(begun)).toEqual(encodings.map(() => "HTTP/1.1 200 OK"));
  await expect.poll(connections).toBe(0);
});
