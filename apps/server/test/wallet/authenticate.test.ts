import type { AccountInfo, Session, SignMessage } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import {
  getAddress,
  type Hex,
  hashMessage,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { parseSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../../../devnet/src/chain.ts";
import { freePort } from "../../../../devnet/test/support/port.ts";
import { createKnownDevices } from "../../src/account/knownDevices.ts";
import type { Database } from "../../src/db/database.ts";
import { createEventHub, type EventHub } from "../../src/events/hub.ts";
import { createKeys } from "../../src/keys.ts";
import { upsertBinding } from "../../src/records/bindings.ts";
import { stored, walletOf } from "../../src/records/store.ts";
import { requireSignableOrigin } from "../../src/wallet/message.ts";
import { walletNonce } from "../../src/wallet/schema.ts";
import { logIn, openAccount, type TestAccount, verifyAccount } from "../support/accounts.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { type ContractWallets, deployContractWallets } from "../support/wallets/contractWallets.ts";
import { walletFeature } from "../support/wallets/feature.ts";

const CHAIN_ID = 31337;
const PUBLIC_URL = "https://aqua.example";
let chain: Chain;
let contracts: ContractWallets;
beforeAll(async () => {
  chain = await startChain({ port: await freePort(), blockTime: "auto" });
  contracts = await deployContractWallets(chain);
});
afterAll(() => chain?.stop());

it("the server does not start at an origin that wallets cannot sign for", () => {
  for (const origin of ["http://aqua:8080", "http://[::1]:8080"]) {
    expect(() => requireSignableOrigin(origin)).toThrow("PUBLIC_URL must have a host wallets can sign for");
  }
  for (const origin of ["http://localhost:8080", "http://127.0.0.1:18430", "https://app.aqua.example"]) {
    expect(() => requireSignableOrigin(origin)).not.toThrow();
  }
});

const wallet = () => privateKeyToAccount(generatePrivateKey());

withDatabase("a wallet and its account", (open) => {
  let db: Database;
  let hub: EventHub;
  const retired = new Set<string>();
  let app: FastifyInstance;
  /** The same instance while its node is unavailable, and one with the same tables under another name. */
  let away: FastifyInstance;
  let elsewhere: FastifyInstance;
  beforeAll(async () => {
    db = await open();
    hub = createEventHub();
    const instance = async (url: string, publicUrl: string) =>
      (await testApp({ features: [walletFeature(db, { url, publicUrl, events: hub, retired })] })).app;
    app = await instance(chain.url, PUBLIC_URL);
    away = await instance("http://127.0.0.1:18431", PUBLIC_URL);
    elsewhere = await instance(chain.url, "https://other.example");
  });
  afterAll(() => Promise.all([app, away, elsewhere].map((instance) => instance?.close())));

  const post = async (path: string, body: object, authorization?: string, instance = app) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await instance.inject({ method: "POST", url: `/api/v2/account/${path}`, payload: body, headers });
    return response.json() as { data?: unknown; error_code?: string; message?: string };
  };
  const ask = async (address: string, authorization?: string, more: object = {}) =>
    (await post("getSignMessage", { address, chain_id: CHAIN_ID, ...more }, authorization)).data as SignMessage;
  const authenticate = (message: string, signature: Hex, authorization?: string, instance?: FastifyInstance) =>
    post("authenticate", { message, signature }, authorization, instance);
  const link = async (account: TestAccount, key = wallet()) => {
    const { message } = await ask(key.address, account.authorization);
    return authenticate(message, await key.signMessage({ message }), account.authorization);
  };
  const signIn = async (key: ReturnType<typeof wallet>) => {
    const { message } = await ask(key.address);
    return authenticate(message, await key.signMessage({ message }));
  };
  const isLinked = async (address: string) =>
    (await app.inject(`/api/v2/account/checkAddress/${address}`)).json().data as boolean;

  describe("the sign message", () => {
    it("names domain, chain, wallet, times and at the end the subject of the requesting account", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const { message, nonce, expires_at } = await ask(key.address.toLowerCase(), account.authorization);
      expect(parseSiweMessage(message)).toMatchObject({
        domain: "aqua.example",
        uri: PUBLIC_URL,
        address: key.address,
        chainId: CHAIN_ID,
        version: "1",
        nonce,
        requestId: account.subject,
        expirationTime: new Date(expires_at),
      });
      expect(message.endsWith(`\nRequest ID: ${account.subject}`)).toBe(true);
      expect(message).not.toContain("Resources");
    });

    it("has no request line for a visitor", async () => {
      expect((await ask(wallet().address)).message).not.toContain("Request ID");
    });

    it("is rejected for a chain that is not served, and with an ended session", async () => {
      const body = { address: wallet().address, chain_id: 1 };
      expect(await post("getSignMessage", body)).toMatchObject({
        error_code: "validation_error",
        details: [{ path: "chain_id" }],
      });
      expect(await post("getSignMessage", { ...body, chain_id: CHAIN_ID }, "Bearer dead")).toMatchObject({
        error_code: "token_error",
      });
    });
  });

  describe("linking", () => {
    it("stores a key's signature in the chain's form, whichever form the wallet uses", async () => {
      const ledger = (signature: Hex): Hex =>
        `${signature.slice(0, 130) as Hex}0${Number(`0x${signature.slice(130)}`) - 27}`;
      const compact = (signature: Hex) =>
        serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
      for (const given of [ledger, compact]) {
        const account = await openAccount(db);
        const key = wallet();
        const { message } = await ask(key.address, account.authorization);
        const signature = await key.signMessage({ message });
        expect((await authenticate(message, given(signature), account.authorization)).error_code).toBeUndefined();
        expect((await walletOf(db.orm, key.address))?.signature).toBe(signature);
      }
    });

    it("links the first wallet of an account with any identity status, and notifies only its sessions", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const heard: string[] = [];
      const end = hub.subscribe({ accountId: account.id }, ({ name, data }) =>
        heard.push(`${name} ${JSON.stringify(data)}`),
      );
      const overheard: string[] = [];
      const endOther = hub.subscribe({ address: key.address }, ({ name }) => overheard.push(name));
      const info = (await link(account, key)).data as AccountInfo;
      end();
      endOther();
      expect(overheard).toEqual([]);
      expect(info).toMatchObject({
        email: account.email,
        country: "FR",
        identity_status: "unverified",
        wallets: [
          {
            address: key.address,
            create_time: expect.any(Number),
            current: true,
            bindings: [{ chain_id: CHAIN_ID, state: "waiting" }],
          },
        ],
      });
      expect(heard).toEqual(["identity {}"]);
      expect(await isLinked(key.address)).toBe(true);
    });

    it("shows only the current wallet's failed record as waiting after that wallet has signed again", async () => {
      const account = await openAccount(db);
      const [key, former] = [wallet(), wallet()];
      await verifyAccount(db, account.id);
      await link(account, former);
      await link(account, key);
      for (const { address } of [key, former]) {
        const row = { chainId: CHAIN_ID, address: stored(address) };
        await upsertBinding(db.orm, row, { state: "failed", reason: "signature_used" });
      }
      const info = (await link(account, key)).data as AccountInfo;
      expect(info.wallets.map(({ bindings }) => bindings)).toMatchObject([
        [{ state: "waiting", reason: null }],
        [{ state: "failed", reason: "signature_used" }],
      ]);
    });

    it("makes a browser that signed in a known device of the account's e-mail", async () => {
      const account = await openAccount(db);
      const key = wallet();
      await link(account, key);
      const { message } = await ask(key.address);
      const payload = { message, signature: await key.signMessage({ message }) };
      const response = await app.inject({ method: "POST", url: "/api/v2/account/authenticate", payload });
      const { email } = response.json().data as Session;
      const devices = createKnownDevices(createKeys(new Uint8Array(32).fill(7)), PUBLIC_URL);
      const cookie = String(response.headers["set-cookie"]).split(";", 1)[0];
      expect(devices.recognise(`theme=dark; ${cookie}`, email)).toEqual(expect.any(String));
      expect(devices.recognise(cookie, "other@aqua.example")).toBeNull();
      const late = createKnownDevices(
        createKeys(new Uint8Array(32).fill(7)),
        PUBLIC_URL,
        () => Date.now() + 366 * 86_400_000,
      );
      expect(late.recognise(cookie, email)).toBeNull();
    });

    it("signs in with a linked wallet", async () => {
      const account = await openAccount(db);
      const key = wallet();
      await link(account, key);
      const { token, email } = (await signIn(key)).data as Session;
      expect(email).toBe(account.email);
      const other = await ask(key.address, `Bearer ${token}`);
      expect(other.message).toContain(account.subject);
    });

    it("signs no one in with a wallet that is not linked", async () => {
      expect(await signIn(wallet())).toMatchObject({ error_code: "login_failed" });
    });

    it("requires a verified identity before it switches, and then ends the log-in of the old wallet", async () => {
      const account = await openAccount(db);
      const other = await logIn(db, account.id);
      const [first, second] = [wallet(), wallet()];
      await link(account, first);
      expect(await link(account, second)).toMatchObject({ error_code: "identity_required" });
      expect(await isLinked(second.address)).toBe(false);

      await verifyAccount(db, account.id);
      const info = (await link(account, second)).data as AccountInfo;
      expect(info.wallets.map(({ address, current }) => [address, current])).toEqual([
        [second.address, true],
        [first.address, false],
      ]);
      expect(await isLinked(first.address)).toBe(false);
      expect(await signIn(first)).toMatchObject({ error_code: "login_failed" });
      const ended = await post("getSignMessage", { address: first.address, chain_id: CHAIN_ID }, other);
      expect(ended).toMatchObject({ error_code: "token_error" });

      const back = (await link(account, first)).data as AccountInfo;
      expect(back.wallets[0]).toMatchObject({ address: first.address, current: true });
    });

    it("rejects a wallet of another account without naming that account", async () => {
      const [owner, stranger] = [await openAccount(db), await openAccount(db)];
      const key = wallet();
      await link(owner, key);
      const refused = await link(stranger, key);
      expect(refused).toMatchObject({ error_code: "conflict", message: "This wallet is linked to another account" });
      expect(JSON.stringify(refused)).not.toContain(owner.email);
    });

    it("rejects a former wallet of another account, too", async () => {
      const [owner, stranger] = [await openAccount(db), await openAccount(db)];
      const key = wallet();
      await link(owner, key);
      await verifyAccount(db, owner.id);
      await link(owner);
      expect(await link(stranger, key)).toMatchObject({ error_code: "conflict" });
    });

    it("links a wallet to one of two accounts that link it at the same time", async () => {
      const accounts = await Promise.all([1, 2, 3, 4].map(() => openAccount(db)));
      const key = wallet();
      const outcomes = await Promise.all(accounts.map((account) => link(account, key)));
      expect(outcomes.filter(({ data }) => data !== undefined)).toHaveLength(1);
      expect(outcomes.filter(({ error_code }) => error_code === "conflict")).toHaveLength(3);
    });

    it("leaves an account that links many wallets at once with one current wallet", async () => {
      const account = await openAccount(db);
      await verifyAccount(db, account.id);
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => link(account)));
      // Each switch ends the other sessions, but not the caller's.
      expect(outcomes.map(({ error_code }) => error_code)).toEqual([undefined, undefined, undefined, undefined]);
      const { wallets } = (await link(account)).data as AccountInfo;
      expect(wallets.filter(({ current }) => current)).toHaveLength(1);
      expect(wallets).toHaveLength(5);
    });
  });

  describe("switching", () => {
    const asking = (account: TestAccount, key: ReturnType<typeof wallet>, from: string) =>
      ask(key.address, account.authorization, { switch_from: from });
    const verified = async () => {
      const account = await openAccount(db);
      await verifyAccount(db, account.id);
      return account;
    };

    it("uses the text that the chain requires", async () => {
      const account = await verified();
      const [first, second] = [wallet(), wallet()];
      await link(account, first);
      const { message } = await asking(account, second, first.address);
      expect(parseSiweMessage(message)).toMatchObject({
        statement: `Switch to this wallet from ${first.address.toLowerCase()}.`,
        address: second.address,
        requestId: account.subject,
      });
      expect(message.endsWith(`\nRequest ID: ${account.subject}`)).toBe(true);
      const signature = await second.signMessage({ message });
      const info = (await authenticate(message, signature, account.authorization)).data as AccountInfo;
      expect(info.wallets[0]).toMatchObject({ address: second.address, current: true });
    });

    it("is accepted again from the new wallet, which stays the current one", async () => {
      const account = await verified();
      const [first, second] = [wallet(), wallet()];
      await link(account, first);
      await link(account, second);
      const { message } = await asking(account, second, first.address);
      const signature = await second.signMessage({ message });
      const info = (await authenticate(message, signature, account.authorization)).data as AccountInfo;
      expect(info.wallets.map(({ current }) => current)).toEqual([true, false]);
    });

    it("requires a wallet of the requesting account and another new one", async () => {
      const [account, stranger] = [await verified(), await verified()];
      const [own, foreign] = [wallet(), wallet()];
      await link(account, own);
      await link(stranger, foreign);
      const refused = { error_code: "validation_error", details: [{ path: "switch_from" }] };
      const body = (from: string, address = wallet().address) => ({ address, chain_id: CHAIN_ID, switch_from: from });
      for (const [asked, authorization] of [
        [body(foreign.address), account.authorization],
        [body(wallet().address), account.authorization],
        [body(own.address, own.address), account.authorization],
        [body(own.address), undefined],
      ] as const) {
        expect(await post("getSignMessage", asked, authorization)).toMatchObject(refused);
      }
    });

    it("is rejected for another wallet than the named one", async () => {
      const account = await verified();
      const [first, second, third] = [wallet(), wallet(), wallet()];
      await link(account, first);
      const { message } = await asking(account, third, first.address);
      await link(account, second);
      const signature = await third.signMessage({ message });
      expect(await authenticate(message, signature, account.authorization)).toMatchObject({
        error_code: "signature_invalid",
      });
      expect(await isLinked(second.address)).toBe(true);
    });

    it("is rejected for a wallet that has a successor on chain", async () => {
      const account = await verified();
      const [first, second] = [wallet(), wallet()];
      await link(account, first);
      await link(account, second);
      retired.add(first.address.toLowerCase());
      expect(await link(account, first)).toMatchObject({ error_code: "conflict", details: [{ path: "wallet" }] });
      expect(await isLinked(second.address)).toBe(true);
    });

    it("requires a verified identity", async () => {
      const account = await openAccount(db);
      const [first, second] = [wallet(), wallet()];
      await link(account, first);
      const { message } = await asking(account, second, first.address);
      const signature = await second.signMessage({ message });
      expect(await authenticate(message, signature, account.authorization)).toMatchObject({
        error_code: "identity_required",
      });
    });
  });

  describe("contract wallets", () => {
    it("are linked for a day with an empty signature if the wallet has approved the message on chain", async () => {
      const account = await openAccount(db);
      const owner = wallet();
      await contracts.create(owner.address);
      const address = await contracts.addressOf(owner.address);
      const { message, expires_at } = await ask(address, account.authorization);
      expect(expires_at - Date.now()).toBeGreaterThan(23 * 3_600_000);
      expect(await authenticate(message, "0x", account.authorization)).toMatchObject({
        error_code: "signature_invalid",
      });
      await contracts.approve(address, hashMessage(message));
      expect((await authenticate(message, "0x", account.authorization)).error_code).toBeUndefined();
      expect(await isLinked(address)).toBe(true);

      const key = wallet();
      const ofKey = await ask(key.address, account.authorization);
      expect(ofKey.expires_at - Date.now()).toBeLessThan(3_600_000);
      expect(await authenticate(ofKey.message, "0x", account.authorization)).toMatchObject({
        error_code: "signature_invalid",
      });
    });

    it("are linked by their owner's signature after they are deployed", async () => {
      const account = await openAccount(db);
      const owner = wallet();
      await contracts.create(owner.address);
      const address = await contracts.addressOf(owner.address);
      const { message } = await ask(address, account.authorization);
      const foreign = await wallet().signMessage({ message });
      expect(await authenticate(message, foreign, account.authorization)).toMatchObject({
        error_code: "signature_invalid",
      });
      const info = await authenticate(message, await owner.signMessage({ message }), account.authorization);
      expect(info.data).toMatchObject({ wallets: [{ address: getAddress(address), current: true }] });
    });

    it("are linked before they are deployed by a signature that carries their deployment", async () => {
      const account = await openAccount(db);
      const owner = wallet();
      const address = await contracts.addressOf(owner.address);
      const { message } = await ask(address, account.authorization);
      const sign = async (key: typeof owner) =>
        contracts.counterfactual(owner.address, await key.signMessage({ message }));
      expect(await authenticate(message, await sign(wallet()), account.authorization)).toMatchObject({
        error_code: "signature_invalid",
      });
      const info = await authenticate(message, await sign(owner), account.authorization);
      expect(info.data).toMatchObject({ wallets: [{ address: getAddress(address) }] });
    });
  });

  describe("F19: a rejected sign-in", () => {
    const refused = { error_code: "signature_invalid" };

    it("is one with a message that was used before", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const { message } = await ask(key.address, account.authorization);
      const signature = await key.signMessage({ message });
      expect((await authenticate(message, signature, account.authorization)).data).toBeDefined();
      expect(await authenticate(message, signature, account.authorization)).toMatchObject(refused);
    });

    it("is each but one of fifty at the same time", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const { message } = await ask(key.address, account.authorization);
      const signature = await key.signMessage({ message });
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => authenticate(message, signature, account.authorization)),
      );
      expect(outcomes.filter(({ data }) => data !== undefined)).toHaveLength(1);
      expect(outcomes.filter(({ error_code }) => error_code === "signature_invalid")).toHaveLength(49);
    });

    it("is one with an expired message", async () => {
      const key = wallet();
      const { message, nonce } = await ask(key.address);
      await db.orm
        .update(walletNonce)
        .set({ expires: Date.now() - 1 })
        .where(eq(walletNonce.nonce, nonce));
      expect(await authenticate(message, await key.signMessage({ message }))).toMatchObject(refused);
    });

    it("is one with a changed domain, chain, time, subject or text", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const { message } = await ask(key.address, account.authorization);
      for (const [from, to] of [
        ["aqua.example wants", "evil.example wants"],
        [`Chain ID: ${CHAIN_ID}`, "Chain ID: 1"],
        ["Expiration Time: 2", "Expiration Time: 3"],
        [account.subject, `0x${"1".repeat(32)}`],
        ["costs nothing", "costs something"],
      ] as const) {
        const changed = message.replace(from, to);
        expect(changed).not.toBe(message);
        const signature = await key.signMessage({ message: changed });
        expect(await authenticate(changed, signature, account.authorization), from).toMatchObject(refused);
      }
    });

    it("is one with a message for another domain, even if these tables contain it", async () => {
      const key = wallet();
      const { message } = await ask(key.address);
      const signature = await key.signMessage({ message });
      expect(await authenticate(message, signature, undefined, elsewhere)).toMatchObject(refused);
      expect(await authenticate(message, signature)).toMatchObject({ error_code: "login_failed" });
    });

    it("is one with a message that this server did not issue", async () => {
      const key = wallet();
      const { message, nonce } = await ask(key.address);
      const foreign = message.replace(nonce, "a".repeat(96));
      expect(await authenticate(foreign, await key.signMessage({ message: foreign }))).toMatchObject(refused);
      expect(await authenticate("hello", await key.signMessage({ message: "hello" }))).toMatchObject(refused);
    });

    it("is one with the signature of another wallet, or none", async () => {
      const account = await openAccount(db);
      const key = wallet();
      const { message } = await ask(key.address, account.authorization);
      for (const signature of [
        await wallet().signMessage({ message }),
        "0x12" as const,
        `0x${"00".repeat(65)}` as const,
      ]) {
        expect(await authenticate(message, signature, account.authorization)).toMatchObject(refused);
      }
      expect(await isLinked(key.address)).toBe(false);
    });

    it("is one with a message that another account or a visitor requested", async () => {
      const [asked, other] = [await openAccount(db), await openAccount(db)];
      const key = wallet();
      const { message } = await ask(key.address, asked.authorization);
      const signature = await key.signMessage({ message });
      expect(await authenticate(message, signature, other.authorization)).toMatchObject(refused);
      expect(await authenticate(message, signature)).toMatchObject(refused);
      const visitor = await ask(key.address);
      const signed = await key.signMessage({ message: visitor.message });
      expect(await authenticate(visitor.message, signed, asked.authorization)).toMatchObject(refused);
    });
  });

  it("does not use a message up while the chain cannot confirm its signature", async () => {
    const account = await openAccount(db);
    const owner = wallet();
    await contracts.create(owner.address);
    const { message } = await ask(await contracts.addressOf(owner.address), account.authorization);
    const signature = await owner.signMessage({ message });
    expect(await authenticate(message, signature, account.authorization, away)).toMatchObject({
      error_code: "chain_unavailable",
    });
    expect((await authenticate(message, signature, account.authorization)).data).toBeDefined();
  });

  it("limits how often one caller requests a wallet's messages", async () => {
    const key = wallet();
    const outcomes = await Promise.all(
      Array.from({ length: 130 }, () => post("getSignMessage", { address: key.address, chain_id: CHAIN_ID })),
    );
    expect(outcomes.filter(({ error_code }) => error_code === "too_many_requests").length).toBeGreaterThanOrEqual(10);
  });
});
