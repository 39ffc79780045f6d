import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { createPublicClient, getAddress, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createEventHub } from "../../../server/src/events/hub.ts";
import { createOpenFindings } from "../../../server/src/findings/open.ts";
import { createKeys } from "../../../server/src/keys.ts";
import { productRoutes } from "../../../server/src/product/routes.ts";
import { createProductService } from "../../../server/src/product/service.ts";
import { createLogWriter } from "../../../server/src/publicLog/writer.ts";
import { createTelemetryFeature } from "../../../server/src/telemetry/feature.ts";
import { incomeRoutes } from "../../../server/src/telemetry/income/routes.ts";
import { createIncomeService } from "../../../server/src/telemetry/income/service.ts";
import { createTraceReport } from "../../../server/src/telemetry/income/trace.ts";
import { devicesSeenSince } from "../../../server/src/telemetry/read/deviceStore.ts";
import { createReadingsFeature } from "../../../server/src/telemetry/read/feature.ts";
import { localDeployment, testApp } from "../../../server/test/support/app.ts";
import { openTestDatabase } from "../../../server/test/support/databases.ts";
import { operatorAccess } from "../../../server/test/support/publicLog.ts";
import { indexChain, listProduct, CHAIN as SERVER_CHAIN } from "../../../server/test/telemetry/rows.ts";
import { startAnvil } from "./anvil.ts";
import { runAqua } from "./aqua.ts";
import { validConfig } from "./config.ts";
import { deployed } from "./deployed.ts";

const CHAIN = 4243;
const TOKEN = "operator-token-of-the-device-test-0123456789";
export const REGISTRAR: Hex = `0x${"71".repeat(32)}`;
const deployer = privateKeyToAccount(`0x${"42".repeat(32)}`);
export const registrar = privateKeyToAccount(REGISTRAR);

/** A chain with contracts, and a server that has the product `sahel-solar`, for `aqua device`. */
export async function openDeviceWorld() {
  const chain = await startAnvil(CHAIN);
  const folder = await mkdtemp(join(tmpdir(), "aqua-device-"));
  for (const { address } of [deployer, registrar]) await chain.rpc("anvil_setBalance", [address, "0xde0b6b3a7640000"]);
  const valid = validConfig(CHAIN);
  const roles = { ...valid.roles, registrar: registrar.address };
  const content = { ...valid, roles, products: [] };
  const anchor = getAddress((await deployed(chain, { folder, deployer, content })).telemetry_anchor ?? "");
  const db = await openTestDatabase();
  await indexChain(db);
  await listProduct(db, "sahel-solar", { number: 1 });
  const keys = createKeys(Buffer.alloc(32, 7));
  const feature = createTelemetryFeature({
    db,
    events: createEventHub(),
    chainIds: [SERVER_CHAIN],
    writer: createLogWriter(keys),
    access: operatorAccess(db, keys, { token: TOKEN }),
    config: { retentionDays: 0, rateLimits: { telemetry: 1_000 } },
  });
  const chains = [{ chainId: SERVER_CHAIN, deployment: localDeployment, status: () => ({ state: "live" }) }];
  const findings = createOpenFindings(db);
  const published = { db, chains, documents: new Map(), findings };
  const income = incomeRoutes(createIncomeService(published));
  const readings = createReadingsFeature(published);
  const traceReport = createTraceReport(new Map());
  const products = productRoutes(createProductService({ ...published, countDevices: devicesSeenSince, traceReport }));
  const { app } = await testApp({
    features: [...(feature.routes ?? []), income, products, ...(readings.routes ?? [])],
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    chain,
    folder,
    db,
    url,
    aqua: (args: string[], change: Record<string, string | undefined> = {}) =>
      runAqua(args, { AQUA_URL: url, OPERATOR_TOKEN: TOKEN, REGISTRAR_PRIVATE_KEY: REGISTRAR, ...change }),
    onChain: () => ["--chain", String(CHAIN), "--rpc", chain.url, "--deployments", folder],
    /** The key of a name that is in force in an hour. */
    async heldLater(name: string) {
      const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 });
      const { timestamp } = await client.getBlock();
      const args = [nameHex(name), timestamp + 3_600n] as const;
      return client.readContract({ address: anchor, abi: telemetryAnchorAbi, functionName: "keyAt", args });
    },
    async stop() {
      await app.close();
      await feature.stop?.();
      await db.close();
      await chain.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type DeviceWorld = Awaited<ReturnType<typeof openDeviceWorld>>;
