import { YEAR_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { enqueue } from "../jobs/store.ts";
import type { Keys } from "../keys.ts";
import type { Decision, Decisions } from "./decisions.ts";
import type { IdentityProvider } from "./provider.ts";
import { personOf, readCase } from "./store.ts";

const KIND = "identity.sandbox";

interface Outcome {
  /** The name of the outcome in GET account/identity. */
  outcome: "verified" | "rejected" | "pending" | "expired";
  /** The simulated duration of the check. Null if it never ends. */
  delayMs: number | null;
  decision: () => Decision;
}
const verified = (validMs: number) => (): Decision => ({ kind: "verified", validUntil: Date.now() + validMs });

const SOME_SECONDS = 3_000;
const anyone: Outcome = { outcome: "verified", delayMs: SOME_SECONDS, decision: verified(YEAR_MS) };
const outcomes = new Map<string, Outcome>([
  ["Test Verified", { outcome: "verified", delayMs: 0, decision: verified(YEAR_MS) }],
  [
    "Test Rejected",
    {
      outcome: "rejected",
      delayMs: SOME_SECONDS,
      decision: () => ({ kind: "rejected", reason: "document_unreadable" }),
    },
  ],
  ["Test Pending", { outcome: "pending", delayMs: null, decision: verified(YEAR_MS) }],
  ["Test Expired", { outcome: "expired", delayMs: 0, decision: verified(30_000) }],
]);

function outcomeOf(name: string): Outcome {
  const wanted = name.trim().toLowerCase();
  for (const [known, outcome] of outcomes) if (known.toLowerCase() === wanted) return outcome;
  return anyone;
}

/** Decides only by the name, after some seconds. For instances in which nothing has a value. */
export function createSandbox(parts: { db: Database; keys: Keys; decisions: Decisions }): IdentityProvider {
  const { db, keys, decisions } = parts;
  return {
    name: "sandbox",
    sandboxNames: [...outcomes].map(([name, { outcome }]) => ({ name, outcome })),
    async submitted(tx, caseId, name) {
      const { delayMs } = outcomeOf(name);
      if (delayMs !== null) await enqueue(tx, { kind: KIND, payload: { caseId }, runAt: Date.now() + delayMs });
    },
    handlers: {
      async [KIND](payload) {
        const row = await readCase(db.orm, (payload as { caseId: string }).caseId);
        if (row === null || row.status !== "pending") return;
        const { decision } = outcomeOf(personOf(keys, row).name);
        await decisions.decide(row.id, decision()).catch((error: unknown) => {
          // An operator has already decided.
          if (!(error instanceof ApiError)) throw error;
        });
      },
    },
  };
}
