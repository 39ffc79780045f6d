import { z } from "zod";
import { language } from "./auth.ts";
import { address, asOf, lang, rate, shortId, time, transactionHash, wallets } from "./envelope.ts";

/** Kinds of e-mails that the owner of an account may switch off. */
export const optionalNotices = ["withdrawals", "maturities", "verification", "evidence", "income"] as const;
/**
 * Kinds of e-mails that cannot be switched off, because they concern who can reach the money, on what terms, or whether
 * it is there.
 */
export const requiredNotices = ["recoveries", "owner_acts", "losses"] as const;
export const optionalNotice = z.enum(optionalNotices);
export type OptionalNotice = z.infer<typeof optionalNotice>;
export const noticeKind = z.enum([...requiredNotices, ...optionalNotices]);
export type NoticeKind = z.infer<typeof noticeKind>;

/** GET account/notifications: the language of all e-mails, and the kinds that are sent. */
export const notifications = z.object({
  language,
  kinds: z.array(z.object({ kind: noticeKind, on: z.boolean(), optional: z.boolean() })),
});
export type Notifications = z.infer<typeof notifications>;
/** Omitted fields do not change. */
export const notificationsBody = z.object({
  language: language.optional(),
  kinds: z.partialRecord(optionalNotice, z.boolean()).optional(),
});

/** `token` comes from the link in an e-mail. It acts for one account and one kind of mail, without a log-in. */
export const unsubscribeQuery = z.object({ token: z.string().min(1).max(400) });
export const unsubscription = z.object({ kind: optionalNotice, on: z.boolean() });
export type Unsubscription = z.infer<typeof unsubscription>;

/** `wallets` are the wallets of one holder, whose exit time is estimated for each change. */
export const announcementsQuery = z.object({ wallets: wallets.optional(), lang });

/**
 * A change of fee or custodian that the product's owner has scheduled and not yet made. It can be made from
 * `possible_from` until `possible_until`. `present` and `next` are the values now and after the change.
 */
const scheduledChange = z.object({
  operation: z.string(),
  nonce: z.number().int(),
  scheduled_at: time,
  possible_from: time,
  possible_until: time,
  hash: transactionHash,
});
/** `fee` is the part of a gain that the operator receives. */
const feeValues = z.object({ fee: rate });
/** `buffer` is the part of totalAssets that is never deployed. `custodian` is null if none is named. */
const custodyValues = z.object({ custodian: address.nullable(), buffer: rate });
export const announcement = z.discriminatedUnion("kind", [
  scheduledChange.extend({ kind: z.literal("fee"), present: feeValues, next: feeValues }),
  scheduledChange.extend({ kind: z.literal("custodian"), present: custodyValues, next: custodyValues }),
]);
export type Announcement = z.infer<typeof announcement>;

/**
 * The reason why an exit is not estimated. `no_position`: the wallets hold no shares, or no wallets were named.
 * `restricted`: one of them has no record or is frozen. `no_estimate`: the product's history is too short, or its
 * inflow never sufficed.
 */
export const exitUnknown = z.enum(["no_position", "restricted", "no_estimate"]);
export type ExitUnknown = z.infer<typeof exitUnknown>;

/**
 * GET product/{shortId}/announcements. The soonest change comes first. A time deposit's fee and custodian never change.
 */
export const announcements = z.object({
  short_id: shortId,
  name: z.string(),
  chain_id: z.number().int(),
  changes: z.array(announcement),
  /**
   * Milliseconds from `as_of` within which half and 90% of comparable exits were done. The exit covers all shares of
   * the wallets.
   */
  exit: z.object({ p50: z.number().int(), p90: z.number().int() }).nullable(),
  /** Null if `exit` is known. */
  exit_unknown: exitUnknown.nullable(),
  as_of: asOf,
});
export type Announcements = z.infer<typeof announcements>;
