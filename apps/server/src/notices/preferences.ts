import {
  type NoticeKind,
  type Notifications,
  type OptionalNotice,
  optionalNotice,
  optionalNotices,
  requiredNotices,
} from "@aqua/sdk/api/notices";
import type { LanguageCode } from "@aqua/sdk/languages";
import { and, asc, eq } from "drizzle-orm";
import { account } from "../account/schema.ts";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { noticePreference, noticeSent } from "./schema.ts";

/** Kinds that are sent only to accounts that asked for them. */
const offByDefault: ReadonlySet<NoticeKind> = new Set(["income"]);

export function isOptional(kind: NoticeKind): kind is OptionalNotice {
  return optionalNotice.safeParse(kind).success;
}

/** Reads which kinds are sent to an account: by its own choice if it made one, otherwise by default. */
export async function preferencesOf(
  orm: Orm,
  accountIds: readonly string[],
): Promise<(accountId: string, kind: NoticeKind) => boolean> {
  const rows =
    accountIds.length === 0
      ? []
      : await orm.select().from(noticePreference).where(anyOf(noticePreference.accountId, accountIds));
  const chosen = new Map(rows.map((row) => [`${row.accountId} ${row.kind}`, row.enabled]));
  return (accountId, kind) => !isOptional(kind) || (chosen.get(`${accountId} ${kind}`) ?? !offByDefault.has(kind));
}

/** The accounts that asked for a kind that is off by default. */
export async function accountsWith(orm: Orm, kind: OptionalNotice): Promise<string[]> {
  const rows = await orm
    .select({ accountId: noticePreference.accountId })
    .from(noticePreference)
    .where(and(eq(noticePreference.kind, kind), eq(noticePreference.enabled, true)));
  return rows.map(({ accountId }) => accountId);
}

/** @throws ApiError token_error if the account was deleted meanwhile */
export async function readNotifications(orm: Orm, accountId: string): Promise<Notifications> {
  const [owner] = await orm.select({ language: account.language }).from(account).where(eq(account.id, accountId));
  if (owner === undefined) throw new ApiError("token_error", "This account is no longer there");
  const isOn = await preferencesOf(orm, [accountId]);
  const row = (kind: NoticeKind) => ({ kind, on: isOn(accountId, kind), optional: isOptional(kind) });
  return { language: owner.language, kinds: [...requiredNotices, ...optionalNotices].map(row) };
}

/** Changes the given settings. Returns false if the account was deleted meanwhile. */
export async function setNotifications(
  tx: Orm,
  accountId: string,
  {
    language,
    kinds = {},
    now,
    writer,
  }: {
    language?: LanguageCode | undefined;
    kinds?: Partial<Record<OptionalNotice, boolean | undefined>> | undefined;
    now: number;
    writer: LogWriter;
  },
): Promise<boolean> {
  const [owner] = await tx.select({ id: account.id }).from(account).where(eq(account.id, accountId)).for("update");
  if (owner === undefined) return false;
  await writer.requireAccount(tx, accountId);
  if (language !== undefined) await tx.update(account).set({ language }).where(eq(account.id, accountId));
  for (const kind of optionalNotices) {
    const enabled = kinds[kind];
    if (enabled === undefined) continue;
    await tx
      .insert(noticePreference)
      .values({ accountId, kind, enabled, updateTime: now })
      .onConflictDoUpdate({
        target: [noticePreference.accountId, noticePreference.kind],
        set: { enabled, updateTime: now },
      });
  }
  await writer.account(tx, accountId);
  return true;
}

/** The data that this feature stores about an account, for its owner. */
export async function exportNotices(orm: Orm, accountId: string): Promise<Record<string, unknown>> {
  const chosen = await orm.select().from(noticePreference).where(eq(noticePreference.accountId, accountId));
  const sent = await orm
    .select()
    .from(noticeSent)
    .where(eq(noticeSent.accountId, accountId))
    .orderBy(asc(noticeSent.time), asc(noticeSent.key));
  return {
    notices: {
      chosen: chosen.map(({ kind, enabled, updateTime }) => ({ kind, on: enabled, update_time: updateTime })),
      sent: sent.map(({ key, time }) => ({ key, time })),
    },
  };
}
