import { numericCountry } from "@aqua/sdk/countries";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { account } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import type { AccountWallet } from "./store.ts";
import { walletOf } from "./store.ts";

/** What the chains are to say of a wallet. */
export type Target =
  /** The wallet is the current one of a verified account. */
  | { kind: "verified"; wallet: AccountWallet; subject: bigint; validUntil: bigint; country: number }
  /** It is its account's, which is not verified now. */
  | { kind: "unverified"; wallet: AccountWallet }
  /** Switched away from, or its account is gone (`wallet` null): it may only leave. */
  | { kind: "former"; wallet: AccountWallet | null };

/** The verification of an account that counts now: ISO 3166-1 alpha-2 and Unix milliseconds. Null without one. */
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
