import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Registry } from "prom-client";
import type { JobHandler } from "./jobs/runner.ts";

/** A part that does not work fully, in `GET /live`, `GET /ready` and the metric `aqua_degraded`. */
export interface Trouble {
  part: string;
  reason: string;
  /** A sentence for the operator: what it means and what to do. */
  note?: string;
}

/** A part of the server that instance.ts assembles. */
export interface Feature {
  /** Mounted under /api/v2. */
  routes?: readonly FastifyPluginAsyncZod[];
  /** Handlers of its background jobs, by kind. */
  jobs?: Readonly<Record<string, JobHandler>>;
  /** Deletes expired rows. Called every ten minutes. */
  deleteExpired?(): Promise<void>;
  /** Registers its metrics. */
  metrics?(registry: Registry): void;
  /** The parts it needs that do not work now. Empty if all is well. */
  troubles?(): Trouble[];
  /** Starts work that runs beside requests. Called once the server listens. */
  start?(): Promise<void> | void;
  /** Stops that work and stores accepted data. Features stop in the reverse order of their creation. */
  stop?(): Promise<void> | void;
}
