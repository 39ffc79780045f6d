import type { AccountInfo, Authenticated, SignMessage } from "@aqua/sdk/api/auth";
import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { and, eq, gt } from "drizzle-orm";
import { getAddress, type Hex, type PublicClient } from "viem";
import type { Notify } from "../account/notices.ts";
import { account, accountEvent } from "../account/schema.ts";
import type { SecurityService } from "../account/security.ts";
import { recordEvent } from "../account/securityEvents.ts";
import type { ActiveSession, Sessions } from "../account/sessions.ts";
import { findById, lockAccount } from "../account/store.ts";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import { identityState } from "../identity/status.ts";
import type { Limits } from "../limits/limits.ts";
import { networkOf } from "../limits/network.ts";
import { mailFormat } from "../mail/format.ts";
import type { Mail } from "../mail/mail.ts";
import { readInfo } from "../profile/info.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { setRetrying, setWaiting } from "../records/bindings.ts";
import { enqueueRecords } from "../records/enqueue.ts";
import {
  currentWallet,
  setCurrentWallet,
  setFormerWallet,
  stored,
  unlinkedWallet,
  unlinkWallet,
  walletOf,
} from "../records/store.ts";
import {
  consentText,
  dropSwitches,
  insertSwitch,
  pendingSwitchesOf,
  pendingSwitchOf,
  releaseSwitches,
  stopSwitch,
  switchOfToken,
  type WalletSwitch,
} from "../records/switches.ts";
import type { WalletMail } from "./mails.ts";
import {
  isFor,
  issueMessage,
  nonceOf,
  type Purpose,
  requireSignableOrigin,
  switchesFromOther,
  withoutRequestLine,
} from "./message.ts";
import { acceptedSignature, isContractWallet } from "./signature.ts";
import * as store from "./store.ts";

export interface WalletParts {
  db: Database;
  /** Chains that a message may name. The server can check the signature of a contract wallet on each of them. */
  chains: readonly { chainId: number; client: PublicClient }[];
  /** Chains that record verified wallets. The server writes the records with its attester key. */
  recordChainIds: readonly number[];
  /** Returns whether a wallet has been replaced by another one on a chain with records. */
  isRetired(address: Hex): Promise<boolean>;
  sessions: Sessions;
  limits: Limits;
  events: Pick<EventHub, "publishIdentity">;
  notify: Notify<WalletMail>;
  /** Sends a mail to an address that no longer belongs to the account. */
  mailTo(tx: Orm, mail: Mail<WalletMail>): Promise<void>;
  security: Pick<SecurityService, "noteLogIn">;
  writer: LogWriter;
  /** Milliseconds in which a switch can be stopped before it is recorded on chain. */
  switchDelayMs: number;
  /** Origin for which the messages are issued. */
  publicUrl: string;
  /** Called after a commit that created jobs. */
  notifyJobs(): void;
}

/** The sender of a call. */
export interface Caller {
  session: ActiveSession | null;
  ip: string;
  userAgent: string | undefined;
  /** Returns the device if it has logged in with this e-mail before, otherwise null. */
  deviceOf(email: string): string | null;
}

export interface WalletService {
  /**
   * Issues a message that links the wallet to the caller's account. If it replaces `switchFrom`, it has a separate
   * wording. Without a session, the message logs in with the wallet.
   */
  message(
    asked: { address: string; chainId: number; switchFrom?: string | undefined },
    caller: Caller,
  ): Promise<SignMessage>;
  /**
   * Accepts the signed message: it links or switches the wallet, or logs in.
   * @throws ApiError confirmation_required if the account would get another wallet and the session is not confirmed;
   * the same message can be sent again after the confirmation
   */
  authenticate(signed: { message: string; signature: string }, caller: Caller): Promise<Authenticated>;
  /**
   * Stops the pending switch of a mail's link, or the first one of the confirmed session's account, and all switches
   * after it. Every session ends.
   * @throws ApiError not_found, conflict, confirmation_required
   */
  stop(token: string | undefined, caller: Caller): Promise<{ from: Hex; to: Hex }>;
  /**
   * Accepts the signature of the wallet before the first pending switch, so that no switch waits any longer. Requires
   * a confirmed session.
   * @throws ApiError not_found, signature_invalid, confirmation_required
   */
  signSwitch(signature: Hex, caller: Caller): Promise<void>;
  /**
   * Unlinks the current wallet from the account of a confirmed session. The wallet can no longer log in and may only
   * withdraw. The account's other sessions end. The next wallet waits as after a switch. Otherwise, unlinking and
   * linking would be a switch that nobody can stop.
   * @throws ApiError not_found, conflict while a switch can still be stopped, confirmation_required
   */
  unlink(address: string, caller: Caller): Promise<AccountInfo>;
}

const TEN_MINUTES = 10 * MINUTE_MS;
// An address counts together with its caller, so that no caller can use up the tries for another person's wallet.
const perIp = { name: "wallet.ip", most: 300, windowMs: TEN_MINUTES };
const perAddress = { name: "wallet.address", most: 120, windowMs: TEN_MINUTES };

/** @throws StartRefused if no wallet can sign for `publicUrl` */
export function createWalletService(parts: WalletParts): WalletService {
  const { db, chains, recordChainIds, isRetired, sessions, limits, events, notify, publicUrl, notifyJobs } = parts;
  const { mailTo, security, switchDelayMs, writer } = parts;
  requireSignableOrigin(publicUrl);

  const spend = (ip: string, address: Hex) =>
    limits.spend([
      { rule: perIp, whom: networkOf(ip) },
      { rule: perAddress, whom: `${networkOf(ip)} ${address}` },
    ]);

  return {
    async message({ address: text, chainId, switchFrom }, { session, ip }) {
      const address = stored(text);
      const chain = chains.find((one) => one.chainId === chainId);
      if (chain === undefined) {
        const message = "This chain is not served here";
        throw new ApiError("validation_error", message, { details: [{ path: "chain_id", message }] });
      }
      await spend(ip, address);
      const accountId = session?.accountId ?? null;
      const purpose = await purposeOf(accountId, address, switchFrom);
      const isContract = await isContractWallet(chain.client, address);
      const { message, nonce, expires } = issueMessage({ publicUrl, address, chainId, purpose, isContract });
      await store.storeNonce(db.orm, { nonce, address, chainId, message, accountId, expires });
      return { message, nonce, expires_at: expires };
    },

    async authenticate({ message, signature }, caller) {
      const { session, ip } = caller;
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
      const signed = { address: getAddress(issued.address), message, signature: signature as Hex, ip };
      const accepted = await acceptedSignature(chain.client, signed);
      if (accepted === null) {
        throw new ApiError("signature_invalid", "The signature is not this wallet's signature of the message");
      }
      if (session !== null) await checkLink(session, issued.address);
      // The nonce is used up regardless of the result, but only at this point. While the chain is unavailable, the
      // same message can be tried again.
      if (!(await store.useNonce(db.orm, issued.nonce, Date.now()))) {
        throw new ApiError("signature_invalid", "This message was used before or has run out; ask for a new one");
      }
      if (session === null) return signIn(issued.address, caller);
      if (await isRetired(issued.address)) throw replaced();
      await db.transaction(async (tx) => {
        await link(tx, { session, nonce: issued, signature: accepted, caller });
        await writer.account(tx, session.accountId);
      });
      notifyJobs();
      events.publishIdentity(session.accountId);
      return readInfo(db.orm, session.accountId);
    },

    async stop(token, { session, ip, userAgent }) {
      await limits.spend([{ rule: perIp, whom: networkOf(ip) }]);
      if (token === undefined && session === null) throw ended();
      const bySession = token === undefined ? session : null;
      const found =
        token !== undefined
          ? await switchOfToken(db.orm, token)
          : ((await pendingSwitchesOf(db.orm, session?.accountId ?? ""))[0] ?? null);
      if (found === null) throw new ApiError("not_found", "There is no switch to stop");
      if (bySession !== null) await sessions.checkConfirmed(bySession);
      const { accountId, from, to } = found;
      await db.transaction(async (tx) => {
        if (bySession === null) await readAccount(tx, accountId, true);
        else await sessions.lockConfirmed(tx, bySession);
        await writer.requireAccount(tx, accountId);
        const touched = await stopSwitch(tx, found);
        if (touched === null) throw new ApiError("conflict", "This switch can no longer be stopped");
        await writer.account(tx, accountId);
        // The person who requested the switch holds one of these sessions.
        await sessions.endAll(tx, accountId);
        for (const address of touched) await enqueueRecords(tx, { chainIds: recordChainIds, address });
        await recordEvent(tx, { accountId, kind: "switch_stopped", origin: { ip, userAgent }, detail: getAddress(to) });
        await notify(tx, accountId, { kind: "switch_stopped", address: getAddress(to), former: getAddress(from) });
      });
      notifyJobs();
      events.publishIdentity(accountId);
      return { from: getAddress(from), to: getAddress(to) };
    },

    async signSwitch(signature, { session, ip, userAgent }) {
      if (session === null) throw ended();
      const found = await pendingSwitchOf(db.orm, session.accountId);
      if (found === null) throw new ApiError("not_found", "There is no switch that waits");
      await sessions.checkConfirmed(session);
      await spend(ip, found.from);
      const former = await walletOf(db.orm, found.from);
      const chain = chains.find(({ chainId }) => chainId === former?.chainId) ?? chains[0];
      if (chain === undefined) throw new ApiError("chain_unavailable", "The wallet's chain is not served here");
      const signed = { address: getAddress(found.from), message: consentText(found, publicUrl), signature, ip };
      if ((await acceptedSignature(chain.client, signed)) === null) {
        throw new ApiError("signature_invalid", "The signature is not the former wallet's signature of this switch");
      }
      await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, session.accountId);
        const pending = await pendingSwitchOf(tx, session.accountId);
        // A different switch, or none, may be pending by now. The signature is for the switch that was found.
        if (pending?.id !== found.id || pending.from !== found.from) {
          throw new ApiError("not_found", "There is no switch that waits");
        }
        await releaseSwitches(tx, session.accountId);
        await writer.account(tx, session.accountId);
        for (const address of [found.from, found.to]) await enqueueRecords(tx, { chainIds: recordChainIds, address });
        const origin = { ip, userAgent };
        await recordEvent(tx, {
          accountId: session.accountId,
          kind: "switch_signed",
          origin,
          detail: getAddress(found.to),
        });
      });
      notifyJobs();
      events.publishIdentity(session.accountId);
    },

    async unlink(text, { session, ip, userAgent }) {
      if (session === null) throw ended();
      await sessions.checkConfirmed(session);
      const { accountId } = session;
      await db.transaction(async (tx) => {
        await sessions.lockConfirmed(tx, session);
        await writer.requireAccount(tx, accountId);
        const wallet = await currentWallet(tx, accountId);
        if (wallet === null || wallet.address !== stored(text)) {
          throw new ApiError("not_found", "The account does not log in with this wallet");
        }
        if ((await pendingSwitchesOf(tx, accountId)).length > 0) {
          throw new ApiError("conflict", "The switch to this wallet can still be stopped: stop it instead");
        }
        await unlinkWallet(tx, wallet.address);
        await writer.account(tx, accountId);
        // The wallet may have opened some of these sessions.
        await sessions.endAll(tx, accountId, session.tokenHash);
        await enqueueRecords(tx, { chainIds: recordChainIds, address: wallet.address });
        const address = getAddress(wallet.address);
        await recordEvent(tx, { accountId, kind: "wallet_unlinked", origin: { ip, userAgent }, detail: address });
        await notify(tx, accountId, { kind: "wallet_unlinked", address });
      });
      notifyJobs();
      events.publishIdentity(accountId);
      return readInfo(db.orm, accountId);
    },
  };

  /**
   * A stolen session alone must not link a wallet. The check runs before the message is used up, so that the message
   * can be sent again.
   */
  async function checkLink(session: ActiveSession, address: Hex): Promise<void> {
    const current = await currentWallet(db.orm, session.accountId);
    if (current?.address === address) return;
    const before = current ?? (await unlinkedWallet(db.orm, session.accountId));
    // A switch requires a verified account. `link` rejects any other account with that reason first.
    const refused = before !== null && before.address !== address && !(await isVerified(db.orm, session.accountId));
    if (!refused) await sessions.checkConfirmed(session);
  }

  async function isVerified(orm: Orm, accountId: string): Promise<boolean> {
    return (await identityState(orm, accountId)).status === "verified";
  }

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

  async function signIn(address: Hex, { ip, userAgent, deviceOf }: Caller): Promise<Authenticated> {
    const known = await walletOf(db.orm, address);
    const answer = await db.transaction(async (tx) => {
      // The account is locked before the wallet is read. A concurrent unlink ends every session that exists at that
      // time.
      if (known !== null) await lockAccount(tx, known.accountId);
      const wallet = await walletOf(tx, address);
      if (wallet === null || !wallet.current || wallet.accountId !== known?.accountId) {
        throw new ApiError("login_failed", "No account signs in with this wallet");
      }
      const owner = await findById(tx, wallet.accountId);
      if (owner === null) throw new ApiError("login_failed", "No account signs in with this wallet");
      const { email } = owner;
      const caller = { ip, userAgent, device: deviceOf(email) };
      await security.noteLogIn(tx, { account: owner, kind: "log_in_wallet", caller });
      const origin = { ip, userAgent };
      // A wallet does not confirm a session, because a thief would switch the wallet.
      return { token: await sessions.open(tx, wallet.accountId, { origin, proof: null }), email };
    });
    notifyJobs();
    return answer;
  }

  async function link(
    tx: Orm,
    {
      session,
      nonce: { address, message, chainId },
      signature,
      caller: { ip, userAgent },
    }: { session: ActiveSession; nonce: store.IssuedNonce; signature: Hex; caller: Caller },
  ): Promise<void> {
    const { accountId, tokenHash } = session;
    // Only one link runs at a time for an account, because the current wallet must not change between read and write.
    const locked = await sessions.lock(tx, session);
    await writer.requireAccount(tx, accountId);
    const { subject } = await readAccount(tx, accountId);
    const verified = await isVerified(tx, accountId);
    const current = await currentWallet(tx, accountId);
    const before = current ?? (await unlinkedWallet(tx, accountId));
    const replaced = before?.address === address ? null : before;
    const other = await walletOf(tx, address);
    if (other !== null && other.accountId !== accountId) throw linkedElsewhere();
    if (replaced !== null && !verified) {
      throw new ApiError("identity_required", "Verify your identity before you switch to another wallet");
    }
    if (current?.address !== address) await sessions.checkConfirmed(locked, tx);
    if (replaced !== null) {
      // The account's wallet changed after the message was issued.
      if (switchesFromOther(message, replaced.address)) {
        throw new ApiError("signature_invalid", "The message names another wallet than the account has now");
      }
      await setFormerWallet(tx, replaced.address);
      await sessions.endAll(tx, accountId, tokenHash);
    }
    const text = withoutRequestLine(message, subject);
    const wallet = { address, accountId, createTime: Date.now(), message: text, signature, chainId };
    if (!(await setCurrentWallet(tx, wallet))) throw linkedElsewhere();
    if (current?.address === address) {
      await setRetrying(tx, address);
    } else {
      await setWaiting(tx, recordChainIds, address);
      const shown = getAddress(address);
      const kind = replaced === null ? "wallet_linked" : "wallet_switched";
      await recordEvent(tx, { accountId, kind, origin: { ip, userAgent }, detail: shown });
      if (replaced === null) await notify(tx, accountId, { kind: "wallet_linked", address: shown });
      else await announceSwitch(tx, { accountId, from: replaced.address, to: address, linked: other === null });
    }
    if (replaced !== null) await enqueueRecords(tx, { chainIds: recordChainIds, address: replaced.address });
    if (verified) await enqueueRecords(tx, { chainIds: recordChainIds, address });
  }

  /**
   * Mails the owner the link that stops the switch. Linking the former wallet again while the chain still knows it
   * stops the switch without the link.
   */
  async function announceSwitch(
    tx: Orm,
    { accountId, from, to, linked }: Pick<WalletSwitch, "accountId" | "from" | "to" | "linked">,
  ): Promise<void> {
    const [address, former] = [getAddress(to), getAddress(from)];
    if (await dropSwitches(tx, accountId, to)) {
      await notify(tx, accountId, { kind: "wallet_switched", address, former });
      return;
    }
    const createTime = Date.now();
    const effectiveTime = createTime + switchDelayMs;
    const token = await insertSwitch(tx, { accountId, from, to, linked, createTime, effectiveTime });
    const owner = await findById(tx, accountId);
    if (owner === null) return;
    const time = mailFormat(owner.language).dateTime(effectiveTime);
    const content = { kind: "switch_waits", address, former, time, path: `/stop-switch?token=${token}` } as const;
    for (const email of [owner.email, ...(await formerEmails(tx, accountId))]) {
      await mailTo(tx, { to: email, language: owner.language, content });
    }
  }
}

/** Milliseconds for which a former e-mail address still gets the mails about a switch. */
const FORMER_EMAIL_MS = 30 * DAY_MS;

/**
 * Addresses that the account has left within that time. They prevent a thief from changing the e-mail first to hide
 * the switch.
 */
async function formerEmails(orm: Orm, accountId: string): Promise<string[]> {
  const rows = await orm
    .select({ email: accountEvent.detail })
    .from(accountEvent)
    .where(
      and(
        eq(accountEvent.accountId, accountId),
        eq(accountEvent.kind, "email_changed"),
        gt(accountEvent.time, Date.now() - FORMER_EMAIL_MS),
      ),
    );
  return [...new Set(rows.flatMap(({ email }) => (email === null ? [] : [email])))];
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

function ended(): ApiError {
  return new ApiError("token_error", "Log in again: the session has ended");
}

/** The account could never use the wallet, because no chain accepts it again. */
function replaced(): ApiError {
  const message = "This wallet was replaced by another for good";
  return new ApiError("conflict", message, { details: [{ path: "wallet", message }] });
}

/** The message does not reveal whose wallet it is. */
function linkedElsewhere(): ApiError {
  return new ApiError("conflict", "This wallet is linked to another account");
}
