import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { Announcements } from "@aqua/sdk/api/notices";
import { languageCodes } from "@aqua/sdk/languages";
import { eq } from "drizzle-orm";
import { type Address, encodeFunctionData, type Hex, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { roleIds } from "../../../../contracts/deploy/roles.ts";
import { depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import { subjectOf } from "../../../../devnet/src/seed/identity.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { mailFormat } from "../../src/mail/format.ts";
import { mailOutbox } from "../../src/mail/schema.ts";
import { mailText } from "../../src/mail/texts.ts";
import { noticeSent } from "../../src/notices/schema.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import type { TestAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { type Notices, openNotices, openOwner } from "./support.ts";

const DOLLAR = 10n ** 6n;
const DAY = 86_400;
const DELAY = 4 * DAY;
/** Sets a delay for the calls of the role `owner`. */
const owner = privateKeyToAccount(`0x${"0e".repeat(32)}`);
let world: World;
let vault: Address;
let queue: QueueCalls;

beforeAll(async () => {
  world = await openWorld();
  vault = world.vaults[0] as Address;
  queue = await openQueue(world, vault);
  await world.chain.rpc.call("anvil_setBalance", [owner.address, "0x56bc75e2d63100000"]);
  await world.mine([0, 1, 2, 3, 4].map((wallet) => world.deposit(wallet, 0, 300n * DOLLAR)));
  await world.mine([queue.deploy(1_300n * DOLLAR)]);
  // Creates a history to measure: the custodian repays some money every day and receives most of it at the end.
  for (let day = 0; day < 20; day += 1)
    await world.mine([queue.repay(50n * DOLLAR), await world.report(0, 0n, DAY)], DAY);
  await world.mine([queue.deploy(1_000n * DOLLAR)]);
  const grant = encodeFunctionData({
    abi: accessManagerAbi,
    functionName: "grantRole",
    args: [roleIds.owner, owner.address, DELAY],
  });
  await world.mine([world.as("owner", world.deployed.deployment.access_manager as Address, grant)]);
});
afterAll(() => world.stop());

withDatabase("notices of announced acts", (open) => {
  const suite = served(() => world, open, "suite");
  let owners: TestAccount[];
  let notices: Notices;
  const chain = () => ({ chainId: CHAIN_ID, deployment: world.deployed.deployment, status: suite.indexer.status });
  const mine = async (calls: readonly Call[], seconds?: number) => {
    await world.mine(calls, seconds);
    await suite.caughtUp();
  };
  const restart = async () => {
    await notices?.close();
    notices = await openNotices(suite.db, [chain()]);
  };
  const to = (mails: readonly OutboxMail[], one: TestAccount | undefined) =>
    mails.filter((mail) => mail.to === one?.email);

  beforeAll(async () => {
    owners = [];
    for (const [index, language] of languageCodes.entries()) {
      const wallets = [world.wallets[index] as Address];
      // The first account has switched to another wallet, but its former wallet still has the shares.
      if (index === 0) wallets.push("0x00000000000000000000000000000000000000c1");
      owners.push(await openOwner(suite.db, wallets, language));
    }
    await openOwner(suite.db, ["0x00000000000000000000000000000000000000c2"]);
    await restart();
  });
  afterAll(async () => {
    expect(notices.errors).toEqual([]);
    await notices.close();
  });
  let fork: Hex;
  beforeEach(async () => {
    await suite.db.orm.delete(noticeSent);
    fork = await world.snapshot();
    return async () => {
      await world.revert(fork);
      await suite.caughtUp();
    };
  });

  const manager = () => world.deployed.deployment.access_manager as Address;
  const scheduled = (data: Hex): Call => ({
    ...{ from: owner, to: manager(), what: "schedule" },
    data: encodeFunctionData({ abi: accessManagerAbi, functionName: "schedule", args: [vault, data, 0] }),
  });
  const raise = (fee: bigint) =>
    encodeFunctionData({
      abi: demandVaultAbi,
      functionName: "setTreasury",
      args: [roleAccount("owner").address, fee],
    });
  const announced = async (query = "") => {
    const url = `/api/v2/product/${world.shortIds[0]}/announcements${query}`;
    return (await notices.app.inject({ url })).json<{ data: Announcements }>().data;
  };

  it("a scheduled fee rise reaches each holder once, in its language, with both dates, also after a restart", async () => {
    expect(await notices.turn()).toEqual([]);
    await mine([scheduled(raise(12n * 10n ** 16n))]);
    const mails = await notices.turn();
    expect(mails.map((mail) => mail.to).sort()).toEqual(owners.map(({ email }) => email).sort());
    const { time, number } = await world.head();
    for (const [index, language] of languageCodes.entries()) {
      const [mail] = to(mails, owners[index]);
      const { exit } = await announced(`?wallets=${world.wallets[index]}`);
      expect(exit?.p90).toBeGreaterThan(0);
      const format = mailFormat(language);
      const outBy = format.date(time * 1_000 + (exit?.p90 ?? 0));
      const possible = format.date((time + DELAY) * 1_000);
      const line = mail?.text.split("\n").find((one) => one.includes(possible) && one.includes(outBy));
      expect(line, language).toBeDefined();
      expect(mail?.text).toContain(format.percent(10n ** 17n));
      expect(mail?.subject).toContain(format.percent(12n * 10n ** 16n));
      expect(mail?.text).toContain(format.count(number));
      expect(mail?.headers).toEqual({});
    }
    expect(await notices.turn()).toEqual([]);
    await restart();
    expect(await notices.turn()).toEqual([]);
    await mine([], DAY);
    expect(await notices.turn()).toEqual([]);
  });

  it("a change of custodian is announced like one of the fee, and one of the treasury alone is not", async () => {
    const [custodian, treasury] = [world.wallets[4] as Address, world.wallets[3] as Address];
    const custody = encodeFunctionData({
      abi: demandVaultAbi,
      functionName: "setCustodian",
      args: [custodian, 2n * 10n ** 17n],
    });
    const sameFee = encodeFunctionData({
      abi: demandVaultAbi,
      functionName: "setTreasury",
      args: [treasury, 10n ** 17n],
    });
    await mine([scheduled(custody), scheduled(sameFee)]);
    const [mail, ...more] = to(await notices.turn(), owners[0]);
    expect(more).toEqual([]);
    for (const text of [custodian, roleAccount("faucet").address, "20%", "10%"]) expect(mail?.text).toContain(text);
    const { changes } = await announced();
    expect(changes).toMatchObject([
      {
        kind: "custodian",
        present: { custodian: roleAccount("faucet").address, buffer: "0.100000000000000000" },
        next: { custodian, buffer: "0.200000000000000000" },
      },
    ]);
  });

  it("the announcement states why an exit time is unknown", async () => {
    expect(await announced()).toMatchObject({ changes: [], exit: null, exit_unknown: "no_position" });
    const freeze = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "freeze",
      args: [world.wallets[0] as Address],
    });
    const registry = world.deployed.addresses.identityRegistry;
    await mine([world.as("guardian", registry, freeze), scheduled(raise(2n * 10n ** 17n))]);
    expect(await announced(`?wallets=${world.wallets[0]}`)).toMatchObject({
      changes: [{ kind: "fee", present: { fee: "0.100000000000000000" }, next: { fee: "0.200000000000000000" } }],
      exit: null,
      exit_unknown: "restricted",
    });
    const both = await announced(`?wallets=${world.wallets[1]},${world.wallets[2]}`);
    const one = await announced(`?wallets=${world.wallets[1]}`);
    expect(both.exit?.p90).toBeGreaterThanOrEqual(one.exit?.p90 ?? Number.POSITIVE_INFINITY);
    const [mail] = to(await notices.turn(), owners[0]);
    expect(mail?.text).toContain("has no record or is frozen");
  });

  it("an exit includes the shares that wait in the queue", async () => {
    const wallet = world.wallets[1];
    const before = await announced(`?wallets=${wallet}`);
    await mine([queue.request(0, 300n * 10n ** 12n), queue.request(1, 100n * 10n ** 12n)]);
    const after = await announced(`?wallets=${wallet}`);
    expect(after.exit?.p90).toBeGreaterThan(before.exit?.p90 ?? Number.POSITIVE_INFINITY);
  });

  /** The wallet that will replace an owner's wallet. */
  const successorOf = (index: number) => privateKeyToAccount(`0x5e${index}${"0".repeat(61)}`);
  const registryCall = async (
    functionName: "bind" | "proposeRecovery" | "executeRecovery",
    { index = 0, nonce = "first" }: { index?: number; nonce?: string } = {},
  ) => {
    const old = world.wallets[index] as Address;
    const successor = successorOf(index);
    const sign = (text: string) => successor.signMessage({ message: `${text}\nRequest ID: ${subjectOf(old)}` });
    const { time } = await world.head();
    const statement = `\nRecover to this wallet from ${old.toLowerCase()}.`;
    const args = {
      bind: async () => [
        ...[successor.address, BigInt(subjectOf(old)), BigInt(time + 999 * DAY), 250, 1],
        ...[stringToHex("hello"), await sign("hello")],
      ],
      proposeRecovery: async () => [
        ...[old, successor.address, stringToHex(nonce), stringToHex("\nafterwards")],
        await sign(`${nonce}${statement}\nafterwards`),
      ],
      executeRecovery: async () => [old],
    };
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName,
      args: await args[functionName](),
    } as never);
    return world.as("attester", world.deployed.addresses.identityRegistry, data);
  };
  const ofEach = (functionName: Parameters<typeof registryCall>[0]) =>
    Promise.all(languageCodes.map((_, index) => registryCall(functionName, { index })));

  /** Expects one mail per owner, in its language, with its wallets, these times and the block of the figures. */
  const expectRecoveryMails = async (
    kind: "recovery_proposed" | "recovery_pending" | "recovery_executed",
    moments: readonly number[],
    veto: "veto_before" | "veto_now" | null = null,
  ) => {
    const mails = await notices.turn();
    expect(mails.map((mail) => mail.to).sort()).toEqual(owners.map(({ email }) => email).sort());
    const { number } = await world.head();
    for (const [index, language] of languageCodes.entries()) {
      const [mail] = to(mails, owners[index]);
      const format = mailFormat(language);
      const action = kind === "recovery_executed" ? "recovery_executed.action" : "action.app";
      expect(mail?.subject).toBe(mailText(language, `${kind}.subject`, {}));
      for (const text of [
        ...[
          world.wallets[index],
          successorOf(index).address,
          mailText(language, action, {}),
          mailText(language, "footer.required", {}),
        ],
        ...[...moments.map((time) => format.dateTime(time * 1_000)), format.count(number)],
        ...(veto === null
          ? []
          : [mailText(language, `note.${veto}`, { from: format.dateTime((moments[1] ?? 0) * 1_000) })]),
      ])
        expect(mail?.text, language).toContain(text);
      expect(`${mail?.subject}${mail?.text}`).not.toMatch(/[{}]|undefined/);
      expect(mail?.headers).toEqual({});
    }
    expect(await notices.turn()).toEqual([]);
  };

  it("a proposed recovery reaches each former wallet's account in its language, at once, after a day and at its execution", async () => {
    await mine(await ofEach("bind"));
    await mine(await ofEach("proposeRecovery"));
    const { time } = await world.head();
    const window = [time, time + 3 * DAY, time + 17 * DAY];
    await expectRecoveryMails("recovery_proposed", window, "veto_before");
    await mine([], DAY - 60);
    expect(await notices.turn()).toEqual([]);
    await mine([], 60);
    await expectRecoveryMails("recovery_pending", window, "veto_before");
    await restart();
    await mine([], DAY);
    expect(await notices.turn()).toEqual([]);
    await mine(await ofEach("executeRecovery"), DAY);
    await expectRecoveryMails("recovery_executed", [(await world.head()).time]);
    await mine([], DAY);
    expect(await notices.turn()).toEqual([]);
  });

  it("a vetoed recovery causes no further notice, and another proposal causes new ones", async () => {
    await mine([await registryCall("bind")]);
    await mine([await registryCall("proposeRecovery")]);
    expect(await notices.turn()).toHaveLength(1);
    const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" });
    await mine([{ from: depositor(0), to: world.deployed.addresses.identityRegistry, data, what: "veto" }]);
    await mine([], DAY);
    expect(await notices.turn()).toEqual([]);
    await mine([await registryCall("proposeRecovery", { nonce: "second" })]);
    expect(await notices.turn()).toHaveLength(1);
    // The second mail of this proposal is late: the time that is kept for a veto is over.
    await mine([], 3 * DAY);
    const [late, ...more] = await notices.turn();
    expect(more).toEqual([]);
    expect(late?.text).toContain("The recovery can be executed at any moment now. Veto at once.");
  });

  it("a first start after a year of events sends no notice of a past event", async () => {
    const execute = encodeFunctionData({
      abi: accessManagerAbi,
      functionName: "execute",
      args: [vault, raise(2n * 10n ** 17n)],
    });
    await mine([await registryCall("bind"), scheduled(raise(2n * 10n ** 17n))]);
    await mine([await registryCall("proposeRecovery")]);
    await mine([{ from: owner, to: manager(), data: execute, what: "execute" }], DELAY);
    await mine([await registryCall("executeRecovery")]);
    await mine([], 30 * DAY);
    await suite.db.orm.delete(mailOutbox);
    await restart();
    expect(await notices.turn()).toEqual([]);
    expect(await suite.db.orm.select().from(noticeSent)).toEqual([]);
  });

  it("no notice is sent while the tables are behind their chain", async () => {
    await mine([scheduled(raise(2n * 10n ** 17n))]);
    const behind = await openNotices(suite.db, [{ ...chain(), status: () => ({ state: "backfill" }) }]);
    expect(await behind.turn()).toEqual([]);
    await behind.close();
    expect(
      await suite.db.orm
        .select()
        .from(noticeSent)
        .where(eq(noticeSent.accountId, owners[0]?.id ?? "")),
    ).toEqual([]);
    expect(await notices.turn()).toHaveLength(owners.length);
  });
});
