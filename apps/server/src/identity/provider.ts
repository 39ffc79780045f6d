import type { Identity } from "@aqua/sdk/api/identity";
import type { Orm } from "../db/database.ts";
import type { JobHandler } from "../jobs/runner.ts";

/** The party that decides about submissions. Decisions arrive later through `Decisions`. */
export interface IdentityProvider {
  name: Identity["provider"];
  sandboxNames: Identity["sandbox_names"];
  /** Called in the transaction that stores a submission, to enqueue what leads to a decision. */
  submitted(tx: Orm, caseId: string, name: string): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

/** An operator examines the documents and decides with the command `aqua` or with the operator's calls. */
export const manualProvider: IdentityProvider = {
  name: "manual",
  sandboxNames: [],
  submitted: async () => {},
  handlers: {},
};
