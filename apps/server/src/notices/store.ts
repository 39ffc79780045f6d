import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { packed, statement } from "../db/statement.ts";
import { privilegedAct, receipt, withdrawalRequest } from "../indexer/schema.ts";
import { receiptStatus } from "../indexer/termReplay.ts";
import type { PrivilegedAct, Receipt, WithdrawalRequest } from "../indexer/world.ts";
import { accountWallet } from "../records/schema.ts";
import { noticeSent } from "./schema.ts";

const chain = sql`${sql.placeholder("chain")}::bigint`;
const product = sql`${sql.placeholder("product")}::text`;

const readHolders = statement<{ chain: number; product: Hex }, { account_id: string; wallets: Hex[] }>(
  "notice_holders",
  sql`select w.account_id, json_agg(w.address order by w.address) as wallets
    from account_wallet w cross join lateral (
      select v.shares, v.receipts from position v
      where v.wallet = w.address and v.chain_id = ${chain} and v.product = ${product}
      order by v.time desc, v.block desc, v.log_index desc limit 1
    ) p where p.shares > 0 or p.receipts > 0 group by w.account_id order by w.account_id`,
);

/**
 * Accounts that hold shares or live receipts of a product, with the wallets that hold them, including former wallets.
 */
export async function holdersOf(
  tx: Orm,
  of: { chainId: number; address: Hex },
): Promise<{ accountId: string; wallets: Hex[] }[]> {
  const rows = await readHolders(tx, { chain: of.chainId, product: of.address });
  return rows.map(({ account_id: accountId, wallets }) => ({ accountId, wallets }));
}

const readClaimable = statement<
  { chain: number },
  { account_id: string; wallet: Hex; product: Hex; claimable: string; processed: string }
>(
  "notice_claimable",
  sql`select w.account_id, w.address as wallet, l.address as product, p.claimable::text, line.processed::text
    from account_wallet w join product l on l.chain_id = ${chain} and l.product_type = 0
    cross join lateral (
      select v.claimable from position v
      where v.wallet = w.address and v.chain_id = l.chain_id and v.product = l.address
      order by v.time desc, v.block desc, v.log_index desc limit 1
    ) p
    cross join lateral (
      select v.processed from vault_state v where v.chain_id = l.chain_id and v.product = l.address
      order by v.time desc, v.block desc, v.log_index desc limit 1
    ) line
    where p.claimable > 0 order by w.account_id, w.address`,
);

/**
 * Amounts that queues have set aside for linked wallets and that are not collected, in smallest units. `processed` is
 * the total processed by the queue, in shares.
 */
export async function claimableOf(tx: Orm, chainId: number) {
  const rows = await readClaimable(tx, { chain: chainId });
  return rows.map(({ account_id: accountId, wallet, product: of, claimable, processed }) => {
    return { accountId, wallet, product: of, claimable: BigInt(claimable), processed: BigInt(processed) };
  });
}

const places = packed(withdrawalRequest);
const readStarted = statement<
  { chain: number; product: Hex; wallet: Hex; processed: string },
  { place: readonly unknown[] }
>(
  "notice_started_request",
  sql`select ${places.json("q")} as place from queue_place q
    where q.chain_id = ${chain} and q.product = ${product} and q.wallet = ${sql.placeholder("wallet")}::text
      and q.start < ${sql.placeholder("processed")}::numeric
    order by q.start desc, q.block desc, q.log_index desc limit 1`,
);

/** The newest request of a wallet that its queue has processed partly or completely. Null if there is none. */
export async function newestStarted(
  tx: Orm,
  of: { chainId: number; product: Hex; wallet: Hex; processed: bigint },
): Promise<WithdrawalRequest | null> {
  const { chainId, processed, ...rest } = of;
  const [row] = await readStarted(tx, { chain: chainId, processed: String(processed), ...rest });
  return row ? places.unpack(row.place) : null;
}

const receipts = packed(receipt);
const readMaturing = statement<
  { chain: number; from: number; to: number },
  { account_id: string; receipt: readonly unknown[] }
>(
  "notice_maturing",
  sql`select w.account_id, ${receipts.json("r")} as receipt from account_wallet w
    cross join lateral (
      select distinct o.product, o.receipt_id from receipt o where o.owner = w.address and o.chain_id = ${chain}
    ) ever cross join lateral (
      select v.* from receipt v
      where v.chain_id = ${chain} and v.product = ever.product and v.receipt_id = ever.receipt_id
      order by v.block desc, v.log_index desc limit 1
    ) r where r.status = ${sql.raw(String(receiptStatus.live))} and r.owner = w.address
      and r.maturity between ${sql.placeholder("from")}::bigint and ${sql.placeholder("to")}::bigint
    order by r.maturity, r.receipt_id`,
);

/** Live receipts of linked wallets that mature between two moments (Unix seconds, both inclusive). */
export async function maturingReceipts(
  tx: Orm,
  span: { chain: number; from: number; to: number },
): Promise<{ accountId: string; receipt: Receipt }[]> {
  const rows = await readMaturing(tx, span);
  return rows.map((row) => ({ accountId: row.account_id, receipt: receipts.unpack(row.receipt) }));
}

/** Linked wallets for which a recovery was ever proposed on a chain, with their accounts. */
export function walletsWithRecoveries(tx: Orm, chainId: number): Promise<{ accountId: string; wallet: Hex }[]> {
  return tx
    .selectDistinct({ accountId: accountWallet.accountId, wallet: accountWallet.address })
    .from(privilegedAct)
    .innerJoin(accountWallet, eq(accountWallet.address, sql`${privilegedAct.args}->>'wallet'`))
    .where(and(eq(privilegedAct.chainId, chainId), eq(privilegedAct.name, "RecoveryProposed")));
}

/** Recoveries of linked wallets that were executed after `since`, Unix seconds. */
export function executedRecoveries(
  tx: Orm,
  { chainId, since }: { chainId: number; since: number },
): Promise<{ accountId: string; act: PrivilegedAct }[]> {
  return tx
    .select({ accountId: accountWallet.accountId, act: privilegedAct })
    .from(privilegedAct)
    .innerJoin(accountWallet, eq(accountWallet.address, sql`${privilegedAct.args}->>'wallet'`))
    .where(
      and(
        eq(privilegedAct.chainId, chainId),
        eq(privilegedAct.name, "Retired"),
        eq(sql`${privilegedAct.args}->>'recovered'`, "true"),
        gt(privilegedAct.time, since),
      ),
    )
    .orderBy(desc(privilegedAct.block), desc(privilegedAct.logIndex));
}

const readExpiring = statement<{ from: number; to: number }, { account_id: string; until: string }>(
  "notice_expiring_identities",
  sql`select c.account_id, max(c.valid_until)::text as until from identity_case c
    where c.status = 'verified' and not exists (
      select from identity_case p where p.account_id = c.account_id and p.status = 'pending'
    ) group by c.account_id
    having max(c.valid_until) > ${sql.placeholder("from")}::bigint
      and max(c.valid_until) <= ${sql.placeholder("to")}::bigint order by c.account_id`,
);

/** Accounts whose verification ends between two moments (Unix milliseconds) and that have not submitted again. */
export async function expiringIdentities(
  orm: Orm,
  span: { from: number; to: number },
): Promise<{ accountId: string; until: number }[]> {
  const rows = await readExpiring(orm, span);
  return rows.map(({ account_id: accountId, until }) => ({ accountId, until: Number(until) }));
}

/** The pairs of account and key, as "account key", that were already sent among these keys. */
export async function sentAmong(tx: Orm, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx
    .select({ accountId: noticeSent.accountId, key: noticeSent.key })
    .from(noticeSent)
    .where(anyOf(noticeSent.key, new Set(keys)));
  return new Set(rows.map(({ accountId, key }) => `${accountId} ${key}`));
}

/** Records that a notice is sent. Returns true for only one caller, unless its transaction is rolled back. */
export async function markSent(tx: Orm, row: typeof noticeSent.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(noticeSent).values(row).onConflictDoNothing().returning({ key: noticeSent.key });
  return rows.length > 0;
}
