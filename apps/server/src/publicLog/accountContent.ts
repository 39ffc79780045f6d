import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";

/**
 * What the log vouches for of an account, by table. It leaves out what changes with every use (counters, times of the
 * last use, sessions) and what is sealed, because a sealed value that somebody changes or moves cannot be opened.
 */
const tables: Readonly<Record<string, (accountId: SQL) => SQL>> = {
  account: (id) => sql`
    select email, password_hash, country, language, subject, create_time from account where id = ${id}`,
  account_passkey: (id) => sql`
    select id, public_key, name, create_time from account_passkey where account_id = ${id} order by id`,
  account_totp: (id) => sql`
    select name, create_time, active_time from account_totp where account_id = ${id} and active_time > 0`,
  recovery_code: (id) => sql`select code_hash from recovery_code where account_id = ${id} order by code_hash`,
  identity_case: (id) => sql`
    select id, provider, status, country, document_kind, submit_time, decide_time, valid_until, reason
    from identity_case where account_id = ${id} order by id`,
  identity_document: (id) => sql`
    select d.case_id, d.type, d.size from identity_document d join identity_case c on c.id = d.case_id
    where c.account_id = ${id} order by d.case_id`,
  account_wallet: (id) => sql`
    select address, create_time, current, unlink_time, message, signature, chain_id
    from account_wallet where account_id = ${id} order by address`,
  wallet_switch: (id) => sql`
    select id, from_address, to_address, linked, create_time, effective_time, stop_time
    from wallet_switch where account_id = ${id} order by id`,
  notice_preference: (id) => sql`
    select kind, enabled from notice_preference where account_id = ${id} order by kind`,
};

/** Rows of an account as JSON text by table, in the same form whenever the rows are the same. */
export type AccountContent = Record<string, string>;

/** Returns the content of accounts by their ids. An account that does not exist is left out. */
export async function accountContents(tx: Orm, ids: readonly string[]): Promise<Map<string, AccountContent>> {
  const columns = Object.entries(tables).map(
    ([table, rows]) =>
      sql`(select coalesce(jsonb_agg(to_jsonb(r)), '[]')::text from (${rows(sql`a.id`)}) r) as ${sql.identifier(table)}`,
  );
  const { rows } = await tx.execute<Record<string, string>>(sql`
    select a.id as "accountId", ${sql.join(columns, sql`, `)} from account a
    where a.id = any(${sql`array[${sql.join(
      ids.map((id) => sql`${id}`),
      sql`, `,
    )}]::text[]`}) order by a.id`);
  return new Map(rows.map(({ accountId, ...content }) => [accountId as string, content]));
}
