import type { Wanted } from "./wanted.ts";

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
/** The one level of verification there is. */
export const TIER = 1;

/** What has to happen on a chain for a wallet's record to say what is wanted; `done` names where it then stands. */
export type Step =
  | { kind: "bind" | "renew" | "revoke" }
  | { kind: "done"; state: "bound" | "waiting" | "retired"; reason?: string }
  | { kind: "refused"; reason: string };

/** @param now Unix seconds */
export function nextStep(record: ChainRecord, wanted: Wanted, now: bigint): Step {
  const known = record.subject !== 0n;
  const over = (record.flags & (REVOKED | RETIRED)) !== 0;
  switch (wanted.kind) {
    case "former":
      if (known && !over) return { kind: "revoke" };
      return {
        kind: "done",
        state: "retired",
        ...((record.flags & RETIRED) === 0 ? {} : { reason: reasons.handedOn }),
      };
    case "unverified":
      // A record that ran out is exit-only by itself.
      return known && !over && record.validUntil >= now ? { kind: "revoke" } : { kind: "done", state: "waiting" };
    case "verified":
      if (known && record.subject !== wanted.subject) return { kind: "refused", reason: reasons.otherSubject };
      if ((record.flags & RETIRED) !== 0) return { kind: "refused", reason: reasons.retired };
      if (wanted.validUntil <= now) return { kind: "done", state: "waiting" };
      if (!known || over || record.country !== wanted.country || record.tier !== TIER) return { kind: "bind" };
      return record.validUntil === wanted.validUntil ? { kind: "done", state: "bound" } : { kind: "renew" };
  }
}

/** Said to the wallet's owner when a chain will not take its record, or has it as another than it might be thought. */
export const reasons = {
  otherSubject: "On this chain the wallet stands for another identity. Link another wallet.",
  retired: "On this chain the wallet was replaced by another for good. Link another wallet.",
  handedOn: "It gave its place to another wallet for good.",
  signature: "The chain does not accept the wallet's signature. Link the wallet again.",
  otherChain: "A contract wallet's signature counts only on the chain it was given on. Link the wallet on this chain.",
  notCreated: "The contract of this wallet is not on this chain yet. It is verified here once it is.",
} as const;
