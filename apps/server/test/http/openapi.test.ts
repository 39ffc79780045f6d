import Ajv2020 from "ajv/dist/2020.js";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountRoutes } from "../../src/account/routes.ts";
import { securityRoutes } from "../../src/account/securityRoutes.ts";
import { faucetRoutes } from "../../src/faucet/routes.ts";
import { callbackRoutes } from "../../src/identity/callback.ts";
import { operatorRoutes } from "../../src/identity/operator.ts";
import { identityRoutes } from "../../src/identity/routes.ts";
import { legalRoutes } from "../../src/legal/routes.ts";
import { outboxRoutes } from "../../src/mail/routes.ts";
import { noticeRoutes } from "../../src/notices/routes.ts";
import { operationRoutes } from "../../src/operations/routes.ts";
import { deskLogInRoutes, deskRoutes } from "../../src/operators/deskRoutes.ts";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { imageRoutes } from "../../src/product/images.ts";
import { productRoutes } from "../../src/product/routes.ts";
import { publicLogRoutes, restoreRoutes } from "../../src/publicLog/routes.ts";
import { anchorRoutes } from "../../src/telemetry/anchoring/routes.ts";
import { incomeRoutes } from "../../src/telemetry/income/routes.ts";
import { deviceOperatorRoutes } from "../../src/telemetry/operatorRoutes.ts";
import { telemetryReadRoutes } from "../../src/telemetry/read/routes.ts";
import { telemetryRoutes } from "../../src/telemetry/routes.ts";
import { transparencyRoutes } from "../../src/transparency/routes.ts";
import { answeringDatabase, testApp } from "../support/app.ts";
import { walletFeature } from "../support/wallets/feature.ts";

interface Operation {
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

let app: FastifyInstance;
let document: OpenApi;

beforeAll(async () => {
  // The services are not called: only the shapes of the routes matter here.
  const none = undefined as never;
  const access = {
    db: none,
    limits: none,
    token: "",
    operators: [],
    origin: "",
    named: none,
    desk: none,
    fourEyes: [],
  };
  const features = [
    productRoutes(none),
    imageRoutes({ productsDir: "", imageOf: async () => null }),
    portfolioRoutes(none, none),
    walletFeature(answeringDatabase),
    identityRoutes(none, none, none),
    operatorRoutes({ db: none, keys: none, decisions: none, writer: none, access }),
    callbackRoutes(none, ""),
    faucetRoutes(none),
    accountRoutes({} as never),
    securityRoutes({} as never),
    legalRoutes(none),
    outboxRoutes({ db: answeringDatabase }),
    transparencyRoutes(none),
    noticeRoutes({} as never),
    telemetryReadRoutes(none),
    anchorRoutes(none, 1),
    incomeRoutes(none),
    telemetryRoutes({ ingest: none, perMinute: 1, onBusy: none }),
    deviceOperatorRoutes({ devices: none, importBatches: none, losses: none, access }),
    deskLogInRoutes(access),
    deskRoutes(access),
    operationRoutes(none, access),
    publicLogRoutes(answeringDatabase, none),
    restoreRoutes({ db: none, writer: none, access }),
  ];
  ({ app } = await testApp({ features, faucet: true }));
  document = (await app.inject("/api/v2/openapi.json")).json();
});
afterAll(() => app.close());

it("the OpenAPI document contains every route of the server except the document, its page and the web app", async () => {
  await app.ready();
  const served = routesOf(app.printRoutes({ commonPrefix: false }))
    .filter(
      (route) => !/ (\*|\/|\/\*|\/api\/v2\/docs.*|\/api\/v2\/openapi\.json|\/api\/v2\/log\/tile\/\*)$/.test(route),
    )
    .sort();
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/{(\w+)}/g, ":$1")}`),
  );
  expect(served.length).toBeGreaterThan(15);
  expect(described.sort()).toEqual(served);
});

it("the OpenAPI document is OpenAPI 3.1 whose schemas are all JSON Schema 2020-12", () => {
  expect(document.openapi).toBe("3.1.0");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let schemas = 0;
  for (const operation of operations()) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    for (const { schema } of [...contents, ...(operation.parameters ?? [])]) {
      ajv.compile(schema);
      schemas += 1;
    }
  }
  expect(schemas).toBeGreaterThan(40);
});

it("the OpenAPI document describes the purpose, parameters and errors of every call", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      expect(operation.summary, path).toBeTruthy();
      expect(operation.tags, path).toHaveLength(1);
      expect(operation.responses.default, path).toBeDefined();
      const inPath = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path").map(({ name }) => name);
      expect(declared.sort(), path).toEqual(inPath.sort());
    }
  }
});

it("the OpenAPI document names the Idempotency-Key where it is supported", () => {
  const honoured = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).some(({ parameters }) => parameters?.some(({ name }) => name === "idempotency-key"))
      ? [path]
      : [],
  );
  expect(honoured.map((path) => path.replace("/api/v2/account/", "")).sort()).toEqual([
    "addPendingTransaction",
    "change-email",
    "confirm",
    "identity",
    "register",
    "reset-password",
    "switch/stop",
    "totp/add",
    "verify-email",
  ]);
});

it("the OpenAPI document has a page that uses no other host and no inline script", async () => {
  const page = await app.inject("/api/v2/docs/");
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("script-src 'self';");
  const scripts = [...page.body.matchAll(/<script([^>]*)>([^<]*)/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, text] of scripts) {
    expect(attributes).toContain("src=");
    expect(text?.trim()).toBe("");
  }
  for (const [, source] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(source).not.toMatch(/^(https?:)?\/\//);
    const url = new URL(String(source), "http://localhost/api/v2/docs/").pathname;
    expect((await app.inject(url)).statusCode, url).toBe(200);
  }
});

function operations(): Operation[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

/** Fastify prints its routes as a tree of path pieces, four columns a level. */
function routesOf(tree: string): string[] {
  const pieces: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", piece = "", , methods = ""] = /^((?:[│ ] {3})*)[├└]── (\S*)( \((.*)\))?$/.exec(line) ?? [];
    if (line === "" || (piece === "" && methods === "")) return [];
    pieces.length = indent.length / 4;
    pieces.push(piece);
    const verbs = methods.split(", ").filter((verb) => verb !== "" && verb !== "HEAD");
    return verbs.map((verb) => `${verb} ${pieces.join("")}`);
  });
}
