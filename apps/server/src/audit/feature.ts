import { setTimeout as sleep } from "node:timers/promises";
import { envelope } from "@aqua/sdk/api/envelope";
import { auditSummary as summarySchema } from "@aqua/sdk/api/transparency";
import { confirmationsOf } from "@aqua/sdk/chains";
import type { Deployment } from "@aqua/sdk/deployment";
import { rootOfLeaves } from "@aqua/sdk/proofs/log/tree";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Logger } from "pino";
import { Gauge } from "prom-client";
import type { PublicClient } from "viem";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import { createLeadership } from "../leadership/leadership.ts";
import type { ContentOf } from "../mail/definition.ts";
import type { Mailer } from "../mail/mail.ts";
import type { LogKey } from "../publicLog/tree.ts";
import type { RecordKeys } from "../publicLog/writer.ts";
import type { EmitWebhook } from "../webhooks/emit.ts";
import { runAudits } from "./loop.ts";
import {
  AUDIT_MAIL_JOB,
  type auditMails,
  createAuditMailJob,
  scheduleAuditMail,
  scheduleOpenAuditMail,
} from "./mails.ts";
import { auditSummary, createAuditStore, type Finding, openFindings } from "./store.ts";
import { runStoredAudits } from "./storedLoop.ts";

export interface AuditParts {
  db: Database;
  keys: RecordKeys;
  logKey: LogKey;
  reads: Pick<Database, "transaction">;
  chains: readonly {
    chainId: number;
    client: PublicClient;
    deployment: Deployment | null;
    confirmations: number | null;
  }[];
  /** The part of a core's time that the audit may take; 0 turns it off. */
  share: number;
  /** Id of this process. */
  leader: string;
  /** Addresses that are told of findings. May be empty. */
  operatorMail: readonly string[];
  mailer: Pick<Mailer<ContentOf<typeof auditMails>>, "enqueue">;
  /** Tells the operator's system of findings. */
  emit: EmitWebhook;
  notifyJobs(): void;
  log: Pick<Logger, "info" | "warn" | "error">;
}

const LOOK_MS = 10_000;
const STOP_MS = 1_500;
/** An audit that moves to another process starts again, so it moves only when its process is surely gone. */
const LEASE_MS = 60_000;

/** The event about a finding. It names the row only: its values may be long, and GET transparency/audit has them. */
export function findingEvent({ id, chainId, table, row, column, since }: Finding): Parameters<EmitWebhook>[1] {
  const data = { id, chain_id: chainId, table, row, column: column || null, found_at: since };
  return { type: "finding", time: since, fact: String(id), data };
}

/** Compares the stored rows with the chain all the time, on one of the processes, and publishes what it finds. */
export function createAuditFeature(parts: AuditParts): Feature {
  const { db, keys, logKey, reads, chains, share, leader, log, operatorMail, mailer, emit, notifyJobs } = parts;
  const tells = operatorMail.length > 0;
  const audited = chains.flatMap(({ chainId, client, deployment, confirmations }) =>
    deployment === null
      ? []
      : [
          {
            ...{ chainId, client, deployment },
            confirmations: confirmations ?? confirmationsOf(chainId),
          },
        ],
  );
  const chainIds = audited.map(({ chainId }) => chainId);
  let open: ReadonlyMap<number, number> = new Map();
  const publicLog = { keys, key: logKey, seen: { size: 0, root: rootOfLeaves([]) } };
  let looking: NodeJS.Timeout | undefined;
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const leadership = createLeadership({
    ...{ db, log, leader, work: "audit", leaseMs: LEASE_MS },
    begin: () => {
      stopping = new AbortController();
      const store = createAuditStore(db, async (tx, added, now) => {
        if (tells) await scheduleAuditMail(tx, added, now);
        for (const finding of added) await emit(tx, findingEvent(finding));
      });
      // Both audits together take the share.
      const parts = { db, store, share: share / 2, log };
      const audits = [
        runAudits({ ...parts, chains: audited }, stopping.signal),
        runStoredAudits({ ...parts, publicLog, chainIds }, stopping.signal),
      ];
      running = Promise.all(audits).then(
        () => {},
        (error: unknown) => log.error({ err: error }, "audit: it has stopped; restart the server to start it again"),
      );
    },
    end: async () => {
      stopping.abort();
      // A stalled node must not delay the stop. What the audit still reads is not recorded.
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
  });

  async function look(): Promise<void> {
    try {
      open = await openFindings(db.orm);
      if (tells && open.size > 0) await scheduleOpenAuditMail(db.orm, Date.now());
    } catch (error) {
      db.noteFailure(error);
    }
  }

  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      "/transparency/audit",
      {
        schema: {
          summary: "The audit of the stored rows: how far it is, and what it has found",
          tags: ["transparency"],
          response: { 200: envelope(summarySchema) },
        },
      },
      async () => ({ data: await reads.transaction((tx) => auditSummary(tx, chainIds), "repeatable read") }),
    );
  };

  return {
    routes: [routes],
    jobs: { [AUDIT_MAIL_JOB]: createAuditMailJob({ db, to: operatorMail, mailer, notifyJobs }) },
    troubles: () =>
      [...open].map(([chainId, count]) => ({
        part: `audit ${chainId}`,
        reason: "rows_differ",
        note: `${count} stored values differ from what chain ${chainId} says, so somebody or something changed the database. GET /api/v2/transparency/audit lists them; docs/auditors/audit.md says what to do.`,
      })),
    metrics(registry) {
      new Gauge({
        name: "aqua_audit_open_findings",
        help: "Stored values that differ from what the chain says and are not right again",
        labelNames: ["chain_id"],
        registers: [registry],
        collect() {
          this.reset();
          for (const chainId of chainIds) this.set({ chain_id: chainId }, open.get(chainId) ?? 0);
        },
      });
    },
    async start() {
      if (share === 0) return;
      await look();
      looking = setInterval(look, LOOK_MS);
      leadership.start();
    },
    async stop() {
      clearInterval(looking);
      await leadership.stop();
    },
  };
}
