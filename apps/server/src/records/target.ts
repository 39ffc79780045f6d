import { numericCountry } from "@aqua/sdk/countries";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { account } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import type { AccountWallet } from "./store.ts";
import { walletOf } from "./store.ts";

/** The state of a wallet that its records on chain must show. */
export type Target =
  /** The wallet is the current one of a verified account. */
  | { kind: "verified"; wallet: AccountWallet; subject: bigint; validUntil: bigint; country: number }
  /** The wallet is the current one of an account that is not verified now. */
  | { kind: "unverified"; wallet: AccountWallet }
  /** The wallet was switched away from, or its account is gone (`wallet` is null). It may only exit. */
  | { kind: "former"; wallet: AccountWallet | null };

/** The current verification of an account: ISO 3166-1 alpha-2 code and Unix milliseconds. Null without one. */
export type VerificationOf = (orm: Orm, accountId: string) => Promise<{ country: string; validUntil: number } | null>;

export async function targetOf(orm: Orm, address: Hex, verificationOf: VerificationOf): Promise<Target> {
  const wallet = await walletOf(orm, address);
  if (wallet === null || !wallet.current) return { kind: "former", wallet };
  const [owner] = await orm.select({ subject: account.subject }).from(account).where(eq(account.id, wallet.accountId));
  if (owner === undefined) return { kind: "former", wallet };
  const verification = await verificationOf(orm, wallet.accountId);
  if (verification === null) return { kind: "unverified", wallet };
  return {
    kind: "verified",
    wallet,
    subject: BigInt(owner.subject),
    country: numericCountry(verification.country),
    validUntil: BigInt(Math.floor(verification.validUntil / 1_000)),
  };
}
