import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { shownParts, switchStatement } from "@aqua/sdk/takeover";
import { eq } from "drizzle-orm";
import { createWalletClient, encodeFunctionData, type Hex, HttpRequestError, http, stringToHex, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roleAccount } from "../../../../devnet/src/accounts.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { account } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { identityCase } from "../../src/identity/schema.ts";
import { RetryLater } from "../../src/jobs/runner.ts";
import { createKeys } from "../../src/keys.ts";
import { createLogWriter } from "../../src/publicLog/writer.ts";
import { setWaiting } from "../../src/records/bindings.ts";
import { isRetired } from "../../src/records/retired.ts";
import { linkedWallets } from "../../src/records/store.ts";
import { insertSwitch, releaseSwitches } from "../../src/records/switches.ts";
import { type LocalChain, openLocalChain } from "../instance/local.ts";
import { linkWallet, openAccount, stateAccount, type TestAccount, verifyAccount } from "../support/accounts.ts";
import { openTestDatabase } from "../support/databases.ts";
import { type ContractWallets, deployContractWallets } from "../support/wallets/contractWallets.ts";
import { type RecordQueue, recordQueue, registryOf, tamperingClient } from "../support/wallets/records.ts";

const [NONE, VERIFIED, EXIT_ONLY, RETIRED] = [0, 1, 2, 4];
const DAY_MS = 86_400_000;

let local: LocalChain;
let contracts: ContractWallets;
let db: Database;
let desk: RecordQueue;
let registry: ReturnType<typeof registryOf>;
beforeAll(async () => {
  local = await openLocalChain();
  contracts = await deployContractWallets(local.chain);
  db = await openTestDatabase();
  desk = recordQueue(db, local);
  registry = registryOf(local);
});
afterAll(async () => {
  await db?.close();
  await local?.remove();
});

const wallet = () => privateKeyToAccount(generatePrivateKey());
const link = (owner: TestAccount, key = wallet()) =>
  linkWallet(db, owner, key.address, (message) => key.signMessage({ message })).then(() => key.address);
const verified = async (validMs?: number) => {
  const owner = await openAccount(db);
  await verifyAccount(db, owner.id, validMs);
  return owner;
};
const shown = async (owner: TestAccount, address: Hex) => {
  const wallets = await linkedWallets(db.orm, owner.id);
  return wallets.find((known) => known.address.toLowerCase() === address.toLowerCase())?.bindings[0];
};

describe("the record of a wallet", () => {
  it("waits while its switch can be stopped, and is written after that, or at once if the account is no longer verified", async () => {
    const owner = await verified();
    const old = await link(owner);
    await desk.finish(old);
    const next = await link(owner);
    const [from, to] = [old.toLowerCase() as Hex, next.toLowerCase() as Hex];
    const now = Date.now();
    const entry = { accountId: owner.id, from, to, linked: true, createTime: now, effectiveTime: now + DAY_MS };
    await insertSwitch(db.orm, entry);
    for (const address of [old, next]) await expect(desk.run(address)).rejects.toBeInstanceOf(RetryLater);
    expect(await shown(owner, next)).toMatchObject({ state: "waiting", reason: "switch_waits" });
    expect([await registry.statusOf(old), await registry.statusOf(next)]).toEqual([VERIFIED, NONE]);

    await releaseSwitches(db.orm, owner.id);
    for (const address of [old, next]) await desk.finish(address);
    expect([await registry.statusOf(old), await registry.statusOf(next)]).toEqual([EXIT_ONLY, VERIFIED]);

    // During another switch, the identity is revoked.
    const third = await link(owner);
    await insertSwitch(db.orm, { ...entry, from: to, to: third.toLowerCase() as Hex });
    await expect(desk.run(next)).rejects.toBeInstanceOf(RetryLater);
    await db.orm.update(identityCase).set({ validUntil: 1 }).where(eq(identityCase.accountId, owner.id));
    await desk.finish(next);
    expect(await registry.statusOf(next)).toBe(EXIT_ONLY);
  });

  it("waits while an earlier switch can be stopped, even if its own cannot", async () => {
    const owner = await verified();
    const first = await link(owner);
    await desk.finish(first);
    const [second, third] = [await link(owner), await link(owner)];
    const [a, b, c] = [first, second, third].map((address) => address.toLowerCase() as Hex) as [Hex, Hex, Hex];
    const now = Date.now();
    const entry = { accountId: owner.id, linked: true, createTime: now, effectiveTime: now + DAY_MS };
    await insertSwitch(db.orm, { ...entry, from: a, to: b });
    await insertSwitch(db.orm, { ...entry, from: b, to: c, createTime: now + 1, effectiveTime: now });
    for (const address of [a, b, c]) await expect(desk.run(address)).rejects.toBeInstanceOf(RetryLater);
    expect(await Promise.all([a, b, c].map((address) => registry.statusOf(address)))).toEqual([VERIFIED, NONE, NONE]);
  });

  it("names the subject, the country and the end of its account's verification", async () => {
    const owner = await verified();
    const address = await link(owner);
    await desk.run(address);
    const [decided] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, owner.id));
    expect(await registry.recordOf(address)).toEqual({
      subject: BigInt(owner.subject),
      country: 250,
      tier: 1,
      flags: 0,
      validUntil: BigInt(Math.floor(Number(decided?.validUntil) / 1_000)),
    });
    expect(await registry.statusOf(address)).toBe(VERIFIED);
    expect(await shown(owner, address)).toEqual({
      chain_id: 31337,
      state: "bound",
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      reason: null,
    });
  });

  it("is not written while the public log states other rows of its account", async () => {
    const owner = await verified();
    const address = await link(owner);
    const { requireAccount } = createLogWriter(createKeys(new Uint8Array(32).fill(7)));
    const strict = recordQueue(db, local, { requireAccount });
    await db.orm.update(identityCase).set({ country: "DE" }).where(eq(identityCase.accountId, owner.id));
    await expect(strict.run(address)).rejects.toThrow("identity_case");
    expect(await registry.statusOf(address)).toBe(NONE);
    await stateAccount(db, owner.id);
    await strict.run(address);
    expect(await registry.statusOf(address)).toBe(VERIFIED);
  });

  it("waits for the identity check", async () => {
    const owner = await openAccount(db);
    const address = await link(owner);
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(NONE);
    expect(await shown(owner, address)).toMatchObject({ state: "waiting", hash: null });
  });

  it("is written once for many simultaneous requests", async () => {
    const address = await link(await verified());
    await Promise.all([desk.run(address), desk.run(address), desk.run(address)]);
    await desk.run(address);
    expect(await registry.heard(address)).toEqual(["Bound"]);
  });

  it("becomes exit-only when its account switches, and comes back with the wallet", async () => {
    const owner = await verified();
    const [first, second] = [wallet(), wallet()];
    await link(owner, first);
    await desk.run(first.address);
    await link(owner, second);
    await desk.run(first.address);
    await desk.run(second.address);
    expect(await registry.statusOf(first.address)).toBe(EXIT_ONLY);
    expect(await registry.statusOf(second.address)).toBe(VERIFIED);
    expect(await shown(owner, first.address)).toMatchObject({ state: "retired" });

    await link(owner, first);
    await desk.run(first.address);
    expect(await registry.statusOf(first.address)).toBe(VERIFIED);
    expect(await registry.heard(first.address)).toEqual(["Bound", "Revoked", "Bound"]);
  });

  it("is never written for a wallet that was switched away from before its turn came", async () => {
    const owner = await verified();
    const first = await link(owner);
    await link(owner);
    await desk.run(first);
    expect(await registry.heard(first)).toEqual([]);
    expect(await shown(owner, first)).toMatchObject({ state: "retired" });
  });

  it("is transferred to the new wallet with one signature of it, once the old wallet names its successor", async () => {
    const owner = await verified();
    const [first, second] = [wallet(), wallet()];
    await link(owner, first);
    await desk.run(first.address);
    const sign = (message: string) => second.signMessage({ message });
    const { message, signature } = await linkWallet(db, owner, second.address, sign, first.address);
    await desk.run(first.address);
    await desk.run(second.address);
    expect(await registry.statusOf(second.address)).toBe(VERIFIED);

    const shownThere = shownParts(message, switchStatement(first.address));
    const said = [stringToHex(shownThere?.before ?? ""), stringToHex(shownThere?.afterwards ?? "")] as const;
    const { identityRegistry } = local.deployed.addresses;
    const client = createWalletClient({ account: first, transport: http(local.chain.url) });
    await local.chain.rpc.call("anvil_setBalance", [first.address, toHex(10n ** 18n)]);
    await client.writeContract({
      address: identityRegistry,
      abi: identityRegistryAbi,
      chain: null,
      functionName: "switchWallet",
      args: [second.address, ...said, signature],
    });
    await expect.poll(() => registry.statusOf(first.address)).toBe(RETIRED);
    await desk.run(first.address);
    await desk.run(second.address);
    const recordChain = { client: tamperingClient(local.chain.url, (_, pass) => pass()), registry: identityRegistry };
    const gone = { ...recordChain, client: tamperingClient(local.chain.url, () => Promise.reject(new Error("away"))) };
    expect(await isRetired([gone, recordChain], first.address)).toBe(true);
    expect(await isRetired([gone], first.address)).toBe(false);
    expect(await isRetired([gone, recordChain], second.address)).toBe(false);
    expect(await registry.statusOf(second.address)).toBe(VERIFIED);
    expect(await shown(owner, first.address)).toMatchObject({ state: "retired", reason: "handed_on" });
    expect(await shown(owner, second.address)).toMatchObject({ state: "bound", reason: null });
  });

  it("is renewed with the verification", async () => {
    const owner = await verified(20 * DAY_MS);
    const address = await link(owner);
    await desk.run(address);
    await verifyAccount(db, owner.id, 400 * DAY_MS);
    await desk.run(address);
    expect(await registry.heard(address)).toEqual(["Bound", "Renewed"]);
    const { validUntil } = await registry.recordOf(address);
    expect(Number(validUntil) * 1_000).toBeGreaterThan(Date.now() + 399 * DAY_MS);
  });

  it("is revoked when the verification is taken back", async () => {
    const owner = await verified();
    const address = await link(owner);
    await desk.run(address);
    await db.orm.update(identityCase).set({ status: "rejected" }).where(eq(identityCase.accountId, owner.id));
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(EXIT_ONLY);
    expect(await shown(owner, address)).toMatchObject({ state: "waiting" });
  });

  it("requires a new signature after the verification is restored, and is bound by it", async () => {
    const owner = await verified();
    const key = wallet();
    const { address } = key;
    await link(owner, key);
    await desk.run(address);
    await db.orm.update(identityCase).set({ status: "rejected" }).where(eq(identityCase.accountId, owner.id));
    await desk.run(address);
    await verifyAccount(db, owner.id);
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(EXIT_ONLY);
    expect(await shown(owner, address)).toMatchObject({ state: "failed", reason: "signature_used" });

    await link(owner, key);
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(VERIFIED);
    expect(await shown(owner, address)).toMatchObject({ state: "bound", reason: null });
  });

  it("is read again if a lagging node showed it before its signature bound it", async () => {
    const owner = await verified();
    const address = await link(owner);
    await desk.run(address);
    let behind = true;
    const unknown = `0x${"0".repeat(64 * 5)}`;
    const lagging = recordQueue(db, local, {
      tamper: async (method, pass) => {
        if (method !== "eth_call" || !behind) return pass();
        behind = false;
        return unknown;
      },
    });
    await expect(lagging.run(address)).rejects.toThrow(RetryLater);
    await lagging.run(address);
    expect(await shown(owner, address)).toMatchObject({ state: "bound", reason: null });
  });

  it("becomes exit-only when its account is deleted, and no data remains in the database", async () => {
    const owner = await verified();
    const address = await link(owner);
    await desk.run(address);
    await db.orm.delete(account).where(eq(account.id, owner.id));
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(EXIT_ONLY);
    expect(await desk.run(address)).toBeUndefined();
  });

  it("is rejected with a reason for a wallet of another identity", async () => {
    const key = wallet();
    const before = `0x${"7".repeat(32)}` as const;
    const signature = await key.signMessage({ message: `hello\nRequest ID: ${before}` });
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "bind",
      args: [key.address, BigInt(before), 2_000_000_000n, 0, 1, stringToHex("hello"), signature],
    });
    const sender = await Sender.on(local.chain.rpc);
    await sender.submit([
      { from: roleAccount("attester"), to: local.deployed.addresses.identityRegistry, data, what: "bind" },
    ]);
    await expect.poll(() => registry.statusOf(key.address)).toBe(VERIFIED);
    const owner = await verified();
    await link(owner, key);
    await desk.run(key.address);
    expect(await shown(owner, key.address)).toMatchObject({ state: "failed", reason: "other_subject" });
  });
});

describe("a contract wallet", () => {
  it("is bound by its owner's signature", async () => {
    const key = wallet();
    await contracts.create(key.address);
    const address = await contracts.addressOf(key.address);
    const owner = await verified();
    await linkWallet(db, owner, address, (message) => key.signMessage({ message }));
    await desk.run(address);
    expect(await registry.statusOf(address)).toBe(VERIFIED);
  });

  it("waits until it is created, and is then bound", async () => {
    const key = wallet();
    const address = await contracts.addressOf(key.address);
    const owner = await verified();
    await linkWallet(db, owner, address, async (message) =>
      contracts.counterfactual(key.address, await key.signMessage({ message })),
    );
    await expect(desk.run(address)).rejects.toThrow(RetryLater);
    expect(await shown(owner, address)).toMatchObject({ state: "waiting", reason: "not_created" });
    await contracts.create(key.address);
    await desk.run(address);
    expect(await shown(owner, address)).toMatchObject({ state: "bound", reason: null });
  });
});

describe("the record job under faults", () => {
  /** Fails the request with this number, before or after it reaches the node. */
  const failing = (number: number, when: "before" | "after") => {
    let count = 0;
    const tampered = recordQueue(db, local, {
      tamper: async (_method, pass) => {
        count += 1;
        if (count === number && when === "before") throw new Error("lost on the way");
        const answer = await pass();
        if (count >= number && when === "after") throw new Error("the process died");
        return answer;
      },
    });
    return { tampered, reached: () => count >= number };
  };

  for (const when of ["before", "after"] as const) {
    it(`leaves one record when it ends at any step, ${when} the node received it`, async () => {
      let steps = 0;
      for (let reached = true; reached; steps += 1) {
        const owner = await verified();
        const address = await link(owner);
        const attempt = failing(steps + 1, when);
        await attempt.tampered.run(address).catch(() => {});
        reached = attempt.reached();
        await desk.finish(address);
        expect(await registry.heard(address), `ended at request ${steps + 1}`).toEqual(["Bound"]);
        expect(await shown(owner, address), `ended at request ${steps + 1}`).toMatchObject({ state: "bound" });
      }
      expect(steps).toBeGreaterThan(6);
    });
  }

  it("waits while there is no block, and sends nothing twice", async () => {
    const owner = await verified();
    const address = await link(owner);
    await local.chain.follow("manual");
    try {
      await expect(desk.run(address)).rejects.toThrow(RetryLater);
      await expect(desk.run(address)).rejects.toThrow(RetryLater);
      expect(await shown(owner, address)).toMatchObject({ state: "sent" });
      await local.chain.rpc.call("evm_mine", []);
    } finally {
      await local.chain.follow("auto");
    }
    await desk.run(address);
    expect(await registry.heard(address)).toEqual(["Bound"]);
  });

  it("replaces a stuck transaction with one that pays more", async () => {
    const owner = await verified();
    const address = await link(owner);
    const impatient = recordQueue(db, local, { settings: { stuckAfterMs: 0 } });
    await local.chain.follow("manual");
    try {
      await expect(desk.run(address)).rejects.toThrow(RetryLater);
      const first = (await shown(owner, address))?.hash;
      await impatient.run(address).catch(() => {});
      expect((await shown(owner, address))?.hash).not.toBe(first);
      await local.chain.rpc.call("evm_mine", []);
    } finally {
      await local.chain.follow("auto");
    }
    await desk.finish(address);
    expect(await registry.heard(address)).toEqual(["Bound"]);
  });

  it("does not lose its pending transaction if another state of the wallet is requested meanwhile", async () => {
    const owner = await verified();
    const first = wallet();
    await link(owner, first);
    await local.chain.follow("manual");
    try {
      await expect(desk.run(first.address)).rejects.toThrow(RetryLater);
      await link(owner);
      await setWaiting(db.orm, [31337], first.address.toLowerCase() as Hex);
      await expect(desk.run(first.address)).rejects.toThrow(RetryLater);
      await local.chain.rpc.call("evm_mine", []);
    } finally {
      await local.chain.follow("auto");
    }
    await desk.finish(first.address);
    expect(await registry.heard(first.address)).toEqual(["Bound", "Revoked"]);
  });

  it("waits for an unavailable chain and does not reveal its node", async () => {
    let away = true;
    const unreliable = recordQueue(db, local, {
      tamper: async (_method, pass) => {
        if (away) throw new HttpRequestError({ url: "http://node.example/key" });
        return pass();
      },
    });
    const address = await link(await verified());
    await expect(unreliable.run(address)).rejects.toThrow(/^chain 31337: HTTP request failed\.$/);
    away = false;
    await unreliable.run(address);
    expect(await registry.statusOf(address)).toBe(VERIFIED);
  });

  it("reports that the attester cannot pay, and continues once it can", async () => {
    const owner = await verified();
    const address = await link(owner);
    const { rpc } = local.chain;
    const attester = roleAccount("attester").address;
    await rpc.call("anvil_setBalance", [attester, "0x0"]);
    await expect(desk.run(address)).rejects.toThrow("not enough coin on chain 31337");
    expect(desk.outOfGas()).toBe(true);
    await rpc.call("anvil_setBalance", [attester, "0x56bc75e2d63100000"]);
    await desk.finish(address);
    expect(desk.outOfGas()).toBe(false);
    expect(await registry.statusOf(address)).toBe(VERIFIED);
  });
});
