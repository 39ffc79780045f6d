import type { Identity } from "@aqua/sdk/api/identity";
import type { Orm } from "../db/database.ts";
import type { JobHandler } from "../jobs/runner.ts";

/** Who decides about submissions. Decisions come back through `Decisions`, whenever they come. */
export interface IdentityProvider {
  name: Identity["provider"];
  sandboxNames: Identity["sandbox_names"];
  /** Called in the transaction that keeps a submission, to take on what gets it decided. */
  submitted(tx: Orm, caseId: string, name: string): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

/** An operator looks at the documents and decides, with the command `aqua` or the operator's calls. */
export const manualProvider: IdentityProvider = {
  name: "manual",
  sandboxNames: [],
  submitted: async () => {},
  handlers: {},
};
