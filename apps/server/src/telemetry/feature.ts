import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { EventHub } from "../events/hub.ts";
import type { Feature } from "../feature.ts";
import type { OperatorAccess } from "../operators/access.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createDirectory } from "./directory.ts";
import { createImport, type ImportBatches } from "./import.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import { createLosses } from "./losses.ts";
import { createIngestMetrics } from "./metrics.ts";
import { createNews } from "./news.ts";
import { deviceOperatorRoutes } from "./operatorRoutes.ts";
import { createPartitions } from "./partitions.ts";
import { deleteOldRefusals } from "./refused.ts";
import { dropOldMonths } from "./retention.ts";
import { telemetryRoutes } from "./routes.ts";

export interface TelemetryParts {
  db: Database;
  events: EventHub;
  /** The chains of this instance, in order of preference. */
  chainIds: readonly number[];
  writer: LogWriter;
  /** Null: there are no operator's calls. */
  access: OperatorAccess | null;
  config: Pick<Config, "retentionDays"> & { rateLimits: Pick<Config["rateLimits"], "telemetry"> };
}

export interface TelemetryFeature extends Feature {
  ingest: Ingest;
  importBatches: ImportBatches;
  checkSecret: Devices["checkSecret"];
}

/** Creates the feature for devices and their readings, as configured. */
export function createTelemetryFeature({
  db,
  events,
  chainIds,
  writer,
  access,
  config,
}: TelemetryParts): TelemetryFeature {
  const devices = createDevices({ db, chainIds, writer });
  const metrics = createIngestMetrics();
  const news = createNews(events);
  const partitions = createPartitions(db);
  const directory = createDirectory(db.orm);
  const ingest = createIngest({ db, directory, partitions, watchers: [news, metrics] });
  const importBatches = createImport({ db, directory, partitions });
  const losses = createLosses({ db, chainIds, writer });
  const { rateLimits, retentionDays } = config;
  return {
    routes: [
      telemetryRoutes({ ingest, perMinute: rateLimits.telemetry, onBusy: metrics.busy }),
      ...(access === null ? [] : [deviceOperatorRoutes({ devices, importBatches, losses, access })]),
    ],
    ingest,
    importBatches,
    checkSecret: devices.checkSecret,
    metrics: (registry) => metrics.register(registry, ingest),
    async deleteExpired() {
      await deleteOldRefusals(db.orm, Date.now());
      if (retentionDays > 0) await dropOldMonths(db, retentionDays, Date.now());
    },
    async stop() {
      await ingest.stop();
      news.stop();
    },
  };
}
