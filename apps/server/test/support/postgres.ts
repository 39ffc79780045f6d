import type { TestProject } from "vitest/node";
import { startPostgres } from "./startPostgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Administrator's connection string of the PostgreSQL server of this run. */
    postgresUrl: string;
  }
}

/** One PostgreSQL server for the whole run, which forgets everything when the machine does: tests need no more. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres(["fsync=off", "synchronous_commit=off", "full_page_writes=off"]);
  project.provide("postgresUrl", url);
  return stop;
}
