import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { JobOutcome } from "../jobs/runner.ts";
import type { OperatorAccess } from "../operators/access.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { createHeartbeat, type HeartbeatParts } from "./heartbeat.ts";
import { createPayingKeys, type PayingChain } from "./keys.ts";
import { createOperationMetrics, type OperationMetricParts } from "./metrics.ts";
import { operationRoutes } from "./routes.ts";
import { createOperationService, type OperationChain, type OperationServiceParts } from "./service.ts";

export interface OperationParts
  extends Pick<HeartbeatParts, "id" | "log">,
    Pick<OperationMetricParts, "db" | "kinds">,
    Pick<OperationServiceParts, "troubles" | "notifyJobs"> {
  db: Database;
  config: Pick<Config, "roles" | "mqtt" | "attesterKey" | "anchoring" | "auditShare">;
  chains: readonly (OperationChain & PayingChain)[];
  writer: LogWriter;
  /** Null: there are no operator's calls. */
  access: OperatorAccess | null;
}

export interface OperationFeature extends Feature {
  /** Counts a try of a job. */
  tried(kind: string, outcome: JobOutcome): void;
}

/** Says that this process runs, and shows the operator what runs and what does not. */
export function createOperationFeature({ config, writer, access, ...parts }: OperationParts): OperationFeature {
  const heartbeat = createHeartbeat({ ...parts, roles: config.roles });
  const keys = createPayingKeys(config, parts.chains);
  const works = [
    ...parts.chains.flatMap(({ chainId, deployment }) => (deployment === null ? [] : [`chain ${chainId}`])),
    ...(config.mqtt !== null && "url" in config.mqtt ? ["mqtt"] : []),
    ...(config.auditShare > 0 ? ["audit"] : []),
  ];
  const metrics = createOperationMetrics({ ...parts, config, works, keys });
  const service = createOperationService({ ...parts, writer, works, keys });
  return {
    ...heartbeat,
    routes: access === null ? [] : [operationRoutes(service, access)],
    metrics: metrics.register,
    tried: metrics.tried,
  };
}
