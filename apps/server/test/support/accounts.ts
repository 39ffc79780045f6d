import { randomBytes, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { account } from "../../src/account/schema.ts";
import { createSessions } from "../../src/account/sessions.ts";
import type { Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { currentWallet, setCurrentWallet, setFormerWallet, stored } from "../../src/records/store.ts";
import { issueMessage, type Purpose, withoutRequestLine } from "../../src/wallet/message.ts";

export interface TestAccount {
  id: string;
  subject: Hex;
  email: string;
  /** The Authorization header of its session. */
  authorization: string;
}

/** The secret of the servers whose accounts tests change directly, since the public log has hashes under it. */
export const testSecret = new Uint8Array(32).fill(7);

/** Creates a registered account with a session. Without the hash of a password, no password is right. */
export async function openAccount(db: Database, passwordHash = "none"): Promise<TestAccount> {
  const id = randomUUID();
  const email = `${id}@aqua.example`;
  const subject: Hex = `0x${randomBytes(16).toString("hex")}`;
  await db.orm.insert(account).values({
    id,
    email,
    subject,
    passwordHash,
    country: "FR",
    language: "en-US",
    createTime: Date.now(),
  });
  await stateAccount(db, id);
  return { id, subject, email, authorization: await logIn(db, id) };
}

/** States in the public log the rows of an account as they are, after a test has changed them directly. */
export function stateAccount(db: Database, accountId: string): Promise<void> {
  const writer = createLogWriter(createKeys(testSecret));
  return db.transaction((tx) => writer.acceptAccount(tx, accountId, null));
}

/** Creates another session of the account. `confirmed`: the password was just entered. */
export async function logIn(db: Database, accountId: string, confirmed = true): Promise<string> {
  const proof = confirmed ? "password" : null;
  return `Bearer ${await createSessions(db, createKeys(testSecret)).open(db.orm, accountId, { origin: null, proof })}`;
}

/** Stores an identity that has just been verified. */
export async function verifyAccount(db: Database, accountId: string, validMs = 365 * 86_400_000): Promise<void> {
  const now = Date.now();
  await db.orm.insert(identityCase).values({
    id: randomUUID(),
    accountId,
    provider: "manual",
    status: "verified",
    person: new Uint8Array(),
    country: "FR",
    documentKind: "passport",
    submitTime: now,
    decideTime: now,
    validUntil: now + validMs,
  });
  await stateAccount(db, accountId);
}

/**
 * Links a wallet as if its owner had signed, and makes it the current one. `sign`: the signature of a contract wallet.
 * `switchFrom`: the wallet that it replaces. Resolves with the signed message.
 */
export async function linkWallet(
  db: Database,
  { id, subject }: Pick<TestAccount, "id" | "subject">,
  address: Hex,
  sign: (message: string) => Promise<Hex>,
  switchFrom?: Hex,
): Promise<{ message: string; signature: Hex }> {
  const chainId = 31337;
  const purpose: Purpose = switchFrom ? { kind: "switch", subject, from: switchFrom } : { kind: "link", subject };
  const { message } = issueMessage({ publicUrl: "https://aqua.example", address, chainId, purpose, isContract: false });
  const signature = await sign(message);
  const before = await currentWallet(db.orm, id);
  if (before !== null) await setFormerWallet(db.orm, before.address);
  await setCurrentWallet(db.orm, {
    address: stored(address),
    accountId: id,
    createTime: Date.now(),
    chainId,
    message: withoutRequestLine(message, subject),
    signature,
  });
  await stateAccount(db, id);
  return { message, signature };
}
