import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { TimeDetail } from "@aqua/sdk/api/product";
import type { PrivilegedAct, Recoveries, TransparencySummary } from "@aqua/sdk/api/transparency";
import { recompute } from "@aqua/sdk/audit/recompute";
import { transparencyFigures } from "@aqua/sdk/audit/transparencyFigures";
import { createViews } from "@aqua/sdk/audit/view";
import { parseUnits } from "@aqua/sdk/maths/units";
import { type Address, encodeFunctionData, getAddress, type Hex, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleIds } from "../../../../contracts/deploy/roles.ts";
import { depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import { subjectOf } from "../../../../devnet/src/seed/identity.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { auditFinding } from "../../src/audit/schema.ts";
import { createAuditStore } from "../../src/audit/store.ts";
import { decodeCall } from "../../src/transparency/calls.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { CHAIN_ID, openWorld, type World } from "../indexer/world.ts";
import { served } from "../portfolio/api.ts";
import { withDatabase } from "../support/databases.ts";

const SHARE = 10n ** 12n;
const DAY = 86_400;
let world: World;
let vault: Address;
let queue: QueueCalls;
let term: TermWorld;

beforeAll(async () => {
  world = await openWorld();
  vault = world.vaults[0] as Address;
  queue = await openQueue(world, vault);
  term = await openTermDeposit(world);
  await world.mine([world.deposit(0, 0, 6_000n * DOLLAR), term.open(1, 0, 500n * DOLLAR)]);
  await world.mine([queue.deploy(4_000n * DOLLAR), queue.request(0, 1_000n * SHARE)], DAY);
  await world.mine([await world.report(0, 0n)]);
  await world.mine([queue.process(), queue.claim(0, { assets: 1n })]);
  await world.mine([], 6 * 3_600);
  await world.mine([await world.report(0, 900_000n)]);
  await world.mine([], 3_600);
});
afterAll(() => world.stop());

withDatabase("the transparency API", (open) => {
  const running = served(() => world, open, "suite");
  const { api, caughtUp } = running;

  const summary = () => api.get<TransparencySummary>("transparency/summary");
  const acts = (query = "") => api.get<List<PrivilegedAct>>(`transparency/acts${query}`);
  const dollars = (of: Address) =>
    world.client.readContract({
      address: world.deployed.addresses.testDollar,
      abi: testDollarAbi,
      functionName: "balanceOf",
      args: [of],
    });

  it("compares a demand deposit's assets with its debts, each part as on chain", async () => {
    const { reserves } = await summary();
    const told = reserves.find((one) => one.contract === getAddress(vault));
    const part = (side: "assets" | "liabilities") =>
      Object.fromEntries((told?.[side] ?? []).map((one) => [one.part, parseUnits(one.amount, 6)]));
    const ofVault = { address: vault, abi: demandVaultAbi } as const;
    const total = await world.client.readContract({ ...ofVault, functionName: "totalAssets" });
    const [settled, streaming] = await world.client.readContract({ ...ofVault, functionName: "stream" });
    const setAside = await world.client.readContract({ ...ofVault, functionName: "setAside" });
    expect(setAside).toBe(999_999_999n);
    const fee = 90_000n;
    expect(part("assets")).toEqual({
      idle: (await dollars(vault)) - setAside - fee,
      deployed: 4_000n * DOLLAR,
      set_aside: setAside,
    });
    expect(part("liabilities")).toEqual({
      shares: total,
      unstreamed: settled + streaming - total,
      set_aside: setAside,
    });
    expect(told).toMatchObject({ type: "demand_deposit", coverage: "1.000000000000000000", max_age: 7 * DAY * 1_000 });
    expect(told?.total_assets).toBe(told?.total_liabilities);
    expect(told?.last_report).toBeLessThan(told?.as_of.time ?? 0);
    // The contract requires no evidence, and none of its devices has reported.
    expect(told).toMatchObject({ evidence: null, last_reading: null });
  });

  it("compares a time deposit's assets with principal and interest", async () => {
    const { reserves } = await summary();
    const told = reserves.find((one) => one.short_id === term.shortId);
    const interest = parseUnits(told?.liabilities[1]?.amount ?? "", 6);
    expect(told).toMatchObject({ type: "time_deposit", last_report: null, max_age: null });
    expect(told?.liabilities.map((one) => one.part)).toEqual(["principal", "interest"]);
    expect(told?.liabilities[0]?.amount).toBe("500.000000");
    // 30 days at 5 % a year.
    expect(interest).toBe((500n * DOLLAR * 5n * 30n) / 36_500n);
    expect(parseUnits(told?.assets[0]?.amount ?? "", 6)).toBe(await dollars(term.address));
    const { income_months } = await api.get<TimeDetail>(`product/${term.shortId}`);
    expect(income_months.reduce((sum, { amount }) => sum + parseUnits(amount, 6), 0n)).toBe(interest);
    expect(parseUnits(told?.coverage ?? "", 18)).toBe(await term.read("coverage"));
  });

  it("names a loss while it can be reversed or settled, as the contract does and the audit recomputes", async () => {
    const fork = await world.snapshot();
    const shortIds = [world.shortIds[0] as string, term.shortId];
    const lossesIn = (reserves: readonly { short_id: string; reviewed_loss: unknown }[]) =>
      shortIds.map((shortId) => reserves.find((one) => one.short_id === shortId)?.reviewed_loss);
    async function mine(calls: Call[], seconds?: number) {
      await world.mine(calls, seconds);
      await caughtUp();
      const { number, time } = await world.head();
      const { deployment } = world.deployed;
      const rows = await recompute({ client: world.client as never, chainId: CHAIN_ID, deployment }, { to: number });
      const shown = lossesIn((await summary()).reserves);
      expect(lossesIn(transparencyFigures([createViews(rows, deployment)(number, time)]).reserves)).toEqual(shown);
      return shown;
    }
    const until = async () => ((await world.head()).time + DAY) * 1_000;
    const asConfirmer = (functionName: "takeBackLoss" | "confirmLoss") =>
      world.as("confirmer", vault, encodeFunctionData({ abi: demandVaultAbi, functionName }));
    const books = (await term.read("books")) as { cash: bigint; liabilities: bigint };
    await mine([term.as("treasurer", "withdrawInterest", [books.cash - books.liabilities])]);
    await mine([term.as("treasurer", "deploy", [300n * DOLLAR])]);
    // A loss below 1 % is not reviewed.
    expect(await mine([await world.report(0, -5n * DOLLAR)])).toEqual([null, null]);

    const [reviewed] = await mine([await world.report(0, -500n * DOLLAR)]);
    expect(reviewed).toEqual({ amount: "500.000000", stage: "reviewed", until: await until() });
    const found = { table: "report", row: "block 7, log 1", column: "delta", expected: "1", found: "2" };
    await createAuditStore(running.db).find(CHAIN_ID, [{ ...found, product: vault.toLowerCase() }], 1);
    expect(lossesIn((await summary()).reserves)).toMatchObject([{ amount: null, stage: "reviewed" }, null]);
    await running.db.orm.update(auditFinding).set({ healed: 2 });
    expect(await mine([asConfirmer("takeBackLoss")])).toEqual([null, null]);
    await mine([asConfirmer("confirmLoss")]);
    await mine([await world.report(0, -400n * DOLLAR)]);
    const bookLoss = term.as("reporter", "bookLoss", [200n * DOLLAR, `0x${"ab".repeat(32)}`]);
    const [demand, time] = await mine([bookLoss]);
    expect(demand).toMatchObject({ amount: "400.000000", stage: "reviewed" });
    expect(time).toEqual({ amount: "200.000000", stage: "reviewed", until: await until() });
    // The loss of a demand deposit is final after its review; that of a time deposit waits until anyone settles it.
    expect(await mine([], 2 * DAY)).toEqual([null, { ...(time as object), stage: "unsettled" }]);
    expect(await mine([term.as("faucet", "settleLoss", [])])).toEqual([null, null]);
    await world.revert(fork);
    await caughtUp();
  });

  it("names the contracts, and the holders of each role as in the AccessManager", async () => {
    const { contracts, roles } = await summary();
    const manager = getAddress(world.deployed.deployment.access_manager);
    expect(contracts).toContainEqual({ chain_id: 31337, role: "access_manager", address: manager, short_id: null });
    const queueOf = { chain_id: 31337, role: "queue", address: queue.address, short_id: world.shortIds[0] };
    expect(contracts).toContainEqual(queueOf);
    const treasurer = roles.find((role) => role.label === "treasurer");
    expect(treasurer?.members.map((member) => member.address)).toContain(roleAccount("treasurer").address);
    let members = 0;
    for (const { id, members: held } of roles) {
      for (const { address, delay } of held) {
        const [is, wait] = await world.client.readContract({
          address: manager,
          abi: accessManagerAbi,
          functionName: "hasRole",
          args: [BigInt(id), address as Address],
        });
        expect([is, wait * 1_000], `${address} in ${id}`).toEqual([true, delay]);
        members += 1;
      }
    }
    expect(members).toBeGreaterThan(4);
  });

  it("excludes accounts that lost a role", async () => {
    const treasurer = (await summary()).roles.find((role) => role.label === "treasurer");
    const account = roleAccount("treasurer").address;
    const renounce = encodeFunctionData({
      abi: accessManagerAbi,
      functionName: "renounceRole",
      args: [BigInt(treasurer?.id ?? ""), account],
    });
    const fork = await world.snapshot();
    await world.mine([world.as("treasurer", world.deployed.deployment.access_manager as Address, renounce)]);
    await caughtUp();
    const after = (await summary()).roles.find((role) => role.label === "treasurer");
    expect(after?.members.map((member) => member.address)).not.toContain(account);
    await world.revert(fork);
    await caughtUp();
    expect((await summary()).roles).toContainEqual(treasurer);
  });

  it("lists privileged calls newest first, and those of one product", async () => {
    const all = await acts("?page_size=100");
    const times = all.items.map((act) => act.time);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const of = await acts(`?short_id=${world.shortIds[0]}`);
    expect(of.items[0]).toMatchObject({
      name: "Deployed",
      contract: getAddress(vault),
      short_id: world.shortIds[0],
      args: { assets: String(4_000n * DOLLAR) },
    });
    expect(of.items.map((act) => act.name)).toContain("ProductListed");
    expect(of.items.every((act) => act.short_id === world.shortIds[0])).toBe(true);
    expect(of.total).toBeLessThan(all.total);
    const second = await acts("?page=2&page_size=5");
    expect(second.items).toEqual(all.items.slice(5, 10));
    expect(await api.refusal("transparency/acts?short_id=nothing-here")).toMatchObject({
      status: 404,
      error_code: "pool_not_found",
    });
  });

  it("lists scheduled calls with their caller and time until they are executed or cancelled", async () => {
    const fork = await world.snapshot();
    const manager = world.deployed.deployment.access_manager as Address;
    const owner = depositor(2);
    const delay = 2 * DAY;
    const call = (data: Hex): Call => ({ from: owner, to: manager, data, what: "owner" });
    const encode = (functionName: "schedule" | "execute" | "cancel", args: readonly unknown[]) =>
      encodeFunctionData({ abi: accessManagerAbi, functionName, args } as never);
    const grant = encodeFunctionData({
      abi: accessManagerAbi,
      functionName: "grantRole",
      args: [roleIds.owner, owner.address, delay],
    });
    const raise = encodeFunctionData({
      abi: demandVaultAbi,
      functionName: "setTreasury",
      args: [world.wallets[1] as Address, 12n * 10n ** 16n],
    });
    const halt = encodeFunctionData({ abi: demandVaultAbi, functionName: "setCap", args: [5n] });
    expect(
      decodeCall(encodeFunctionData({ abi: accessManagerAbi, functionName: "multicall", args: [[grant]] })),
    ).toEqual({
      name: "multicall",
      args: { data: grant },
      parts: [
        {
          name: "grantRole",
          args: { roleId: String(roleIds.owner), account: owner.address, executionDelay: String(delay) },
        },
      ],
    });
    const unknown = "0x12345678";
    const functions = encodeFunctionData({
      abi: accessManagerAbi,
      functionName: "setTargetFunctionRole",
      args: [vault, [raise.slice(0, 10) as Hex, halt.slice(0, 10) as Hex, unknown], roleIds.guardian],
    });
    expect(decodeCall(functions)).toEqual({
      name: "setTargetFunctionRole",
      args: { target: vault, selectors: `setTreasury, setCap, ${unknown}`, roleId: String(roleIds.guardian) },
      parts: [],
    });
    await world.mine([world.as("owner", manager, grant)]);
    await world.mine([call(encode("schedule", [vault, raise, 0])), call(encode("schedule", [vault, halt, 0]))]);
    const { time } = await world.head();
    await caughtUp();
    const [first, second, ...others] = (await summary()).scheduled;
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      caller: owner.address,
      target: getAddress(vault),
      short_id: world.shortIds[0],
      name: "setTreasury",
      args: { newTreasury: world.wallets[1], newFee: "120000000000000000" },
      scheduled_at: time * 1_000,
      possible_from: (time + delay) * 1_000,
      possible_until: (time + delay + 7 * DAY) * 1_000,
    });
    expect(second).toMatchObject({ name: "setCap", args: { newCap: "5" } });
    const names = async () => (await acts(`?short_id=${world.shortIds[0]}`)).items.map((act) => act.name);
    expect((await names()).slice(0, 2)).toEqual(["OperationScheduled", "OperationScheduled"]);

    await world.mine([call(encode("cancel", [owner.address, vault, halt]))]);
    await world.mine([call(encode("execute", [vault, raise]))], delay);
    await caughtUp();
    expect((await summary()).scheduled).toEqual([]);
    const [done, cancelled, announced] = (await acts(`?short_id=${world.shortIds[0]}`)).items;
    expect([done?.name, done?.call]).toEqual(["TreasuryChanged", null]);
    expect(cancelled).toMatchObject({ name: "OperationCanceled", short_id: world.shortIds[0] });
    expect(cancelled?.call).toEqual({ name: "setCap", args: { newCap: "5" }, parts: [] });
    expect([announced?.name, announced?.call?.name]).toEqual(["OperationScheduled", "setCap"]);

    // A scheduled call that nobody executes expires.
    await world.mine([call(encode("schedule", [vault, halt, 0]))]);
    await caughtUp();
    expect((await summary()).scheduled).toHaveLength(1);
    await world.mine([], delay + 7 * DAY);
    await caughtUp();
    expect((await summary()).scheduled).toEqual([]);
    await world.revert(fork);
    await caughtUp();
  });

  it("lists a recovery while it can be vetoed", async () => {
    const fork = await world.snapshot();
    const registry = world.deployed.addresses.identityRegistry;
    const old = depositor(0);
    const next = privateKeyToAccount(`0x${"5e".repeat(32)}`);
    const subject = subjectOf(old.address);
    const of = (wallet: string) => api.get<Recoveries>(`transparency/recoveries?wallet=${wallet}`);
    const sign = (text: string) => next.signMessage({ message: `${text}\nRequest ID: ${subject}` });
    const { time } = await world.head();
    const bind = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "bind",
      args: [
        next.address,
        BigInt(subject),
        BigInt(time + 999 * DAY),
        250,
        1,
        stringToHex("hello"),
        await sign("hello"),
      ],
    });
    const propose = async (nonce: string) => {
      const statement = `\nRecover to this wallet from ${old.address.toLowerCase()}.`;
      const signature = await sign(`${nonce}${statement}\nafterwards`);
      const args = [old.address, next.address, stringToHex(nonce), stringToHex("\nafterwards"), signature] as const;
      return encodeFunctionData({ abi: identityRegistryAbi, functionName: "proposeRecovery", args });
    };
    const mine = async (call: Call, seconds?: number) => {
      await world.mine([call], seconds);
      await caughtUp();
    };
    const attester = (data: Hex) => world.as("attester", registry, data);
    expect((await of(old.address)).recoveries).toEqual([]);
    await mine(attester(bind));
    await mine(attester(await propose("first")));
    const at = (await world.head()).time;
    expect((await of(old.address)).recoveries).toMatchObject([
      {
        wallet: old.address,
        successor: next.address,
        proposed_at: at * 1_000,
        executable_at: (at + 3 * DAY) * 1_000,
        expires_at: (at + 17 * DAY) * 1_000,
      },
    ]);
    expect((await of(next.address)).recoveries).toEqual([]);
    const veto = encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" });
    await mine({ from: old, to: registry, data: veto, what: "veto" });
    expect((await of(old.address)).recoveries).toEqual([]);

    await mine(attester(await propose("second")));
    expect((await of(old.address)).recoveries).toHaveLength(1);
    const execute = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "executeRecovery",
      args: [old.address],
    });
    await mine({ from: depositor(1), to: registry, data: execute, what: "execute" }, 3 * DAY);
    expect((await of(old.address)).recoveries).toEqual([]);
    expect((await acts()).items.slice(0, 4).map((act) => act.name)).toEqual([
      "Retired",
      "RecoveryProposed",
      "RecoveryVetoed",
      "RecoveryProposed",
    ]);
    await world.revert(fork);
    await caughtUp();
  });
});
