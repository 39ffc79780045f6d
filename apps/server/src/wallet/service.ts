import type { Authenticated, SignMessage } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import { getAddress, type Hex, type PublicClient } from "viem";
import type { Notify } from "../account/notices.ts";
import { account } from "../account/schema.ts";
import type { ActiveSession, Sessions } from "../account/sessions.ts";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import { identityState } from "../identity/status.ts";
import type { Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";
import { readInfo } from "../profile/info.ts";
import { setRetrying, setWaiting } from "../records/bindings.ts";
import { enqueueRecords } from "../records/enqueue.ts";
import { currentWallet, setCurrentWallet, setFormerWallet, stored, walletOf } from "../records/store.ts";
import {
  isFor,
  issueMessage,
  nonceOf,
  type Purpose,
  requireSignableOrigin,
  switchesFromOther,
  withoutRequestLine,
} from "./message.ts";
import { isSignedBy } from "./signature.ts";
import * as store from "./store.ts";

export interface WalletParts {
  db: Database;
  /** Chains a message may name: where a contract wallet's signature can be checked. */
  chains: readonly { chainId: number; client: PublicClient }[];
  /** Chains that keep a record of verified wallets, written with our attester key. */
  recordChainIds: readonly number[];
  /** Whether a wallet has given its place to another one on a chain that keeps records. */
  isRetired(address: Hex): Promise<boolean>;
  sessions: Sessions;
  limits: Limits;
  events: EventHub;
  notify: Notify;
  /** Origin the messages are for. */
  publicUrl: string;
  /** Called after a commit that took on jobs. */
  notifyJobs(): void;
}

/** Who asks. */
export interface Caller {
  session: ActiveSession | null;
  ip: string;
  userAgent: string | undefined;
}

export interface WalletService {
  /**
   * A message to link the wallet to the caller's account, in words of its own where it takes the place of `switchFrom`; or,
   * without a session, to sign in with it.
   */
  message(
    asked: { address: string; chainId: number; switchFrom?: string | undefined },
    caller: Caller,
  ): Promise<SignMessage>;
  /** Takes the signed message: links or switches, or signs in. */
  authenticate(signed: { message: string; signature: string }, caller: Caller): Promise<Authenticated>;
}

const TEN_MINUTES = 10 * 60_000;
// An address counts together with its caller: no one can use up the tries of another's wallet.
const perIp = { name: "wallet.ip", most: 300, windowMs: TEN_MINUTES };
const perAddress = { name: "wallet.address", most: 120, windowMs: TEN_MINUTES };

/** @throws StartRefused when no wallet can sign for `publicUrl` */
export function createWalletService(parts: WalletParts): WalletService {
  const { db, chains, recordChainIds, isRetired, sessions, limits, events, notify, publicUrl, notifyJobs } = parts;
  requireSignableOrigin(publicUrl);

  const spend = (ip: string, address: Hex) =>
    limits.spend([
      { rule: perIp, whom: networkOf(ip) },
      { rule: perAddress, whom: `${networkOf(ip)} ${address}` },
    ]);

  return {
    async message({ address: text, chainId, switchFrom }, { session, ip }) {
      const address = stored(text);
      if (!chains.some((chain) => chain.chainId === chainId)) {
        const message = "This chain is not served here";
        throw new ApiError("validation_error", message, { details: [{ path: "chain_id", message }] });
      }
      await spend(ip, address);
      const accountId = session?.accountId ?? null;
      const purpose = await purposeOf(accountId, address, switchFrom);
      const { message, nonce, expires } = issueMessage({ publicUrl, address, chainId, purpose });
      await store.storeNonce(db.orm, { nonce, address, chainId, message, accountId, expires });
      return { message, nonce, expires_at: expires };
    },

    async authenticate({ message, signature }, { session, ip, userAgent }) {
      const issued = await readIssued(message);
      await spend(ip, issued?.address ?? stored(""));
      const chain = chains.find(({ chainId }) => chainId === issued?.chainId);
      const now = Date.now();
      if (
        issued === null ||
        chain === undefined ||
        issued.message !== message ||
        issued.accountId !== (session?.accountId ?? null) ||
        issued.usedTime !== null ||
        issued.expires <= now ||
        !isFor(message, { publicUrl, ...issued }, now)
      ) {
        throw new ApiError(
          "signature_invalid",
          "This message was not issued for you here, was used before or has run out; ask for a new one",
        );
      }
      const signed = { address: getAddress(issued.address), message, signature: signature as Hex };
      if (!(await isSignedBy(chain.client, signed))) {
        throw new ApiError("signature_invalid", "The signature is not this wallet's signature of the message");
      }
      // Used up whatever comes of it, but only now: while the chain is away the same message can be tried again.
      if (!(await store.useNonce(db.orm, issued.nonce, Date.now()))) {
        throw new ApiError("signature_invalid", "This message was used before or has run out; ask for a new one");
      }
      if (session === null) return signIn(issued.address, userAgent);
      if (await isRetired(issued.address)) throw replaced();
      await db.transaction((tx) => link(tx, { session, nonce: issued, signature: signature as Hex }));
      notifyJobs();
      events.publishIdentity(session.accountId);
      return readInfo(db.orm, session.accountId);
    },
  };

  async function purposeOf(accountId: string | null, address: Hex, switchFrom: string | undefined): Promise<Purpose> {
    if (accountId === null && switchFrom === undefined) return { kind: "signIn" };
    const from = switchFrom === undefined ? null : stored(switchFrom);
    if (from !== null) {
      const wallet = await walletOf(db.orm, from);
      if (accountId === null || wallet?.accountId !== accountId || from === address) {
        const message = "This is no other wallet of your account";
        throw new ApiError("validation_error", message, { details: [{ path: "switch_from", message }] });
      }
    }
    const { subject } = await readAccount(db.orm, accountId ?? "");
    return from === null ? { kind: "link", subject } : { kind: "switch", subject, from };
  }

  async function readIssued(message: string): Promise<store.IssuedNonce | null> {
    const nonce = nonceOf(message);
    return nonce === null ? null : store.readNonce(db.orm, nonce);
  }

  function signIn(address: Hex, userAgent: string | undefined): Promise<Authenticated> {
    return db.transaction(async (tx) => {
      const wallet = await walletOf(tx, address);
      if (wallet === null || !wallet.current) {
        throw new ApiError("login_failed", "No account signs in with this wallet");
      }
      const { email } = await readAccount(tx, wallet.accountId);
      return { token: await sessions.open(tx, wallet.accountId, userAgent), email };
    });
  }

  async function link(
    tx: Orm,
    {
      session: { accountId, tokenHash },
      nonce: { address, message, chainId },
      signature,
    }: { session: ActiveSession; nonce: store.IssuedNonce; signature: Hex },
  ): Promise<void> {
    // One link at a time for an account: which wallet is current must not change between reading and writing.
    const { subject } = await readAccount(tx, accountId, true);
    const verified = (await identityState(tx, accountId)).status === "verified";
    const before = await currentWallet(tx, accountId);
    const other = await walletOf(tx, address);
    if (other !== null && other.accountId !== accountId) throw linkedElsewhere();
    if (before !== null && before.address !== address) {
      if (!verified) {
        throw new ApiError("identity_required", "Verify your identity before you switch to another wallet");
      }
      // The account's wallet changed since the message was given out.
      if (switchesFromOther(message, before.address)) {
        throw new ApiError("signature_invalid", "The message names another wallet than the account has now");
      }
      await setFormerWallet(tx, before.address);
      await enqueueRecords(tx, { chainIds: recordChainIds, address: before.address });
      await sessions.endAll(tx, accountId, tokenHash);
    }
    const text = withoutRequestLine(message, subject);
    const wallet = { address, accountId, createTime: Date.now(), message: text, signature, chainId };
    if (!(await setCurrentWallet(tx, wallet))) throw linkedElsewhere();
    if (before?.address === address) {
      await setRetrying(tx, address);
    } else {
      await setWaiting(tx, recordChainIds, address);
      const shown = getAddress(address);
      const former = before === null ? null : getAddress(before.address);
      await notify(
        tx,
        accountId,
        former === null
          ? { kind: "wallet_linked", address: shown }
          : { kind: "wallet_switched", address: shown, former },
      );
    }
    if (verified) await enqueueRecords(tx, { chainIds: recordChainIds, address });
  }
}

async function readAccount(orm: Orm, accountId: string, lock = false) {
  const query = orm
    .select({ subject: account.subject, email: account.email })
    .from(account)
    .where(eq(account.id, accountId));
  const [row] = await (lock ? query.for("update") : query);
  if (row === undefined) throw new ApiError("token_error", "This account is no longer there");
  return row;
}

/** The account could never use it: no chain lets it come back. */
function replaced(): ApiError {
  const message = "This wallet was replaced by another for good";
  return new ApiError("conflict", message, { details: [{ path: "wallet", message }] });
}

/** Whose it is stays untold. */
function linkedElsewhere(): ApiError {
  return new ApiError("conflict", "This wallet is linked to another account");
}
