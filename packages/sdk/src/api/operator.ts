import { z } from "zod";
import { email } from "./auth.ts";
import { address, listOf, pageQuery, shortId, time } from "./envelope.ts";
import { documentKind } from "./identity.ts";
import { operatorScopes } from "./rules.ts";
import { deviceBody } from "./telemetry.ts";
import { shownText } from "./text.ts";

// The operator's calls, with OPERATOR_TOKEN as bearer token. They exist only if that setting is set.

export const caseStatus = z.enum(["pending", "verified", "rejected", "expired"]);
export const caseListQuery = pageQuery.extend({ status: caseStatus.default("pending") });
export type CaseListQuery = z.infer<typeof caseListQuery>;
export const identityCaseLine = z.object({
  id: z.string(),
  status: caseStatus,
  provider: z.enum(["manual", "sandbox", "webhook"]),
  email: z.string(),
  country: z.string(),
  document_kind: documentKind,
  submitted_at: time,
  decided_at: time.nullable(),
  valid_until: time.nullable(),
  reason: z.string().nullable(),
});
export type IdentityCaseLine = z.infer<typeof identityCaseLine>;
export const identityCaseList = listOf(identityCaseLine);
export const identityCaseDetail = identityCaseLine.extend({
  name: z.string(),
  /** YYYY-MM-DD */
  birth_date: z.string(),
  /** Null after the document was deleted. */
  document: z.object({ type: z.string(), size: z.number().int() }).nullable(),
  wallets: z.array(z.object({ address, current: z.boolean() })),
});
export type IdentityCaseDetail = z.infer<typeof identityCaseDetail>;

/** Longest validity of a verification, in days. */
export const longestValidity = 3_650;
/** One of `rejectionCodes`, or the operator's own text. */
export const reason = shownText.trim().min(1, "Say why, in words the person can read").max(500);
export const approveBody = z.object({ valid_days: z.number().int().min(1).max(longestValidity).default(365) });
export const rejectBody = z.object({ reason });
export const revokeBody = z.object({ reason });
export type ApproveBody = z.input<typeof approveBody>;
export type RejectBody = z.input<typeof rejectBody>;

/** Name of an operator, as it stands in the public log. */
export const operatorName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, "Use 1 to 31 small letters, digits and hyphens, not first a hyphen");
/** POST operator/operators: `valid_days` null is a token that does not expire. */
export const operatorBody = z.object({
  name: operatorName,
  scopes: z.array(z.enum(operatorScopes)).min(1).max(operatorScopes.length),
  address: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/, "Use the address of the operator's key in small letters")
    .nullable()
    .default(null),
  valid_days: z.number().int().min(1).max(longestValidity).nullable().default(365),
});
export const namedOperator = z.object({
  name: z.string(),
  scopes: z.array(z.string()),
  address: z.string().nullable(),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
});
export type NamedOperator = z.infer<typeof namedOperator>;
/** The token is told only in this answer. */
export const addedOperator = z.object({ ...namedOperator.shape, token: z.string() });
export type AddedOperator = z.infer<typeof addedOperator>;

/** Status 202: the call was recorded, and another operator must make the same call. */
export const waitingForSecond = z.object({ waits_for_second: z.literal(true), first: z.string(), until: time });
export type WaitingForSecond = z.infer<typeof waitingForSecond>;

/** POST operator/account/logout and operator/account/accept: the account with this e-mail. */
export const logOutBody = z.object({ email });
/** The number of log-ins that the call ended. */
export const loggedOut = z.object({ email: z.string(), ended: z.number().int().nonnegative() });
export type LoggedOut = z.infer<typeof loggedOut>;

/** A device as it was enrolled, with its current interval. */
export const operatorDevice = z.object({
  ...deviceBody.shape,
  max_step: deviceBody.shape.max_step.unwrap(),
  co_signer: deviceBody.shape.co_signer.unwrap(),
  /** The interval of the enrolment comes first (`since` is null). Each later entry applies from `since` on. */
  intervals: z.array(z.object({ since: time.nullable(), interval: z.number().int() })),
  chain_id: z.number().int(),
  enrolled_at: time,
  retired_at: time.nullable(),
  /** The last accepted reading. Null before the first one. */
  last: z.object({ seq: z.number().int(), time }).nullable(),
});
export type OperatorDevice = z.infer<typeof operatorDevice>;

/** Result of POST operator/batches: imported batches, batches that were already present, and new readings. */
export const importedBatches = z.object({
  imported: z.number().int(),
  known: z.number().int(),
  readings: z.number().int(),
});
export type ImportedBatches = z.infer<typeof importedBatches>;

/** Why an operator does something. Everybody can read it. */
export const publicReason = shownText.trim().min(1, "Say why").max(500);
/** Why readings are lost. */
export const lossBody = z.object({ reason: publicReason });
/** Body of POST operator/batches/declare-lost: a batch of the chain whose file is nowhere. */
export const lostBatchBody = lossBody.extend({ short_id: shortId, number: z.number().int().positive() });

/** The headers by which an operator signs a call that changes something. */
export const actHeaders = {
  /** The operator's clock, Unix milliseconds. */
  time: "aqua-act-time",
  /** 32 random bytes as hex, of the commitment. */
  nonce: "aqua-act-nonce",
  /** EIP-712 signature. */
  signature: "aqua-act-signature",
  /** `publicReason` as percent-encoded UTF-8. May be absent. Not for calls about persons. */
  reason: "aqua-act-reason",
} as const;

/** Body of POST operator/log/restore: the newest checkpoint that the restored log does not lead to. */
export const restoreBody = lossBody.extend({
  size: z.number().int().positive(),
  /** Base64, as in the checkpoint. */
  root: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** Jobs in `operatorStatus` that fail or were given up. */
export const troubledJobsMax = 50;

const count = z.number().int().nonnegative();
/** GET operator/status: what runs on this database, and what needs a person. */
export const operatorStatus = z.object({
  time,
  /** The server processes, oldest first. */
  instances: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      host: z.string(),
      roles: z.array(z.string()),
      started_at: time,
      seen_at: time,
    }),
  ),
  /** Work that one process does at a time, and the id of the process; null if none does it. */
  leaders: z.array(z.object({ work: z.string(), instance: z.string().nullable() })),
  chains: z.array(
    z.object({
      chain_id: z.number().int(),
      state: z.string(),
      /** Newest block of the node and newest block in the tables. */
      head: z.object({ block: count, time }).nullable(),
      cursor: z.object({ block: count, time }).nullable(),
    }),
  ),
  /** Parts that do not work fully, as the process that answers knows it. */
  degraded: z.array(z.object({ part: z.string(), reason: z.string(), note: z.string().optional() })),
  jobs: z.array(
    z.object({ kind: z.string(), waiting: count, failing: count, abandoned: count, overdue_seconds: z.number() }),
  ),
  /** The jobs that fail, then those that were given up, the newest first; at most `troubledJobsMax`. */
  troubled_jobs: z.array(
    z.object({
      id: z.number().int(),
      kind: z.string(),
      state: z.enum(["failing", "abandoned"]),
      tries: count,
      reason: z.string(),
      /** The request that created the job, if one did. */
      request_id: z.string().nullable(),
      created_at: time,
      /** The next try; for a job that was given up, when that was. */
      at: time,
    }),
  ),
  anchoring: z.array(
    z.object({
      chain_id: z.number().int(),
      short_id: z.string(),
      /** Seconds since the newest batch on chain; since the first device was enrolled if there is none. */
      age_seconds: z.number(),
      readings_unanchored: count,
      batches_waiting: count,
      /** Why anchoring stopped until a person has seen to it. Known to the process that anchors. */
      stopped: z.string().nullable(),
    }),
  ),
  keys: z.array(
    z.object({
      chain_id: z.number().int(),
      name: z.enum(["attester", "anchorer"]),
      address,
      /** Transactions of 300,000 gas that its account can pay. Null if the node does not answer. */
      transactions_left: count.nullable(),
    }),
  ),
});
export type OperatorStatus = z.infer<typeof operatorStatus>;

/** POST operator/jobs/retry: which of the jobs that fail or were given up are tried again now; all of them by default. */
export const retryJobsBody = z.object({
  id: z.number().int().positive().optional(),
  kind: z.string().max(64).optional(),
});
export type RetryJobsBody = z.input<typeof retryJobsBody>;
export const retriedJobs = z.object({ retried: count });
export type RetriedJobs = z.infer<typeof retriedJobs>;
