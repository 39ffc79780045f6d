import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import { incomeReads } from "@aqua/sdk/chain/income-events";
import type { IncomeChain } from "@aqua/sdk/proofs/verifyIncome";
import { inArray } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { encodeFunctionData, type Hex, keccak256 } from "viem";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createOnce } from "../../src/idempotency/once.ts";
import { incomeProofRoutes } from "../../src/portfolio/incomeProof/routes.ts";
import { createIncomeProofService } from "../../src/portfolio/incomeProof/service.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { portfolioRoutes } from "../../src/portfolio/routes.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { storeDocument } from "../../src/product/documentStore.ts";
import { createTrees } from "../../src/telemetry/anchoring/trees.ts";
import { device, deviceHead } from "../../src/telemetry/schema.ts";
import { openQueue } from "../indexer/queue-calls.ts";
import { CHAIN_ID, caughtUp, indexerOf, openWorld, type World } from "../indexer/world.ts";
import { testApp } from "../support/app.ts";
import { openTestDatabase } from "../support/databases.ts";
import { anchorerOf, anchorsOf, openFleet, solar } from "../telemetry/anchoring/world.ts";

export const DAY = 86_400;
const DOLLAR = 1_000_000n;
/** Starts of months, Unix seconds. */
export const june = Date.UTC(2025, 5, 1) / 1_000;
export const july = Date.UTC(2025, 6, 1) / 1_000;

const text = JSON.stringify({
  short_id: "sahel-solar",
  name: "Sahel Solar",
  summary: "Pumps.",
  asset_class: "Irrigation",
  location: { name: "Niger", country: "NE", latitude: 13.5, longitude: 2.1 },
  image: "sahel-solar.svg",
  description: ["Water."],
  yield_source: ["Sold."],
  evidence: [],
  income: { id: "energy-sold", version: 1, price: "0.02", share: "0.5", financed: "3000" },
  holder: { name: "Aqua", role: "Owner", country: "NE" },
  risks: [{ title: "Drought", text: "None." }],
});
const document = keccak256(Buffer.from(text));
const documents = new Map<Hex, ProductDocument>([[document, productDocument.parse(JSON.parse(text))]]);

const meters = ["meter-a", "meter-b"];

export interface IncomeWorld {
  world: World;
  db: Database;
  app: FastifyInstance;
  chain: IncomeChain;
  /** Anchors one more batch, so that the head before it is no longer the stream's. */
  anchorMore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A world in June and July of 2025: two meters with anchored batches, four reports, and a wallet that deposits, redeems,
 * gets shares from another one, waits in the queue and is paid. Wallet 2 only deposits, and wallet 3 does nothing.
 */
export async function openIncomeWorld(): Promise<IncomeWorld> {
  const world = await openWorld();
  const db = await openTestDatabase();
  const solarAt = world.shortIds.indexOf("sahel-solar");
  const vault = world.vaults[solarAt] as Hex;
  const args = ["sahel-solar", document] as const;
  const data = encodeFunctionData({ abi: productRegistryAbi, functionName: "setMetadata", args });
  await world.mine([world.as("editor", world.deployed.addresses.productRegistry, data)]);
  const queue = await openQueue(world, vault);
  const fleet = await openFleet(world, db);
  await fleet.registerKeys();
  const enrolled = await db.orm.select({ device: device.id }).from(device).where(inArray(device.name, meters));
  const hash = new Uint8Array(32);
  const time = july * 1_000;
  // What accepting the readings leaves. All of them are good and stored.
  await db.orm
    .insert(deviceHead)
    .values(enrolled.map((one) => ({ ...one, seq: 80, hash, time, accepted: time, repeats: 0, readings: 80 })));
  await storeDocument(db.orm, { hash: document, content: Buffer.from(text) }, 1);
  const indexer = indexerOf(world, db);
  await indexer.start();
  const by = anchorerOf(world, db, { settings: { keepEvery: 2 } });
  const served = { chainId: CHAIN_ID, deployment: world.deployed.deployment, status: indexer.status };
  const parts = { db, chains: [served], documents, findings: createOpenFindings(db) };
  const { app } = await testApp({
    features: [
      incomeProofRoutes(createIncomeProofService({ ...parts, trees: createTrees() })),
      portfolioRoutes(
        createPortfolioService({ ...parts, chains: [{ ...served, client: world.client }], lookups: createLookups() }),
        createOnce(db),
      ),
    ],
  });
  const registry = world.deployed.addresses.productRegistry;
  const chain: IncomeChain = {
    ...incomeReads(world.client, registry),
    chainId: CHAIN_ID,
    contract: world.deployed.addresses.telemetryAnchor,
    call: async (to, data) => (await world.client.call({ to, data })).data ?? "0x",
  };

  const at = async (time: number, calls: Parameters<World["mine"]>[0] = []): Promise<void> => {
    await world.mine(calls, time - (await world.head()).time);
    await caughtUp(world, indexer);
  };
  /** Devices measure until a moment, and the batch with their readings is anchored. Returns the stream's head. */
  const measured = async (time: number): Promise<Hex> => {
    fleet.wait(time - 100 - (await world.head()).time);
    for (const name of meters) await fleet.measure(name, 20);
    await at(time);
    for (let turn = 0; turn < 3; turn += 1) {
      await by.turn();
      await world.mine();
      await caughtUp(world, indexer);
    }
    const head = (await anchorsOf(db)).findLast(({ stream }) => stream === solar)?.head;
    if (!head) throw new Error("nothing anchored");
    return head;
  };
  const reportCall = (delta: bigint, asOf: number, root: Hex) => {
    const args = [delta, BigInt(asOf), root] as const;
    const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "report", args });
    return { ...world.as("reporter", vault, data), gas: 1_500_000n };
  };

  await at((await world.head()).time + 60, [
    world.deposit(0, solarAt, 1_000n * DOLLAR),
    world.deposit(1, solarAt, 2_000n * DOLLAR),
  ]);
  const first = await measured(july - 4 * DAY);
  await at(july - 3 * DAY, [reportCall(400_000n, july - 4 * DAY, first)]);
  const second = await measured(july + DAY);
  await at(july + DAY + 3_600, [reportCall(123_457n, july + DAY, second)]);
  await at(july + DAY + 7_200, [world.deposit(0, solarAt, 500n * DOLLAR + 1n)]);
  await at(july + 2 * DAY, [
    world.deposit(2, solarAt, 77n * DOLLAR),
    world.redeem(0, solarAt, 100n * 10n ** 12n),
    world.transfer(1, 0, solarAt, 50n * 10n ** 12n),
  ]);
  const vaultData = encodeFunctionData({
    abi: demandVaultAbi,
    functionName: "approve",
    args: [queue.address, 10n ** 30n],
  });
  await at(july + 2 * DAY + 60, [{ ...world.redeem(0, solarAt, 0n), data: vaultData, what: "approve the queue" }]);
  await at(july + 2 * DAY + 120, [queue.request(0, 200n * 10n ** 12n)]);
  await at(july + 2 * DAY + 180, [queue.deploy(300n * DOLLAR)]);
  const third = await measured(july + 3 * DAY);
  await at(july + 3 * DAY + 600, [reportCall(-50_000n, july + 3 * DAY, third)]);
  await at(july + 4 * DAY, [reportCall(0n, july + 4 * DAY - 60, `0x${"ab".repeat(32)}`)]);
  // The request is payable when all that was reported has been streamed.
  await at(july + 9 * DAY, [queue.process()]);
  await at(july + 9 * DAY + 600, [queue.claim(0)]);
  return {
    world,
    db,
    app,
    chain,
    async anchorMore() {
      await measured((await world.head()).time + DAY);
    },
    async close() {
      await app.close();
      await indexer.stop();
      await db.close();
      await world.stop();
    },
  };
}
