import type { BindingReason } from "@aqua/sdk/api/auth";
import type { Target } from "./target.ts";

/** IdentityRegistry.Record */
export interface ChainRecord {
  subject: bigint;
  validUntil: bigint;
  country: number;
  tier: number;
  flags: number;
}
const REVOKED = 1;
const RETIRED = 4;
/** The only level of verification. */
export const TIER = 1;

/**
 * The next call on a chain towards the wanted record of a wallet. `done` names the state that the record has reached.
 */
export type Step =
  | { kind: "bind" | "renew" | "revoke" }
  | { kind: "done"; state: "bound" | "waiting" | "retired"; reason?: BindingReason }
  | { kind: "refused"; reason: BindingReason };

/** @param now Unix seconds */
export function nextStep(record: ChainRecord, target: Target, now: bigint): Step {
  const known = record.subject !== 0n;
  const over = (record.flags & (REVOKED | RETIRED)) !== 0;
  switch (target.kind) {
    case "former":
      if (known && !over) return { kind: "revoke" };
      return {
        kind: "done",
        state: "retired",
        ...((record.flags & RETIRED) === 0 ? {} : { reason: "handed_on" }),
      };
    case "unverified":
      // An expired record is exit-only by itself.
      return known && !over && record.validUntil >= now ? { kind: "revoke" } : { kind: "done", state: "waiting" };
    case "verified":
      if (known && record.subject !== target.subject) return { kind: "refused", reason: "other_subject" };
      if ((record.flags & RETIRED) !== 0) return { kind: "refused", reason: "retired" };
      if (target.validUntil <= now) return { kind: "done", state: "waiting" };
      if (!known || over || record.country !== target.country || record.tier !== TIER) return { kind: "bind" };
      return record.validUntil === target.validUntil ? { kind: "done", state: "bound" } : { kind: "renew" };
  }
}
