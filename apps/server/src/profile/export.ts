import { eq, inArray } from "drizzle-orm";
import { factorState } from "../account/factors.ts";
import { account, accountEvent, accountSession } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { exportCases } from "../identity/export.ts";
import type { Keys } from "../keys.ts";
import { outboxMails } from "../mail/store.ts";
import { accountWallet, walletBinding, walletSwitch } from "../records/schema.ts";

const MAILS = 1_000;

/** Exports the data that a feature above this one stores about an account, for its owner. */
export type ExportMore = (orm: Orm, accountId: string) => Promise<Record<string, unknown>>;

/**
 * All data stored about an account, for its owner. Excludes data that only serves as proof: the hashes of the password
 * and of session tokens. @throws ApiError token_error if the account was deleted meanwhile
 */
export async function exportAccount(
  orm: Orm,
  accountId: string,
  { keys, exportMore }: { keys: Keys; exportMore: ExportMore },
): Promise<Record<string, unknown>> {
  const [row] = await orm.select().from(account).where(eq(account.id, accountId));
  if (row === undefined) throw new ApiError("token_error", "This account is no longer there");
  const sessions = await orm.select().from(accountSession).where(eq(accountSession.accountId, accountId));
  const wallets = await orm.select().from(accountWallet).where(eq(accountWallet.accountId, accountId));
  const addresses = wallets.map(({ address }) => address);
  const records =
    addresses.length === 0
      ? []
      : await orm.select().from(walletBinding).where(inArray(walletBinding.address, addresses));
  return {
    exported_at: Date.now(),
    account: {
      email: row.email,
      country: row.country,
      language: row.language,
      subject: row.subject,
      create_time: row.createTime,
    },
    sessions: sessions.map(({ id, createTime, lastUse, expires, userAgent, place }) => {
      return { id, create_time: createTime, last_use: lastUse, expires_at: expires, user_agent: userAgent, place };
    }),
    second_factors: await factorState(orm, accountId),
    events: (await orm.select().from(accountEvent).where(eq(accountEvent.accountId, accountId))).map(
      ({ time, kind, userAgent, place, detail }) => ({ time, kind, user_agent: userAgent, place, detail }),
    ),
    switches: (await orm.select().from(walletSwitch).where(eq(walletSwitch.accountId, accountId))).map(
      ({ from, to, createTime, effectiveTime, stopTime }) => {
        return { from, to, create_time: createTime, effective_time: effectiveTime, stop_time: stopTime };
      },
    ),
    wallets: wallets.map(({ address, createTime, current, message, signature, chainId }) => ({
      address,
      create_time: createTime,
      current,
      message,
      signature,
      chain_id: chainId,
      records: records
        .filter((record) => record.address === address)
        .map(({ chainId, state, hash, reason, updateTime }) => {
          return { chain_id: chainId, state, hash, reason, update_time: updateTime };
        }),
    })),
    identity: await exportCases(orm, keys, accountId),
    mails: await outboxMails(orm, row.email, MAILS),
    ...(await exportMore(orm, accountId)),
  };
}
