import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { MINUTE_MS } from "@aqua/sdk/durations";
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransportFuture,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { and, eq, gt, lte } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { accountPasskey, passkeyChallenge } from "./schema.ts";

/** A passkey's answer, as the browser returns it. */
export type PasskeyAnswer = { id: string } & Record<string, unknown>;
/** Stored data of a registered passkey, needed to verify its assertions. */
export type PasskeyCredential = Pick<typeof accountPasskey.$inferSelect, "id" | "publicKey" | "counter" | "transports">;
type Use = typeof passkeyChallenge.$inferSelect.use;

const CHALLENGE_MS = 5 * MINUTE_MS;
/**
 * In order of preference: EdDSA, ECDSA with P-256, and RSA with SHA-256. The security chips of older Windows machines
 * support RSA alone.
 */
const ALGORITHMS = [-8, -7, -257];
/** Maximum number of passkeys of one account. More add no security and make unreadable lists. */
const MAX_PASSKEYS = 20;

export interface Passkeys {
  /** Options that the browser needs to create a passkey for the account. */
  registerOptions(account: { id: string; subject: string; email: string }): Promise<{ challenge: string }>;
  /**
   * Verifies a new passkey and uses its challenge up.
   * @throws ApiError signature_invalid
   */
  checkMade(accountId: string, answer: PasskeyAnswer): Promise<PasskeyCredential>;
  /**
   * Stores a verified passkey. The caller must hold a lock on the account's row.
   * @throws ApiError conflict
   */
  register(tx: Orm, accountId: string, made: { name: string; credential: PasskeyCredential }): Promise<void>;
  /** Options that the browser needs to use a passkey. The passkey identifies the account. */
  useOptions(): Promise<{ challenge: string }>;
  /**
   * Returns the account of the passkey that gave this answer.
   * @throws ApiError login_failed
   */
  owner(answer: PasskeyAnswer): Promise<string>;
  deleteExpired(): Promise<void>;
}

export function createPasskeys(parts: { db: Pick<Database, "orm">; publicUrl: string; now?: () => number }): Passkeys {
  const { db, publicUrl, now = Date.now } = parts;
  const rpID = new URL(publicUrl).hostname;

  function requirePossible(): void {
    if (!passkeysPossible(publicUrl)) throw new ApiError("not_found", "This address allows no passkeys");
  }

  async function remember(challenge: string, use: Use, accountId: string | null): Promise<void> {
    await db.orm.insert(passkeyChallenge).values({ challenge, use, accountId, expires: now() + CHALLENGE_MS });
  }

  /** Uses the challenge up. Of several concurrent calls, one gets true. */
  async function spend(challenge: string, use: Use, accountId: string | null): Promise<boolean> {
    const rows = await db.orm
      .delete(passkeyChallenge)
      .where(
        and(
          eq(passkeyChallenge.challenge, challenge),
          eq(passkeyChallenge.use, use),
          gt(passkeyChallenge.expires, now()),
        ),
      )
      .returning();
    return rows.length > 0 && rows[0]?.accountId === accountId;
  }

  return {
    async registerOptions({ id, subject, email }) {
      requirePossible();
      const known = await passkeysOf(db.orm, id);
      const options = await generateRegistrationOptions({
        rpID,
        rpName: "Aqua",
        // A hash, so that the authenticator stores nothing by which the account could be found on chain.
        userID: new Uint8Array(createHash("sha256").update(`passkey ${subject}`).digest()),
        userName: email,
        attestationType: "none",
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: known.map((passkey) => ({
          id: passkey.id,
          transports: passkey.transports as AuthenticatorTransportFuture[],
        })),
      });
      await remember(options.challenge, "register", id);
      return { ...options };
    },
    async checkMade(accountId, answer) {
      requirePossible();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge: (challenge) => spend(challenge, "register", accountId),
        expectedOrigin: publicUrl,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => ({ verified: false, registrationInfo: undefined }));
      if (!verified || registrationInfo === undefined) throw unusable();
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { id, publicKey, counter, transports };
    },
    async register(tx, accountId, { name, credential }) {
      if ((await passkeysOf(tx, accountId)).length >= MAX_PASSKEYS) {
        throw new ApiError("conflict", `An account has at most ${MAX_PASSKEYS} passkeys`);
      }
      const rows = await tx
        .insert(accountPasskey)
        .values({ ...credential, accountId, name, createTime: now() })
        .onConflictDoNothing()
        .returning({ id: accountPasskey.id });
      if (rows.length === 0) throw new ApiError("conflict", "This passkey is in use already");
    },
    async useOptions() {
      requirePossible();
      const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
      await remember(options.challenge, "use", null);
      return { ...options };
    },
    async owner(answer) {
      requirePossible();
      const [passkey] = await db.orm.select().from(accountPasskey).where(eq(accountPasskey.id, answer.id));
      if (passkey === undefined) throw unknown();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => spend(challenge, "use", null),
        expectedOrigin: publicUrl,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports as AuthenticatorTransportFuture[],
        },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }));
      if (!verified || authenticationInfo === undefined) throw unknown();
      await db.orm
        .update(accountPasskey)
        .set({ counter: authenticationInfo.newCounter, lastUse: now() })
        .where(eq(accountPasskey.id, passkey.id));
      return passkey.accountId;
    },
    async deleteExpired() {
      await db.orm.delete(passkeyChallenge).where(lte(passkeyChallenge.expires, now()));
    },
  };
}

/** Whether passkeys work at this origin. Browsers require a domain with https, or localhost. */
export function passkeysPossible(publicUrl: string): boolean {
  const { hostname, protocol } = new URL(publicUrl);
  if (hostname === "localhost") return true;
  return protocol === "https:" && isIP(hostname) === 0 && !hostname.startsWith("[");
}

export async function passkeysOf(orm: Orm, accountId: string) {
  return orm
    .select()
    .from(accountPasskey)
    .where(eq(accountPasskey.accountId, accountId))
    .orderBy(accountPasskey.createTime);
}

function unusable(): ApiError {
  return new ApiError("signature_invalid", "This passkey could not be checked; make it again");
}

function unknown(): ApiError {
  return new ApiError("login_failed", "This passkey belongs to no account here");
}
