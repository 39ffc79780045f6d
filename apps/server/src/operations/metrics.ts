import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge, type Registry } from "prom-client";
import { type Config, roles } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { JobOutcome } from "../jobs/runner.ts";
import { version } from "../version.ts";
import { anchored, jobCounts, leaders } from "./figures.ts";
import { runningInstances } from "./heartbeat.ts";
import type { PayingKeys } from "./keys.ts";

/** Prometheus gives up a scrape after 10 s by default. The metrics that need no database must be answered until then. */
const ANSWER_MS = 3_000;

export interface OperationMetricParts {
  db: Pick<Database, "orm" | "connections">;
  config: Pick<Config, "roles">;
  /** Work that one process does at a time. */
  works: readonly string[];
  /** Kinds of the jobs that this process runs. */
  kinds: () => readonly string[];
  keys: Pick<PayingKeys, "last">;
}

/** Creates the metrics about processes, jobs, the database and anchoring. */
export function createOperationMetrics({ db, config, works, kinds, keys }: OperationMetricParts) {
  const tries = new Counter({
    name: "aqua_job_tries_total",
    help: "Tries of jobs in this process by outcome: done, later (a condition is not met yet), failed, abandoned",
    labelNames: ["kind", "outcome"],
    registers: [],
  });
  /** Reads in sequence, because the connections belong to the requests. */
  async function read() {
    const { orm } = db;
    return {
      instances: await runningInstances(orm),
      leaders: await leaders(orm, works),
      jobs: await jobCounts(orm),
      products: await anchored(orm),
    };
  }
  type Figures = Awaited<ReturnType<typeof read>>;
  let figures: Promise<Figures | null> | null = null;
  /** One reading for all metrics of a scrape. Null if the database did not answer in time. */
  function figuresNow(): Promise<Figures | null> {
    figures ??= Promise.race([read().catch(() => null), sleep(ANSWER_MS, null, { ref: false })]).finally(() => {
      // The other metrics of this scrape have asked by then.
      figures = null;
    });
    return figures;
  }

  function register(registry: Registry): void {
    registry.registerMetric(tries as never);
    for (const kind of kinds()) for (const outcome of ["done", "failed", "abandoned"]) tries.inc({ kind, outcome }, 0);
    const registers = [registry];
    new Gauge({
      name: "aqua_build_info",
      help: "Always 1; the version of this server, of Node, and its roles",
      labelNames: ["version", "node", "roles"],
      registers,
    }).set({ version, node: process.version, roles: config.roles.join() }, 1);
    new Gauge({
      name: "aqua_database_connections",
      help: "Connections of this process to the database: used by a query or a transaction, or idle",
      labelNames: ["state"],
      registers,
      collect() {
        const { used, idle } = db.connections();
        this.set({ state: "used" }, used);
        this.set({ state: "idle" }, idle);
      },
    });
    new Gauge({
      name: "aqua_database_connections_max",
      help: "Most connections that this process opens to the database",
      registers,
      collect() {
        this.set(db.connections().most);
      },
    });
    new Gauge({
      name: "aqua_database_waiting",
      help: "Queries that wait for a connection to the database",
      registers,
      collect() {
        this.set(db.connections().waiting);
      },
    });
    new Gauge({
      name: "aqua_key_transactions_left",
      help: "Transactions of 300,000 gas that the account of a key can pay at the node's price",
      labelNames: ["chain_id", "key"],
      registers,
      collect() {
        for (const { chainId, name, transactionsLeft } of keys.last()) {
          if (transactionsLeft !== null) this.set({ chain_id: chainId, key: name }, transactionsLeft);
        }
      },
    });

    new Gauge({
      name: "aqua_database_answers",
      help: "1 if the database answered this scrape within 3 s; if not, the metrics that are read from it are missing",
      registers,
      async collect() {
        this.set((await figuresNow()) === null ? 0 : 1);
      },
    });
    /** A metric that is the same on each process, because it is read from the database. */
    const shared = <Label extends string>(
      about: { name: string; help: string; labelNames: Label[] },
      rows: (figures: Figures) => (readonly [Record<Label, string | number>, number])[],
    ) =>
      new Gauge({
        ...about,
        registers,
        async collect() {
          const figures = await figuresNow();
          this.reset();
          for (const [labels, value] of figures === null ? [] : rows(figures)) this.set(labels, value);
        },
      });
    shared({ name: "aqua_instances", help: "Running processes that have this role", labelNames: ["role"] }, (all) =>
      roles.map((role) => [{ role }, all.instances.filter((one) => one.roles.includes(role)).length]),
    );
    shared(
      { name: "aqua_leader", help: "1 if a process does this work, which one does at a time", labelNames: ["work"] },
      (all) => all.leaders.map(({ work, instance }) => [{ work }, instance === null ? 0 : 1]),
    );
    shared(
      {
        name: "aqua_jobs",
        help: "Jobs: waiting, failing (the last try failed, and it is tried again), abandoned (within 30 days)",
        labelNames: ["kind", "state"],
      },
      ({ jobs }) =>
        jobs.flatMap(({ kind, waiting, failing, abandoned }) => [
          [{ kind, state: "waiting" }, waiting] as const,
          [{ kind, state: "failing" }, failing] as const,
          [{ kind, state: "abandoned" }, abandoned] as const,
        ]),
    );
    shared(
      {
        name: "aqua_jobs_overdue_seconds",
        help: "Time for which the oldest due job waits for a worker",
        labelNames: ["kind"],
      },
      ({ jobs }) => jobs.map(({ kind, overdueSeconds }) => [{ kind }, overdueSeconds]),
    );
    const labels = { labelNames: ["chain_id", "short_id"] } as { labelNames: ("chain_id" | "short_id")[] };
    const of = ({ chainId, shortId }: Figures["products"][number]) => ({ chain_id: chainId, short_id: shortId });
    shared(
      {
        name: "aqua_anchor_age_seconds",
        help: "Time since a product's newest batch on chain, or since its first device was enrolled if there is none",
        ...labels,
      },
      ({ products }) => products.map((one) => [of(one), one.ageSeconds]),
    );
    shared(
      { name: "aqua_readings_unanchored", help: "Accepted readings of a product that are in no batch", ...labels },
      ({ products }) => products.map((one) => [of(one), one.readings]),
    );
    shared(
      { name: "aqua_batches_waiting", help: "Batches of a product that were built and are not on chain", ...labels },
      ({ products }) => products.map((one) => [of(one), one.batches]),
    );
  }

  return { register, tried: (kind: string, outcome: JobOutcome) => tries.inc({ kind, outcome }) };
}
