import type { AccountInfo, SignMessage } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountEvent, accountSession } from "../../src/account/schema.ts";
import { recordEvent } from "../../src/account/securityEvents.ts";
import type { Database } from "../../src/db/database.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { walletSwitch } from "../../src/records/schema.ts";
import { stored } from "../../src/records/store.ts";
import { consentText, heldUntil, pendingSwitchOf } from "../../src/records/switches.ts";
import type { WalletMail } from "../../src/wallet/mails.ts";
import { logIn, openAccount, stateAccount, type TestAccount, verifyAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { walletFeature } from "../support/wallets/feature.ts";

const CHAIN_ID = 31337;
const DAY = 86_400_000;
const wallet = () => privateKeyToAccount(generatePrivateKey());

withDatabase("a switch of the wallet", (open) => {
  let db: Database;
  let app: FastifyInstance;
  const mails: Mail<WalletMail>[] = [];
  const meanwhile = async () => {};
  beforeAll(async () => {
    db = await open();
    const feature = walletFeature(db, { mails, meanwhile: () => meanwhile() });
    ({ app } = await testApp({ features: [feature] }));
  });
  afterAll(() => app?.close());

  const post = async (path: string, body: object, authorization?: string, key?: string) => {
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const response = await app.inject({ method: "POST", url: `/api/v2/account/${path}`, payload: body, headers });
    return response.json() as { data?: unknown; error_code?: string };
  };
  const signed = async (key: PrivateKeyAccount, authorization: string) => {
    const { message } = (await post("getSignMessage", { address: key.address, chain_id: CHAIN_ID }, authorization))
      .data as SignMessage;
    return { message, signature: await key.signMessage({ message }) };
  };
  const link = async (key: PrivateKeyAccount, { authorization }: TestAccount) =>
    post("authenticate", await signed(key, authorization), authorization);
  const checked = async (address: string) =>
    (await app.inject(`/api/v2/account/checkAddress/${address}`)).json().data as boolean;
  const linkOf = (email: string) => {
    const content = mails.filter(({ to }) => to === email).at(-1)?.content;
    return content?.kind === "switch_waits" ? (content.path.split("token=")[1] ?? "") : null;
  };
  /** A verified account with a wallet. */
  const owned = async () => {
    const account = await openAccount(db);
    await verifyAccount(db, account.id);
    const old = wallet();
    await link(old, account);
    return { account, old };
  };

  it("requires a proof in addition to a token, and then accepts the same signed message", async () => {
    const { account, old } = await owned();
    const stolen = await logIn(db, account.id, false);
    const thief = wallet();
    const proof = await signed(thief, stolen);
    expect(await post("authenticate", proof, stolen)).toMatchObject({ error_code: "confirmation_required" });
    expect([await checked(old.address), await checked(thief.address)]).toEqual([true, false]);
    expect(await pendingSwitchOf(db.orm, account.id)).toBeNull();
    await db.orm
      .update(accountSession)
      .set({ confirmedTime: Date.now() })
      .where(eq(accountSession.accountId, account.id));
    expect((await post("authenticate", proof, stolen)).error_code).toBeUndefined();
  });

  it("is visible at once, ends the other sessions, and delays the records of both wallets by a day", async () => {
    const { account, old } = await owned();
    const other = await logIn(db, account.id);
    const next = wallet();
    const info = (await link(next, account)).data as AccountInfo;
    expect(info.wallets.map(({ address, current }) => [address, current])).toEqual([
      [next.address, true],
      [old.address, false],
    ]);
    expect([await checked(old.address), await checked(next.address)]).toEqual([false, true]);
    const asked = { address: old.address, chain_id: CHAIN_ID };
    expect(await post("getSignMessage", asked, other)).toMatchObject({ error_code: "token_error" });
    for (const { address } of [old, next]) {
      const until = (await heldUntil(db.orm, stored(address))) ?? 0;
      expect(Math.abs(until - Date.now() - DAY)).toBeLessThan(60_000);
    }
    expect(linkOf(account.email)).toMatch(/^[\w-]{43}$/);
  });

  it("is stopped by the link of the mail without a log-in, which restores the wallet and ends every session", async () => {
    const { account, old } = await owned();
    const thief = wallet();
    await link(thief, account);
    const token = linkOf(account.email) ?? "";
    expect(await post("switch/stop", { token: `${token.slice(1)}A` })).toMatchObject({ error_code: "not_found" });
    expect(await post("switch/stop", { token })).toEqual({ data: { from: old.address, to: thief.address } });
    expect([await checked(old.address), await checked(thief.address)]).toEqual([true, false]);
    expect(await heldUntil(db.orm, stored(thief.address))).toBeNull();
    const asked = { address: old.address, chain_id: CHAIN_ID };
    expect(await post("getSignMessage", asked, account.authorization)).toMatchObject({ error_code: "token_error" });
    expect(mails.at(-1)).toMatchObject({ to: account.email, content: { kind: "switch_stopped" } });
    expect(await post("switch/stop", { token })).toMatchObject({ error_code: "conflict" });
    // No account has used the thief's wallet, so its owner may link it.
    expect((await link(thief, await openAccount(db))).error_code).toBeUndefined();
  });

  it("is stopped once per Idempotency-Key, and a repeated request gets the same answer", async () => {
    const { account, old } = await owned();
    const thief = wallet();
    await link(thief, account);
    const token = linkOf(account.email) ?? "";
    const before = mails.length;
    for (let n = 0; n < 2; n += 1) {
      expect(await post("switch/stop", { token }, undefined, token)).toEqual({
        data: { from: old.address, to: thief.address },
      });
    }
    expect(mails).toHaveLength(before + 1);
  });

  it("answers the Idempotency-Key of a stop only to its session, also after that session has ended", async () => {
    const key = "a-key-that-two-owners-use";
    const owners = [await owned(), await owned()];
    const stopped = [];
    for (const { account, old } of owners) {
      const next = wallet();
      await link(next, account);
      stopped.push({ data: { from: old.address, to: next.address } });
    }
    for (const turn of ["first", "again"]) {
      for (const [n, { account }] of owners.entries()) {
        expect(await post("switch/stop", {}, account.authorization, key), turn).toEqual(stopped[n]);
      }
    }
  });

  it("is stopped together with later ones, which restores the wallet before the first", async () => {
    const { account, old } = await owned();
    const [second, third] = [wallet(), wallet()];
    await link(second, account);
    const token = linkOf(account.email) ?? "";
    await link(third, account);
    expect((await post("switch/stop", { token })).error_code).toBeUndefined();
    expect(await Promise.all([old, second, third].map(({ address }) => checked(address)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("cannot be stopped after its delay", async () => {
    const { account } = await owned();
    await link(wallet(), account);
    await db.orm.update(walletSwitch).set({ effectiveTime: 1 }).where(eq(walletSwitch.accountId, account.id));
    await stateAccount(db, account.id);
    expect(await post("switch/stop", { token: linkOf(account.email) })).toMatchObject({ error_code: "conflict" });
    expect(await post("switch/stop", {}, account.authorization)).toMatchObject({ error_code: "not_found" });
  });

  it("does not wait if the former wallet signs for it, and accepts no other signature", async () => {
    const { account, old } = await owned();
    const next = wallet();
    await link(next, account);
    const found = await pendingSwitchOf(db.orm, account.id);
    if (found === null) throw new Error("no switch waits");
    const text = consentText(found, "https://aqua.example");
    const sign = async (key: PrivateKeyAccount, message: string): Promise<{ signature: Hex }> => ({
      signature: await key.signMessage({ message }),
    });
    for (const wrong of [await sign(next, text), await sign(old, `${text} `)]) {
      const refused = await post("switch/sign", wrong, account.authorization);
      // Without a node only a key's own signature can be verified.
      expect(["signature_invalid", "chain_unavailable"]).toContain(refused.error_code);
    }
    expect(await heldUntil(db.orm, stored(next.address))).not.toBeNull();
    expect(await post("switch/sign", await sign(old, text), account.authorization)).toEqual({ data: {} });
    expect(await heldUntil(db.orm, stored(next.address))).toBeNull();
    expect(await post("switch/stop", { token: linkOf(account.email) })).toMatchObject({ error_code: "conflict" });
  });

  /** A series of pending switches that begins with the wallet on chain. `tokens`: the tokens in their mails. */
  const chained = async () => {
    const { account, old } = await owned();
    const [second, third] = [wallet(), wallet()];
    const tokens: (string | null)[] = [];
    for (const next of [second, third]) {
      await link(next, account);
      tokens.push(linkOf(account.email));
    }
    const consent = async (key: PrivateKeyAccount) => {
      const found = await pendingSwitchOf(db.orm, account.id);
      if (found === null) throw new Error("no switch waits");
      const message = consentText(found, "https://aqua.example");
      return post("switch/sign", { signature: await key.signMessage({ message }) }, account.authorization);
    };
    const current = () => Promise.all([old, second, third].map(({ address }) => checked(address)));
    const held = async () =>
      (await Promise.all([old, second, third].map(({ address }) => heldUntil(db.orm, stored(address))))).map(Boolean);
    return { account, old, second, third, tokens, consent, current, held };
  };

  it("accepts only the signature of the wallet before the first one if it follows another switch", async () => {
    const { account, old, second, third, consent, held } = await chained();
    const found = await pendingSwitchOf(db.orm, account.id);
    expect(found).toMatchObject({ from: stored(old.address), to: stored(third.address) });
    for (const key of [second, third]) {
      // Without a node only a key's own signature can be verified.
      expect(["signature_invalid", "chain_unavailable"]).toContain((await consent(key)).error_code);
    }
    expect(await held()).toEqual([true, true, true]);
    expect(await consent(old)).toEqual({ data: {} });
    expect(await held()).toEqual([false, false, false]);
    expect(await pendingSwitchOf(db.orm, account.id)).toBeNull();
  });

  it("is stopped by its own link if it follows another switch, and the first by its link or in the app", async () => {
    const one = await chained();
    expect((await post("switch/stop", { token: one.tokens[1] })).error_code).toBeUndefined();
    expect(await one.current()).toEqual([false, true, false]);
    expect((await post("switch/stop", { token: one.tokens[0] })).error_code).toBeUndefined();
    expect(await one.current()).toEqual([true, false, false]);
    const other = await chained();
    expect((await post("switch/stop", {}, other.account.authorization)).error_code).toBeUndefined();
    expect(await other.current()).toEqual([true, false, false]);
  });

  it("is stopped with one after it that does not wait, which is not written before", async () => {
    const { account, third, tokens, current, held } = await chained();
    await db.orm
      .update(walletSwitch)
      .set({ effectiveTime: 1 })
      .where(eq(walletSwitch.to, stored(third.address)));
    await stateAccount(db, account.id);
    expect(await held()).toEqual([true, true, true]);
    expect(await post("switch/stop", { token: tokens[1] })).toMatchObject({ error_code: "conflict" });
    expect((await post("switch/stop", { token: tokens[0] })).error_code).toBeUndefined();
    expect(await current()).toEqual([true, false, false]);
    expect(await pendingSwitchOf(db.orm, account.id)).toBeNull();
  });

  it("does not wait if it returns to the wallet that the chain still knows", async () => {
    const { account, old } = await owned();
    await link(wallet(), account);
    expect((await link(old, account)).error_code).toBeUndefined();
    expect(await heldUntil(db.orm, stored(old.address))).toBeNull();
    expect(await checked(old.address)).toBe(true);

    const one = await chained();
    expect((await link(one.old, one.account)).error_code).toBeUndefined();
    expect(await one.held()).toEqual([false, false, false]);
    expect(await one.current()).toEqual([true, false, false]);
    // One of two switches is undone, and the first is still pending.
    const other = await chained();
    expect((await link(other.second, other.account)).error_code).toBeUndefined();
    expect(await other.held()).toEqual([true, true, false]);
    expect(await pendingSwitchOf(db.orm, other.account.id)).toMatchObject({ to: stored(other.second.address) });
  });

  it("is also mailed to an e-mail that the account had in the last 30 days", async () => {
    const { account } = await owned();
    const former = "before@aqua.example";
    await recordEvent(db.orm, { accountId: account.id, kind: "email_changed", origin: null, detail: former });
    await link(wallet(), account);
    expect(linkOf(former)).toBe(linkOf(account.email));
    const time = Date.now() - 31 * DAY;
    await db.orm.update(accountEvent).set({ time }).where(eq(accountEvent.detail, former));
    const before = mails.filter(({ to }) => to === former).length;
    await link(wallet(), account);
    expect(mails.filter(({ to }) => to === former)).toHaveLength(before);
  });
});
