import { gunzipSync } from "node:zlib";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { ErrorBody, List } from "@aqua/sdk/api/envelope";
import type { AnchoredBatch, ReadingProof } from "@aqua/sdk/api/telemetry";
import { dataHashOf, readBatchFile, writeBatchFile } from "@aqua/sdk/proofs/batch";
import type { ChainReader } from "@aqua/sdk/proofs/chain";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { verifyProof } from "@aqua/sdk/proofs/verify";
import { type LastReading, verifyBatchFile, verifyFollowing } from "@aqua/sdk/proofs/verifyFile";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../src/db/database.ts";
import { createOpenFindings } from "../../../src/findings/open.ts";
import { anchorRoutes } from "../../../src/telemetry/anchoring/routes.ts";
import { createAnchorService } from "../../../src/telemetry/anchoring/service.ts";
import { reading } from "../../../src/telemetry/schema.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type RunningIndexer, type World } from "../../indexer/world.ts";
import { testApp } from "../../support/app.ts";
import { openTestDatabase } from "../../support/databases.ts";
import { type Anchorer, anchorerOf, anchorsOf, type Fleet, openFleet } from "./world.ts";

const ROUNDS = 115;
const names = ["meter-a", "meter-b", "panel", "flow-1"];

let world: World;
let db: Database;
let indexer: RunningIndexer;
let fleet: Fleet;
let by: Anchorer;
let app: FastifyInstance;
let chain: ChainReader;

/** About two hundred batches of random sizes on chain, and readings that wait for a batch. */
beforeAll(async () => {
  world = await openWorld();
  db = await openTestDatabase();
  fleet = await openFleet(world, db);
  await fleet.registerKeys();
  indexer = indexerOf(world, db);
  await indexer.start();
  by = anchorerOf(world, db, { settings: { keepEvery: 20 } });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, name] of names.entries()) {
      // Pseudo-random sizes that are equal in every run. Each batch has different leaves, and some have none of a device.
      const size = (round * 7 + index * 5 + ((round * round) % 11)) % 6;
      await fleet.measure(name, size);
    }
    await by.turn();
    await world.mine();
    await caughtUp(world, indexer);
  }
  for (let n = 0; n < 3; n += 1) {
    await by.turn();
    await world.mine();
    await caughtUp(world, indexer);
  }
  const served = {
    chainId: CHAIN_ID,
    deployment: world.deployed.deployment,
    rpcUrls: [],
    client: world.client,
    status: indexer.status,
  };
  const routes = anchorRoutes(
    createAnchorService({ db, chains: [served], findings: createOpenFindings(db) }),
    1_000_000,
  );
  ({ app } = await testApp({ features: [routes] }));
  chain = {
    chainId: CHAIN_ID,
    contract: world.deployed.addresses.telemetryAnchor,
    call: async (to, data) => (await world.client.call({ to, data })).data ?? "0x",
  };
});
afterAll(async () => {
  await app?.close();
  await indexer?.stop();
  await db?.close();
  await world?.stop();
});

async function get<Data>(path: string): Promise<Data> {
  const response = await app.inject({ url: `/api/v2/transparency/${path}` });
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
  return response.json<{ data: Data }>().data;
}
const refusal = async (path: string) => {
  const response = await app.inject({ url: `/api/v2/transparency/${path}` });
  return { status: response.statusCode, message: response.json<ErrorBody>().message };
};
async function fileOf(shortId: string, number: number): Promise<Uint8Array> {
  const response = await app.inject({ url: `/api/v2/transparency/anchors/${shortId}/${number}` });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.rawPayload;
}
const allAnchors = async (shortId: string) => {
  const { total } = await get<List<AnchoredBatch>>(`anchors?short_id=${shortId}`);
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(total / 100) }, (_, index) =>
      get<List<AnchoredBatch>>(`anchors?short_id=${shortId}&page_size=100&page=${index + 1}`),
    ),
  );
  return pages.flatMap(({ items }) => items).reverse();
};

it("hundreds of batches are on chain in their order, each built on the previous one", async () => {
  const anchors = await anchorsOf(db);
  expect(anchors.length).toBeGreaterThan(200);
  expect(by.logged).toEqual([]);
  for (const shortId of ["sahel-solar", "aegean-water"]) {
    const told = await allAnchors(shortId);
    expect(told.map(({ number }) => number)).toEqual(told.map((_, index) => index + 1));
    told.forEach((batch, index) => {
      expect(batch.previous_head).toBe(told[index - 1]?.head ?? `0x${"0".repeat(64)}`);
      expect(batch.from).toBe(index === 0 ? batch.from : (told[index - 1]?.to ?? 0) + 1);
      expect(batch.file).toBe(true);
    });
  }
  const { items, total } = await get<List<AnchoredBatch>>("anchors");
  expect(total).toBe(anchors.length);
  expect(items.map(({ block }) => block)).toEqual(items.map(({ block }) => block).toSorted((a, b) => b - a));
});

it("the proof of a reading in any batch is valid for the verifier and for the contract", async () => {
  for (const name of names) {
    const all = fleet.measured().filter((one) => one.startsWith(`${name} `)).length;
    for (let seq = 1; seq <= all; seq += 23) {
      const proof = await get<ReadingProof>(`proof/${name}/${seq}`);
      expect(proof.reading).toMatchObject({ device: name, seq });
      const steps = await verifyProof(proof, chain);
      expect(steps.filter(({ state }) => state !== "pass")).toEqual([]);
      expect(steps.some(({ step }) => step === "co_signature")).toBe(name === "meter-b");
      const { number, previous_head, root, from, to, count, data_hash, later, stream } = proof.batch;
      expect(later.length).toBeLessThanOrEqual(40);
      const accepted = await world.client.readContract({
        address: world.deployed.addresses.telemetryAnchor,
        abi: telemetryAnchorAbi,
        functionName: "verify",
        args: [
          stream as `0x${string}`,
          {
            number: BigInt(number),
            previousHead: previous_head as `0x${string}`,
            root: root as `0x${string}`,
            from: BigInt(from),
            to: BigInt(to),
            count,
            dataHash: data_hash as `0x${string}`,
            later: later as `0x${string}`[],
          },
          proof.leaf as `0x${string}`,
          proof.proof as `0x${string}`[],
        ],
      });
      expect(accepted).toBe(true);
    }
  }
});

it("every batch file matches the chain, and the files together contain every reading", async () => {
  const told = await allAnchors("sahel-solar");
  const last = told.slice(-4);
  const files = await Promise.all(last.map(({ short_id, number }) => fileOf(short_id, number)));
  const seen = new Map<string, LastReading>();
  for (const [index, file] of files.entries()) {
    const batch = last[index] as AnchoredBatch;
    expect(dataHashOf(file)).toBe(batch.data_hash);
    const later = (await get<ReadingProof>(proofPathOf(file))).batch.later;
    expect(verdictOf(await verifyBatchFile(file, { chain, published: { ...batch, later } }))).toBe("pass");
    const before = files[index - 1];
    if (before) expect(verdictOf(verifyFollowing(before, file, seen))).toBe("pass");
  }
});

function proofPathOf(file: Uint8Array): string {
  const [first] = readBatchFile(file).readings;
  return `proof/${first?.device}/${first?.seq}`;
}

it("a reading removed from a file, or changed in it, is detected from the file and the chain alone", async () => {
  const told = await allAnchors("sahel-solar");
  const batch = told.at(-1) as AnchoredBatch;
  const file = await fileOf(batch.short_id, batch.number);
  const { header, readings } = readBatchFile(file);
  expect(readings.length).toBeGreaterThan(1);
  const failed = async (altered: Uint8Array) =>
    (await verifyBatchFile(altered, { chain })).filter(({ state }) => state === "fail").map(({ step }) => step);
  const without = writeBatchFile({ ...header, count: header.count - 1 }, readings.slice(1));
  expect(await failed(without)).toEqual(expect.arrayContaining(["tree", "anchored"]));
  const changed = readings.map((one, index) => (index === 0 ? { ...one, value: "999" } : one));
  expect(await failed(writeBatchFile(header, changed))).toEqual(
    expect.arrayContaining(["signature", "tree", "anchored"]),
  );
  expect(await failed(file)).toEqual([]);
});

it("a batch file is sent compressed to clients that accept it, and plain to the others", async () => {
  const url = "/api/v2/transparency/anchors/sahel-solar/3";
  const packed = await app.inject({ url, headers: { "accept-encoding": "gzip, br" } });
  const plain = await app.inject({ url });
  expect(packed.headers).toMatchObject({
    "content-type": "application/x-ndjson",
    "content-encoding": "gzip",
    vary: "accept-encoding",
    "content-disposition": 'attachment; filename="sahel-solar-3.ndjson"',
  });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  const refused = await app.inject({ url, headers: { "accept-encoding": "gzip;q=0" } });
  expect(refused.rawPayload.equals(plain.rawPayload)).toBe(true);
  const again = await app.inject({ url, headers: { "if-none-match": String(plain.headers.etag) } });
  expect(again.statusCode).toBe(304);
});

it("a reading without a batch is reported as waiting, and an unknown one as not found", async () => {
  await fleet.measure("panel", 1);
  const seq = fleet.measured().filter((one) => one.startsWith("panel ")).length;
  expect(await refusal(`proof/panel/${seq}`)).toMatchObject({ status: 404, message: expect.stringContaining("waits") });
  await by.turn();
  expect(await refusal(`proof/panel/${seq}`)).toMatchObject({
    status: 404,
    message: expect.stringContaining("on its way"),
  });
  await world.mine();
  await caughtUp(world, indexer);
  expect(verdictOf(await verifyProof(await get(`proof/panel/${seq}`), chain))).toBe("pass");
  expect(await refusal(`proof/panel/${seq + 1}`)).toMatchObject({ status: 404 });
  expect(await refusal("proof/nobody/1")).toMatchObject({ status: 404 });
  expect(await refusal("anchors/sahel-solar/9999")).toMatchObject({ status: 404 });
  expect(await refusal("anchors?short_id=no-such")).toMatchObject({ status: 404 });
  expect((await get<List<AnchoredBatch>>("anchors?short_id=alps-hydro")).items).toEqual([]);
});

it("a reading can be checked after its row was deleted", async () => {
  const before = await get<ReadingProof>("proof/meter-a/5");
  await db.orm.delete(reading);
  const { app: fresh } = await testApp({
    features: [
      anchorRoutes(
        createAnchorService({
          db,
          chains: [{ chainId: CHAIN_ID, deployment: world.deployed.deployment, status: indexer.status }],
          findings: createOpenFindings(db),
        }),
        1_000_000,
      ),
    ],
  });
  const after = await fresh.inject({ url: "/api/v2/transparency/proof/meter-a/5" });
  await fresh.close();
  expect(after.json<{ data: ReadingProof }>().data).toEqual(before);
});
