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
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type accountPasskey, passkeyChallenge } from "./schema.ts";

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

/** Makes and checks passkeys of this origin by WebAuthn. The caller stores the credentials. */
export interface PasskeyCeremony {
  /**
   * Options that the browser needs to create a passkey for an owner. `handle`: the authenticator stores its hash;
   * `name`: what it shows; `known`: the owner's other passkeys.
   */
  registerOptions(of: {
    owner: string;
    handle: string;
    name: string;
    known: readonly Pick<PasskeyCredential, "id" | "transports">[];
  }): Promise<{ challenge: string }>;
  /**
   * Verifies a new passkey of the owner and uses its challenge up.
   * @throws ApiError signature_invalid
   */
  checkMade(owner: string, answer: PasskeyAnswer): Promise<PasskeyCredential>;
  /** Options that the browser needs to use a passkey. The passkey identifies its owner. */
  useOptions(): Promise<{ challenge: string }>;
  /**
   * Verifies the answer of a stored passkey, uses its challenge up and returns the passkey with its new counter.
   * @throws ApiError login_failed, also when no passkey is stored
   */
  checkUse<Stored extends PasskeyCredential>(answer: PasskeyAnswer, passkey: Stored | undefined): Promise<Stored>;
  deleteExpired(): Promise<void>;
}

/** @param uses how the challenges for a new passkey and for a log-in are marked */
export function createPasskeyCeremony(parts: {
  db: Pick<Database, "orm">;
  publicUrl: string;
  uses: readonly [register: Use, use: Use];
  now?: () => number;
}): PasskeyCeremony {
  const { db, publicUrl, uses, now = Date.now } = parts;
  const [register, use] = uses;
  const rpID = new URL(publicUrl).hostname;

  function requirePossible(): void {
    if (!passkeysPossible(publicUrl)) throw new ApiError("not_found", "This address allows no passkeys");
  }

  async function remember(challenge: string, of: { use: Use; owner: string | null }): Promise<void> {
    await db.orm.insert(passkeyChallenge).values({ challenge, ...of, expires: now() + CHALLENGE_MS });
  }

  /** Uses the challenge up. Of several concurrent calls, one gets true. */
  async function spend(challenge: string, of: { use: Use; owner: string | null }): Promise<boolean> {
    const rows = await db.orm
      .delete(passkeyChallenge)
      .where(
        and(
          eq(passkeyChallenge.challenge, challenge),
          eq(passkeyChallenge.use, of.use),
          gt(passkeyChallenge.expires, now()),
        ),
      )
      .returning();
    return rows.length > 0 && rows[0]?.owner === of.owner;
  }

  return {
    async registerOptions({ owner, handle, name, known }) {
      requirePossible();
      const options = await generateRegistrationOptions({
        rpID,
        rpName: "Aqua",
        userID: new Uint8Array(createHash("sha256").update(handle).digest()),
        userName: name,
        attestationType: "none",
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: known.map(({ id, transports }) => ({
          id,
          transports: transports as AuthenticatorTransportFuture[],
        })),
      });
      await remember(options.challenge, { use: register, owner });
      return { ...options };
    },
    async checkMade(owner, answer) {
      requirePossible();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge: (challenge) => spend(challenge, { use: register, owner }),
        expectedOrigin: publicUrl,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => ({ verified: false, registrationInfo: undefined }));
      if (!verified || registrationInfo === undefined)
        throw new ApiError("signature_invalid", "This passkey could not be checked; make it again");
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { id, publicKey, counter, transports };
    },
    async useOptions() {
      requirePossible();
      const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
      await remember(options.challenge, { use, owner: null });
      return { ...options };
    },
    async checkUse(answer, passkey) {
      requirePossible();
      if (passkey === undefined) throw unknown();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => spend(challenge, { use, owner: null }),
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
      return { ...passkey, counter: authenticationInfo.newCounter };
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

const unknown = () => new ApiError("login_failed", "This passkey is not known here");
