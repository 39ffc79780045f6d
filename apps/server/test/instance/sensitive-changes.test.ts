import type { SignMessage } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  account,
  accountEvent,
  accountPasskey,
  accountSession,
  accountTotp,
  recoveryCode,
} from "../../src/account/schema.ts";
import { totpCode, totpPeriod } from "../../src/account/totp.ts";
import type { Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { accountWallet, walletSwitch } from "../../src/records/schema.ts";
import { consentText, pendingSwitchOf } from "../../src/records/switches.ts";
import { bytesOf, softwarePasskey } from "../account/authenticator.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "../account/world.ts";
import { verifyAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { untilLocked, withDatabase } from "../support/databases.ts";
import { type IdentityReview, identityReview, submit } from "../support/identity.ts";
import { walletFeature } from "../support/wallets/feature.ts";

const CHAIN_ID = 31337;
type Reply = Pick<LightMyRequestResponse, "statusCode"> & { error_code: string | undefined };

/**
 * The changes that docs/auditors/threats.md lists. Each prepares an account and resolves with the call that changes it;
 * `proof`: the call wants a proof that is not older than five minutes.
 */
interface Change {
  name: string;
  proof: boolean;
  prepare(owner: Owner): Promise<() => Promise<Reply>>;
}
interface Owner {
  id: string;
  email: string;
  token: string;
}

withDatabase("a sensitive change", (open) => {
  let db: Database;
  let world: AccountWorld;
  let wallets: FastifyInstance;
  let review: IdentityReview;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { perAddress: 4_000 });
    ({ app: wallets } = await testApp({ features: [walletFeature(db)] }));
    review = await identityReview(db);
  });
  afterAll(() => Promise.all([world?.close(), wallets?.close(), review?.stop()]));

  const replyOf = (response: LightMyRequestResponse): Reply => {
    return { statusCode: response.statusCode, error_code: response.json().error_code };
  };
  const post = async (path: string, body: object, { token }: Owner) => replyOf(await world.post(path, body, token));
  const postWallet = (path: string, payload: object, { token }: Owner) =>
    wallets.inject({
      method: "POST",
      url: `/api/v2/account/${path}`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });
  const codeTo = async (email: string) => /^ {4}(\d{6})$/m.exec((await world.mailsTo(email))[0]?.text ?? "")?.[1] ?? "";

  async function addTotp(owner: Owner): Promise<() => string> {
    const { secret } = (await world.post("totp/new", {}, owner.token)).json().data;
    const code = () => totpCode(bytesOf(secret), totpPeriod(Date.now()));
    expect((await world.post("totp/add", { code: code() }, owner.token)).statusCode).toBe(200);
    return code;
  }
  async function signed(key: PrivateKeyAccount, owner: Owner) {
    const asked = await postWallet("getSignMessage", { address: key.address, chain_id: CHAIN_ID }, owner);
    const { message } = asked.json().data as SignMessage;
    return { message, signature: await key.signMessage({ message }) };
  }
  async function link(owner: Owner, key = privateKeyToAccount(generatePrivateKey())) {
    expect((await postWallet("authenticate", await signed(key, owner), owner)).statusCode).toBe(200);
    return key;
  }
  async function switched(owner: Owner) {
    await verifyAccount(db, owner.id);
    const former = await link(owner);
    await link(owner);
    return former;
  }

  const changes: Change[] = [
    {
      name: "another password",
      proof: true,
      prepare: async (owner) => () => post("change-password", { password: "a lamp in the harbour" }, owner),
    },
    {
      name: "another e-mail address",
      proof: true,
      async prepare(owner) {
        const email = `next-${owner.email}`;
        await world.post("change-email/code", { email }, owner.token);
        const code = await codeTo(email);
        return () => post("change-email", { email, code }, owner);
      },
    },
    {
      name: "a new passkey",
      proof: true,
      async prepare(owner) {
        const { challenge } = (await world.post("passkeys/new", {}, owner.token)).json().data;
        const passkey = softwarePasskey("https://aqua.example").register(challenge);
        return () => post("passkeys/add", { name: "Phone", passkey }, owner);
      },
    },
    {
      name: "a new authenticator app",
      proof: true,
      async prepare(owner) {
        const { secret } = (await world.post("totp/new", {}, owner.token)).json().data;
        return () => post("totp/add", { code: totpCode(bytesOf(secret), totpPeriod(Date.now())) }, owner);
      },
    },
    {
      name: "the removal of a factor",
      proof: true,
      async prepare(owner) {
        await addTotp(owner);
        return () => post("factors/remove", { id: "totp" }, owner);
      },
    },
    {
      name: "new recovery codes",
      proof: true,
      async prepare(owner) {
        await addTotp(owner);
        return () => post("recovery-codes", {}, owner);
      },
    },
    {
      name: "the download of the data",
      proof: true,
      prepare: async (owner) => async () => replyOf(await world.get("export", owner.token)),
    },
    {
      name: "the deletion of the account",
      proof: false,
      prepare: async (owner) => () => post("delete", { password: PASSWORD }, owner),
    },
    {
      name: "the deletion of an account with a second factor",
      proof: true,
      async prepare(owner) {
        await addTotp(owner);
        return () => post("delete", { password: PASSWORD }, owner);
      },
    },
    {
      name: "the end of the other sessions",
      proof: false,
      prepare: async (owner) => () => post("sessions/end", {}, owner),
    },
    {
      name: "the link of a first wallet",
      proof: true,
      async prepare(owner) {
        const proof = await signed(privateKeyToAccount(generatePrivateKey()), owner);
        return async () => replyOf(await postWallet("authenticate", proof, owner));
      },
    },
    {
      name: "a switch to another wallet",
      proof: true,
      async prepare(owner) {
        await verifyAccount(db, owner.id);
        await link(owner);
        const proof = await signed(privateKeyToAccount(generatePrivateKey()), owner);
        return async () => replyOf(await postWallet("authenticate", proof, owner));
      },
    },
    {
      name: "unlinking the wallet",
      proof: true,
      async prepare(owner) {
        const { address } = await link(owner);
        return async () => replyOf(await postWallet("wallets/unlink", { address }, owner));
      },
    },
    {
      name: "stopping a switch from within the account",
      proof: true,
      async prepare(owner) {
        await switched(owner);
        return async () => replyOf(await postWallet("switch/stop", {}, owner));
      },
    },
    {
      name: "the former wallet's consent to a switch",
      proof: true,
      async prepare(owner) {
        const former = await switched(owner);
        const found = await pendingSwitchOf(db.orm, owner.id);
        if (found === null) throw new Error("no switch waits");
        const signature = await former.signMessage({ message: consentText(found, "https://aqua.example") });
        return async () => replyOf(await postWallet("switch/sign", { signature }, owner));
      },
    },
    {
      name: "an identity submission",
      proof: false,
      prepare: async (owner) => async () => {
        const { error_code } = await submit(review.app, `Bearer ${owner.token}`);
        return { statusCode: error_code === undefined ? 200 : 400, error_code };
      },
    },
  ];

  let people = 0;
  async function register(): Promise<Owner> {
    const email = `owner${++people}@aqua.example`;
    const { token } = await world.register(email);
    const [row] = await db.orm.select({ id: account.id }).from(account).where(eq(account.email, email));
    return { id: row?.id ?? "", email, token };
  }

  /** All data that one of these changes could affect, except the sessions. */
  async function stateOf({ id }: Owner) {
    const of = async (table: typeof accountTotp | typeof accountPasskey | typeof recoveryCode | typeof accountWallet) =>
      db.orm.select().from(table).where(eq(table.accountId, id));
    return {
      account: await db.orm.select().from(account).where(eq(account.id, id)),
      totp: await of(accountTotp),
      passkeys: await of(accountPasskey),
      recovery: await of(recoveryCode),
      wallets: await of(accountWallet),
      switches: await db.orm.select().from(walletSwitch).where(eq(walletSwitch.accountId, id)),
      cases: await db.orm.select().from(identityCase).where(eq(identityCase.accountId, id)),
      events: await db.orm.select().from(accountEvent).where(eq(accountEvent.accountId, id)),
    };
  }

  /** Starts the call while its session is valid, and lets it continue only after `meanwhile` is committed. */
  async function whileItWorks(
    owner: Owner,
    call: () => Promise<Reply>,
    meanwhile: Parameters<Database["transaction"]>[0],
  ): Promise<Reply> {
    let answer: Promise<Reply> = Promise.reject(new Error("the call was not made"));
    answer.catch(() => {});
    await db.transaction(async (tx) => {
      await tx.select().from(account).where(eq(account.id, owner.id)).for("update");
      await meanwhile(tx);
      answer = call();
      await untilLocked(db, answer);
    });
    return answer;
  }

  it.each(changes)("$name is rejected if the session ends during the call", async ({ prepare }) => {
    const owner = await register();
    const call = await prepare(owner);
    const before = await stateOf(owner);
    const answer = await whileItWorks(owner, call, (tx) =>
      tx.delete(accountSession).where(eq(accountSession.accountId, owner.id)),
    );
    expect(answer.error_code).toBe("token_error");
    expect(await stateOf(owner)).toEqual(before);
  });

  const proved = changes.filter(({ proof }) => proof);
  it.each(proved)("$name is rejected if the proof expires during the call", async ({ prepare }) => {
    const owner = await register();
    const call = await prepare(owner);
    const before = await stateOf(owner);
    const answer = await whileItWorks(owner, call, (tx) =>
      tx.update(accountSession).set({ confirmedTime: 0 }).where(eq(accountSession.accountId, owner.id)),
    );
    expect(answer).toEqual({ statusCode: 403, error_code: "confirmation_required" });
    expect(await stateOf(owner)).toEqual(before);
  });

  it.each(changes)("$name succeeds in a session that continues", async ({ prepare }) => {
    const owner = await register();
    const call = await prepare(owner);
    const before = await stateOf(owner);
    expect((await call()).statusCode).toBe(200);
    expect(await stateOf(owner)).not.toEqual(before);
    // The public log states the account as it is now, or that it is gone.
    const { requireAccount } = createLogWriter(createKeys(new Uint8Array(32).fill(7)));
    await db.transaction((tx) => requireAccount(tx, owner.id));
  });

  const stating = changes.filter(
    ({ name }) => !["the download of the data", "the end of the other sessions"].includes(name),
  );
  it.each(stating)("$name is refused while the public log states other rows of the account", async ({ prepare }) => {
    const owner = await register();
    const call = await prepare(owner);
    await db.orm.update(account).set({ country: "DE" }).where(eq(account.id, owner.id));
    const before = await stateOf(owner);
    expect((await call()).error_code).toBe("record_differs");
    expect(await stateOf(owner)).toEqual(before);
    const { requireAccount } = createLogWriter(createKeys(new Uint8Array(32).fill(7)));
    await expect(db.transaction((tx) => requireAccount(tx, owner.id))).rejects.toMatchObject({
      code: "record_differs",
    });
  });

  it.each(["another password", "the removal of a factor"])(
    "$0 accepts no proof by password from before a second factor was added",
    async (name) => {
      const owner = await register();
      const { token: thief } = (await world.post("login", { email: owner.email, password: PASSWORD })).json().data;
      await addTotp(owner);
      const path = name === "another password" ? "change-password" : "factors/remove";
      const body = name === "another password" ? { password: "a lamp in the harbour" } : { id: "totp" };
      expect(await post(path, body, { ...owner, token: thief })).toEqual({
        statusCode: 403,
        error_code: "confirmation_required",
      });
      // The call is rejected even if the time of the proof would allow it.
      await db.orm
        .update(accountSession)
        .set({ confirmedTime: Date.now(), confirmedBy: "password" })
        .where(eq(accountSession.accountId, owner.id));
      for (const token of [thief, owner.token]) {
        expect(await post(path, body, { ...owner, token })).toMatchObject({ error_code: "confirmation_required" });
      }
    },
  );
});
