import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { PrivilegedAct, TransparencySummary } from "@aqua/sdk/api/transparency";
import { parseUnits } from "@aqua/sdk/maths/units";
import { type Address, encodeFunctionData, getAddress } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roleAccount } from "../../../../devnet/src/accounts.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import { openWorld, type World } from "../indexer/world.ts";
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

withDatabase("what anyone may check", (open) => {
  const { api, caughtUp } = served(() => world, open, "suite");

  const summary = () => api.get<TransparencySummary>("transparency/summary");
  const acts = (query = "") => api.get<List<PrivilegedAct>>(`transparency/acts${query}`);
  const dollars = (of: Address) =>
    world.client.readContract({
      address: world.deployed.addresses.testDollar,
      abi: testDollarAbi,
      functionName: "balanceOf",
      args: [of],
    });

  it("sets what a demand deposit has against what it owes, each part as the chain has it", async () => {
    const { reserves } = await summary();
    const told = reserves.find((one) => one.contract === getAddress(vault));
    const part = (side: "assets" | "liabilities") =>
      Object.fromEntries((told?.[side] ?? []).map((one) => [one.part, parseUnits(one.amount, 6)]));
    const ofVault = { address: vault, abi: demandVaultAbi } as const;
    const total = await world.client.readContract({ ...ofVault, functionName: "totalAssets" });
    const [settled, streaming] = await world.client.readContract({ ...ofVault, functionName: "stream" });
    const fee = 90_000n;
    expect(part("assets")).toEqual({
      idle: (await dollars(vault)) - fee,
      deployed: 4_000n * DOLLAR,
      set_aside: await dollars(queue.address),
    });
    expect(part("liabilities")).toEqual({
      shares: total,
      unstreamed: settled + streaming - total,
      set_aside: await dollars(queue.address),
    });
    expect(told).toMatchObject({ type: "demand_deposit", coverage: "1.000000000000000000", max_age: 7 * DAY * 1_000 });
    expect(told?.total_assets).toBe(told?.total_liabilities);
    expect(told?.last_report).toBeLessThan(told?.as_of.time ?? 0);
  });

  it("sets what a time deposit has against principal and interest", async () => {
    const { reserves } = await summary();
    const told = reserves.find((one) => one.short_id === term.shortId);
    const interest = parseUnits(told?.liabilities[1]?.amount ?? "", 6);
    expect(told).toMatchObject({ type: "time_deposit", last_report: null, max_age: null });
    expect(told?.liabilities.map((one) => one.part)).toEqual(["principal", "interest"]);
    expect(told?.liabilities[0]?.amount).toBe("500.000000");
    // 30 days at 5 % a year.
    expect(interest).toBe((500n * DOLLAR * 5n * 30n) / 36_500n);
    expect(parseUnits(told?.assets[0]?.amount ?? "", 6)).toBe(await dollars(term.address));
    expect(parseUnits(told?.coverage ?? "", 18)).toBe(await term.read("coverage"));
  });

  it("names the contracts, and who holds which role as the AccessManager answers", async () => {
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

  it("forgets who lost a role", async () => {
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

  it("lists privileged acts newest first, and those about one product", async () => {
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
});
