import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Registry } from "prom-client";
import type { JobHandler } from "./jobs/runner.ts";

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
  /** Messages of `GET /health` while something that the feature needs is unavailable. Empty if all is well. */
  notes?(): string[];
  /** Starts work that runs beside requests. Called once the server listens. */
  start?(): Promise<void> | void;
  /** Stops that work and stores accepted data. Features stop in the reverse order of their creation. */
  stop?(): Promise<void> | void;
}
