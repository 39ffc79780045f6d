import { z } from "zod";
import { email } from "./auth.ts";
import { address, listOf, pageQuery, shortId, time } from "./envelope.ts";
import { documentKind } from "./identity.ts";
import { deviceBody } from "./telemetry.ts";
import { shownText } from "./text.ts";

// The operator's calls, with OPERATOR_TOKEN as bearer token. They exist only if that setting is set.

export const caseStatus = z.enum(["pending", "verified", "rejected", "expired"]);
export const caseListQuery = pageQuery.extend({ status: caseStatus.default("pending") });
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

/** POST operator/account/logout: ends every log-in of the account with this e-mail. */
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

/** Why readings are lost. Everybody can read it. */
export const lossBody = z.object({ reason: z.string().trim().min(1).max(500) });
/** Body of POST operator/batches/declare-lost: a batch of the chain whose file is nowhere. */
export const lostBatchBody = lossBody.extend({ short_id: shortId, number: z.number().int().positive() });
