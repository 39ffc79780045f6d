import { DAY_MS } from "@aqua/sdk/durations";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { OpenFindings } from "../findings/open.ts";
import { RetryLater } from "../jobs/runner.ts";
import { enqueue } from "../jobs/store.ts";
import type { OperatorAccess } from "../operators/access.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { createChainEvents, type WebhookChain } from "./chainEvents.ts";
import { createDelivery } from "./deliver.ts";
import { DELIVERY_JOB, type EmitWebhook } from "./emit.ts";
import { webhookRoutes } from "./routes.ts";
import { webhookCursor } from "./schema.ts";
import { createWebhookService, deleteOldEvents } from "./service.ts";

export interface WebhookParts {
  db: Database;
  config: Pick<Config, "webhook">;
  chains: readonly WebhookChain[];
  findings: OpenFindings;
  emit: EmitWebhook;
  writer: LogWriter;
  /** Null: there are no operator's calls. */
  access: OperatorAccess | null;
  notifyJobs(): void;
  log: Pick<Logger, "error">;
}

/** Kind of the job that creates the events of final blocks. */
export const CHAIN_JOB = "webhook.chains";
const EVERY_MS = 5_000;
/** How long an event is stored, in milliseconds. */
const STORED_MS = 30 * DAY_MS;

/** Tells the operator's system what happens: signed events after Standard Webhooks, retried for three days. */
export function createWebhookFeature(parts: WebhookParts): Feature {
  const { db, config, writer, access, notifyJobs, log } = parts;
  const isOn = config.webhook !== null;
  const chains = parts.chains.filter(({ deployment }) => deployment !== null);
  const service = createWebhookService({ db, isOn, writer, notifyJobs });
  return {
    routes: access === null ? [] : [webhookRoutes(service, access)],
    jobs: {
      [DELIVERY_JOB]: createDelivery({ db, webhook: config.webhook }),
      async [CHAIN_JOB](_payload, { signal }) {
        if (!isOn) return;
        let waits = false;
        for (const chain of chains) {
          if (signal.aborted) break;
          try {
            if (await createChainEvents(parts, chain)) waits = true;
          } catch (error) {
            // A problem with one chain must not delay the others.
            log.error(
              { err: error, chain_id: chain.chainId },
              "webhooks of a chain cannot be created; it is tried again",
            );
          }
        }
        notifyJobs();
        throw new RetryLater(waits ? 0 : EVERY_MS);
      },
    },
    deleteExpired: () => deleteOldEvents(db, Date.now() - STORED_MS),
    async start() {
      if (isOn) await enqueue(db.orm, { kind: CHAIN_JOB, payload: {}, dedupeKey: CHAIN_JOB });
      // What happens while the setting is missing is never sent.
      else await db.orm.delete(webhookCursor);
    },
  };
}
