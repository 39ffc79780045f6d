import type { AccountInfo, Session, SignMessage } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, accountEvent } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { upsertBinding } from "../../src/records/bindings.ts";
import { stored, unlinkWallet } from "../../src/records/store.ts";
import { heldUntil } from "../../src/records/switches.ts";
import type { WalletMail } from "../../src/wallet/mails.ts";
import { logIn, openAccount, type TestAccount, verifyAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { untilLocked, withDatabase } from "../support/databases.ts";
import { walletFeature } from "../support/wallets/feature.ts";

const CHAIN_ID = 31337;
const wallet = () => privateKeyToAccount(generatePrivateKey());

withDatabase("an account's wallet", (open) => {
  let db: Database;
  let app: FastifyInstance;
  const mails: Mail<WalletMail>[] = [];
  beforeAll(async () => {
    db = await open();
    ({ app } = await testApp({ features: [walletFeature(db, { mails })] }));
  });
  afterAll(() => app?.close());

  const post = async (path: string, body: object, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await app.inject({ method: "POST", url: `/api/v2/account/${path}`, payload: body, headers });
    return response.json() as { data?: unknown; error_code?: string };
  };
  const signed = async (key: PrivateKeyAccount, authorization?: string) => {
    const asked = await post("getSignMessage", { address: key.address, chain_id: CHAIN_ID }, authorization);
    const { message } = asked.data as SignMessage;
    return { message, signature: await key.signMessage({ message }) };
  };
  const link = async (key: PrivateKeyAccount, authorization: string) =>
    post("authenticate", await signed(key, authorization), authorization);
  const signIn = async (key: PrivateKeyAccount) => post("authenticate", await signed(key));
  const unlink = ({ address }: PrivateKeyAccount, authorization: string) =>
    post("wallets/unlink", { address }, authorization);
  /** The state that the record job gives to a wallet with a record on chain. */
  const record = ({ address }: PrivateKeyAccount) =>
    upsertBinding(db.orm, { chainId: CHAIN_ID, address: stored(address) }, { state: "bound" });
  const mailOf = ({ email }: TestAccount) => mails.findLast(({ to }) => to === email)?.content;

  it("is not linked by a stolen token alone, because the first one requires a proof, too", async () => {
    const owner = await openAccount(db);
    await verifyAccount(db, owner.id);
    const stolen = await logIn(db, owner.id, false);
    const thief = wallet();
    const proof = await signed(thief, stolen);
    expect(await post("authenticate", proof, stolen)).toMatchObject({ error_code: "confirmation_required" });
    expect((await app.inject(`/api/v2/account/checkAddress/${thief.address}`)).json().data).toBe(false);
    expect(mailOf(owner)).toBeUndefined();
  });

  it("signs again without a proof, since that adds no way into the account", async () => {
    const owner = await openAccount(db);
    const key = wallet();
    await link(key, owner.authorization);
    expect((await link(key, await logIn(db, owner.id, false))).error_code).toBeUndefined();
  });

  it("is unlinked with a proof, even without a verified identity, and no longer logs in", async () => {
    const owner = await openAccount(db);
    const key = wallet();
    await link(key, owner.authorization);
    await record(key);
    const { token } = (await signIn(key)).data as Session;
    expect(await unlink(key, `Bearer ${token}`)).toMatchObject({ error_code: "confirmation_required" });
    expect(await unlink(wallet(), owner.authorization)).toMatchObject({ error_code: "not_found" });
    const info = (await unlink(key, owner.authorization)).data as AccountInfo;
    expect(info.wallets).toMatchObject([{ address: key.address, current: false }]);
    expect(await signIn(key)).toMatchObject({ error_code: "login_failed" });
    // The sessions that the wallet opened have ended; the owner's session has not.
    expect(await post("getSignMessage", { address: key.address, chain_id: CHAIN_ID }, `Bearer ${token}`)).toMatchObject(
      { error_code: "token_error" },
    );
    expect(await unlink(key, owner.authorization)).toMatchObject({ error_code: "not_found" });
    expect(mailOf(owner)).toEqual({ kind: "wallet_unlinked", address: key.address });
    const events = await db.orm.select().from(accountEvent).where(eq(accountEvent.accountId, owner.id));
    expect(events.map(({ kind }) => kind)).toEqual(["wallet_linked", "wallet_unlinked"]);
  });

  it("can be linked to another account after it was unlinked, if no chain has its record", async () => {
    const [wrong, right] = [await openAccount(db), await openAccount(db)];
    const key = wallet();
    await link(key, wrong.authorization);
    expect(await link(key, right.authorization)).toMatchObject({ error_code: "conflict" });
    expect(((await unlink(key, wrong.authorization)).data as AccountInfo).wallets).toEqual([]);
    expect((await link(key, right.authorization)).error_code).toBeUndefined();
    await record(key);
    await unlink(key, right.authorization);
    expect(await link(key, wrong.authorization)).toMatchObject({ error_code: "conflict" });
  });

  it("can be linked again by its owner at once", async () => {
    const owner = await openAccount(db);
    const key = wallet();
    await link(key, owner.authorization);
    await record(key);
    await unlink(key, owner.authorization);
    const bare = await logIn(db, owner.id, false);
    expect(await link(key, bare)).toMatchObject({ error_code: "confirmation_required" });
    const info = (await link(key, owner.authorization)).data as AccountInfo;
    expect(info.wallets).toMatchObject([{ address: key.address, current: true }]);
    expect(await heldUntil(db.orm, stored(key.address))).toBeNull();
  });

  it("waits as after a switch if another one was unlinked before, and can be stopped", async () => {
    const owner = await openAccount(db);
    await verifyAccount(db, owner.id);
    const [key, thief] = [wallet(), wallet()];
    await link(key, owner.authorization);
    await record(key);
    await unlink(key, owner.authorization);
    expect((await link(thief, owner.authorization)).error_code).toBeUndefined();
    expect(await heldUntil(db.orm, stored(thief.address))).not.toBeNull();
    expect(await unlink(thief, owner.authorization)).toMatchObject({ error_code: "conflict" });
    const content = mailOf(owner);
    expect(content).toMatchObject({ kind: "switch_waits", address: thief.address, former: key.address });
    const token = content?.kind === "switch_waits" ? content.path.split("token=")[1] : "";
    expect(await post("switch/stop", { token })).toEqual({ data: { from: key.address, to: thief.address } });
    expect((await signIn(key)).error_code).toBeUndefined();
    expect(await signIn(thief)).toMatchObject({ error_code: "login_failed" });
  });

  it("opens no session if it is unlinked while it logs in", async () => {
    const owner = await openAccount(db);
    const key = wallet();
    await link(key, owner.authorization);
    const proof = await signed(key);
    let answer: ReturnType<typeof post> | undefined;
    await db.transaction(async (tx) => {
      await tx.select().from(account).where(eq(account.id, owner.id)).for("update");
      answer = post("authenticate", proof);
      await untilLocked(db, answer);
      await unlinkWallet(tx, stored(key.address));
    });
    expect(await answer).toMatchObject({ error_code: "login_failed" });
  });
});
