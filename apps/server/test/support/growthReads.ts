import { Readable } from "node:stream";
import { DAY_MS } from "@aqua/sdk/durations";
import type { Database } from "../../src/db/database.ts";
import { createOpenFindings } from "../../src/findings/open.ts";
import { createLookups } from "../../src/portfolio/lookups.ts";
import { createPortfolioService } from "../../src/portfolio/service.ts";
import { createProductService } from "../../src/product/service.ts";
import { createDevices } from "../../src/telemetry/devices.ts";
import { createTraceReport } from "../../src/telemetry/income/trace.ts";
import { devicesSeenSince } from "../../src/telemetry/read/deviceStore.ts";
import { createTelemetryReader } from "../../src/telemetry/read/service.ts";
import { createTransparencyService } from "../../src/transparency/service.ts";
import { localDeployment } from "./app.ts";
import { CHAIN, END, wallet } from "./growthTables.ts";

/** What the services need besides their own parts. */
function partsOf(db: Database) {
  const chain = { chainId: CHAIN, deployment: localDeployment as never, status: () => ({ state: "live" as const }) };
  return {
    ...{ db, documents: new Map(), chains: [{ ...chain, client: undefined as never }] },
    findings: createOpenFindings(db, { maxAgeMs: Number.POSITIVE_INFINITY }),
  };
}

/** The reads behind the screens, of the products and the wallet of `fillTables`, by name. */
export function readsOf(db: Database): Record<string, () => Promise<unknown>> {
  const parts = partsOf(db);
  const products = createProductService({
    ...parts,
    countDevices: devicesSeenSince,
    traceReport: createTraceReport(parts.documents),
  });
  // Each read of a wallet is the first after a block: nothing is taken from memory.
  const portfolio = () => createPortfolioService({ ...parts, lookups: createLookups() });
  const devices = createTelemetryReader({ ...parts, now: () => END * 1_000 });
  const transparency = createTransparencyService(parts);
  const alone = { also: undefined };
  const month = { from: END * 1_000 - 30 * DAY_MS, to: END * 1_000 };
  const page = { page: 1, page_size: 20 };
  return {
    "product list": () => products.list({ page: 1, page_size: 20 } as never),
    "product summary": () => products.summary(),
    home: () => products.home(),
    "demand deposit": () => products.detail("demand"),
    "time deposit": () => products.detail("time"),
    "liquidity, demand": () => products.liquidity("demand"),
    "liquidity, time": () => products.liquidity("time"),
    "performance, demand, 30 days": () => products.performance("demand", "30d"),
    "performance, demand, all": () => products.performance("demand", "all"),
    "performance, time, 30 days": () => products.performance("time", "30d"),
    "performance, time, all": () => products.performance("time", "all"),
    queue: () => products.queue("demand", page),
    "transactions, newest": () => products.transactions("demand", page),
    hold: () => portfolio().hold(wallet, { ...alone, ...page } as never),
    "total value": () => portfolio().totalHoldValue(wallet, alone as never),
    "activity, newest": () => portfolio().transactions(wallet, { ...alone, ...page } as never),
    "profit, 7 days": () => portfolio().totalProfit(wallet, { ...alone, range: "7d" }),
    "profit, all": () => portfolio().totalProfit(wallet, { ...alone, range: "all" }),
    "statement of a month": () => portfolio().statement(wallet, { ...alone, ...month } as never),
    "devices of a product": () => devices.devices("demand"),
    "readings, 30 days": () => devices.readings("demand", { days: 30 } as never),
    fleet: () => devices.fleet(),
    transparency: () => transparency.summary(),
    acts: () => transparency.acts(page),
  };
}

/** The reads of devices at the present time. */
export function deviceReads(db: Database): Record<string, () => Promise<unknown>> {
  const reader = createTelemetryReader(partsOf(db));
  const operators = createDevices({ db, chainIds: [CHAIN], writer: undefined as never });
  return {
    "devices of a product": () => reader.devices("demand"),
    "readings of a device": () => reader.deviceReadings("sender-0", { limit: 20 }),
    "fleet summary": () => reader.fleet(),
    "operator's list": () => Readable.from(operators.slices()).toArray(),
  };
}
