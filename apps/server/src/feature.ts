import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Registry } from "prom-client";
import type { JobHandler } from "./jobs/runner.ts";

/** A part of the server, as instance.ts puts it together. */
export interface Feature {
  /** Mounted under /api/v2. */
  routes?: readonly FastifyPluginAsyncZod[];
  /** Handlers of its background jobs, by kind. */
  jobs?: Readonly<Record<string, JobHandler>>;
  /** Deletes what has expired; called every ten minutes. */
  deleteExpired?(): Promise<void>;
  /** Registers its metrics. */
  metrics?(registry: Registry): void;
  /** What `GET /health` says of it while something it needs is away; empty when all is well. */
  notes?(): string[];
  /** Begins what runs beside requests, once the server listens. */
  start?(): Promise<void> | void;
  /** Ends it and stores what was taken; features end in the reverse of the order they were made in. */
  stop?(): Promise<void> | void;
}
