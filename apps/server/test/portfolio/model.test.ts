import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Statement, TotalHoldValue, TotalProfit, Transaction } from "@aqua/sdk/api/portfolio";
import type { DemandDetail, Product } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { encodeFunctionData, stringToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { depositor } from "../../../../devnet/src/accounts.ts";
import { Random } from "../../../../devnet/src/random.ts";
import { subjectOf } from "../../../../devnet/src/seed/identity.ts";
import { CHAIN_ID, openWorld, WALLETS, type World } from "../indexer/world.ts";
import { withDatabase } from "../support/databases.ts";
import { served } from "./api.ts";
import { expectBalanced } from "./statements.ts";

let world: World;
let origin: `0x${string}`;
beforeAll(async () => {
  world = await openWorld();
  origin = await world.snapshot();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.revert(origin);
  origin = await world.snapshot();
});

/** Payments into and out of a position, computed from the contracts' figures and not from events. */
interface Flows {
  in: bigint;
  out: bigint;
}

/** Plays random actions, one per block, and counts the flows of every wallet in every vault. */
async function play(seed: string, moves: number): Promise<Map<string, Flows>> {
  const random = new Random(seed);
  const flows = new Map<string, Flows>();
  const flow = (wallet: number, vault: number) => {
    const key = `${wallet}:${vault}`;
    const known = flows.get(key) ?? { in: 0n, out: 0n };
    flows.set(key, known);
    return known;
  };
  const dollarsOf = (wallet: number) =>
    world.client.readContract({
      address: world.deployed.addresses.testDollar,
      abi: testDollarAbi,
      functionName: "balanceOf",
      args: [world.wallets[wallet] ?? "0x"],
    });
  for (let move = 0; move < moves; move += 1) {
    const wallet = random.between(0, WALLETS - 1);
    const vault = random.between(0, world.vaults.length - 1);
    const seconds = random.pick([1, 12, 600, 43_200, 100_000]);
    const shares = await world.shares(wallet, vault);
    const roll = random.between(0, 99);
    if (roll < 40 || shares === 0n) {
      const amount = BigInt(random.between(10_000_000, 2_000_000_000)) + BigInt(random.between(0, 999));
      const before = await dollarsOf(wallet);
      const report = await world.report(vault, 0n, seconds);
      await world.mine([report, world.deposit(wallet, vault, amount)], seconds);
      flow(wallet, vault).in += before - (await dollarsOf(wallet));
    } else if (roll < 60) {
      const before = await dollarsOf(wallet);
      const part = random.chance(250) ? shares : (shares * BigInt(random.between(1, 1_000))) / 1_000n;
      await world.mine([world.redeem(wallet, vault, part)], seconds);
      flow(wallet, vault).out += (await dollarsOf(wallet)) - before;
    } else if (roll < 75) {
      const to = (wallet + random.between(1, WALLETS - 1)) % WALLETS;
      const part = random.chance(200) ? shares : (shares * BigInt(random.between(1, 1_000))) / 1_000n;
      await world.mine([world.transfer(wallet, to, vault, part)], seconds);
      // A transfer does not change the price, so the chain's value of the shares in that block is the transferred value.
      const value = await world.client.readContract({
        address: world.vaults[vault] ?? "0x",
        abi: demandVaultAbi,
        functionName: "convertToAssets",
        args: [part],
      });
      flow(wallet, vault).out += value;
      flow(to, vault).in += value;
    } else {
      // The time is long enough that the largest gain stays within the bound.
      await world.mine([], seconds + 43_200);
      await world.mine([await world.report(vault, BigInt(random.between(0, 3_000)))]);
    }
  }
  return flows;
}

withDatabase("a portfolio compared with the chain", (open) => {
  const { api, caughtUp, startAnew } = served(() => world, open, "test");

  const read = <Name extends "totalAssets" | "totalSupply" | "stream">(vault: number, functionName: Name) =>
    world.client.readContract({ address: world.vaults[vault] ?? "0x", abi: demandVaultAbi, functionName });
  const ask = (vault: number, functionName: "previewRedeem" | "convertToAssets", shares: bigint) =>
    world.client.readContract({
      address: world.vaults[vault] ?? "0x",
      abi: demandVaultAbi,
      functionName,
      args: [shares],
    });

  async function expectAgreement(flows: Map<string, Flows>): Promise<void> {
    await caughtUp();
    const head = await world.head();
    const assets = (text: string | null) => parseUnits(text ?? "", 6);
    const holders = world.vaults.map(() => 0);
    for (const [wallet, address] of world.wallets.entries()) {
      const holdings = await api.get<List<Holding>>(`account/hold/${address}`);
      const total = { value: 0n, profit: 0n, in: 0n, out: 0n };
      for (const [vault, shortId] of world.shortIds.entries()) {
        const shares = await world.shares(wallet, vault);
        const holding = holdings.items.find((item) => item.short_id === shortId);
        const flow = flows.get(`${wallet}:${vault}`) ?? { in: 0n, out: 0n };
        total.in += flow.in;
        total.out += flow.out;
        if (shares === 0n) {
          expect(holding).toBeUndefined();
          continue;
        }
        holders[vault] = (holders[vault] ?? 0) + 1;
        if (!holding) throw new Error(`no holding of ${shortId}`);
        const value = await ask(vault, "previewRedeem", shares);
        total.value += value;
        expect(holding.shares).toBe(formatUnits(shares, 12));
        expect(assets(holding.value)).toBe(value);
        expect(holding.as_of).toEqual({
          chain_id: CHAIN_ID,
          block: head.number,
          time: head.time * 1_000,
          stale: false,
        });
        const canLeave = await world.client.readContract({
          address: world.vaults[vault] ?? "0x",
          abi: demandVaultAbi,
          functionName: "maxWithdraw",
          args: [address],
        });
        expect(assets(holding.exit_value)).toBe(canLeave);
        const profit = assets(holding.realised) + assets(holding.unrealised) + assets(holding.interest);
        expect(profit).toBe(value + flow.out - flow.in);
        expect(assets(holding.unrealised)).toBe(value - assets(holding.principal));
      }
      const held = await api.get<TotalHoldValue>(`account/totalHoldValue/${address}`);
      expect(assets(held.total)).toBe(total.value);
      expect(held.by_product.reduce((sum, part) => sum + assets(part.value), 0n)).toBe(total.value);

      const profit = await api.get<TotalProfit>(`account/totalProfit/${address}`);
      expect(assets(profit.value)).toBe(total.value);
      expect(assets(profit.net_deposits)).toBe(total.in - total.out);
      expect(assets(profit.total)).toBe(total.value + total.out - total.in);
      expect(assets(profit.realised) + assets(profit.unrealised) + assets(profit.interest)).toBe(assets(profit.total));
      for (const point of profit.series) {
        expect(assets(point.profit)).toBe(assets(point.value) - assets(point.net_deposits));
      }
      const whole = await api.get<Statement>(`account/statement/${address}?from=0&to=9000000000000`);
      expectBalanced(whole);
      const sum = (part: (product: Statement["products"][number]) => string) =>
        whole.products.reduce((units, product) => units + assets(part(product)), 0n);
      expect(sum(({ closing }) => closing.value)).toBe(total.value);
      expect(sum(({ earned }) => earned)).toBe(total.value + total.out - total.in);
      expect(sum(({ paid_in }) => paid_in)).toBe(total.in);
      expect(sum(({ paid_out }) => paid_out)).toBe(total.out);
      const last = profit.series.at(-1);
      if (total.in > 0n) {
        expect(last).toMatchObject({ time: head.time * 1_000, value: profit.value, profit: profit.total });
      } else expect(profit.series).toEqual([]);
    }
    const list = await api.get<List<Product>>("product/list?type=demand_deposit");
    expect(list.total).toBe(world.vaults.length);
    for (const [vault, shortId] of world.shortIds.entries()) {
      const product = list.items.find((item) => item.short_id === shortId);
      expect(assets(product?.tvl ?? "")).toBe(await read(vault, "totalAssets"));
      expect(product?.share?.supply).toBe(formatUnits(await read(vault, "totalSupply"), 12));
      expect(product?.holders).toBe(holders[vault]);
      const detail = await api.get<DemandDetail>(`product/${shortId}`);
      const [settled, streaming, start, end] = await read(vault, "stream");
      // While nothing streams, the contract may split the sum differently.
      expect(assets(detail.vault.settled) + assets(detail.vault.streaming)).toBe(settled + streaming);
      expect(assets(detail.vault.streaming)).toBe(streaming);
      expect([detail.vault.stream_start, detail.vault.stream_end]).toEqual([
        Number(start) * 1_000,
        Number(end) * 1_000,
      ]);
    }
  }

  for (const seed of ["first", "second"]) {
    it(`answers the same as the chain after random moves (${seed})`, async () => {
      await expectAgreement(await play(seed, 22));
    });
  }

  it("answers the same for moves that were followed live and moves that were read later in ranges", async () => {
    const flows = await play("both", 12);
    await expectAgreement(flows);
    await startAnew({ confirmations: 0, span: 7 });
    await expectAgreement(flows);
  });

  it("answers the same as the chain when much happens in one block", async () => {
    await world.mine([
      world.deposit(0, 0, 300_000_000n),
      world.deposit(1, 0, 200_000_000n),
      world.deposit(0, 1, 70_000_001n),
    ]);
    await world.mine([await world.report(0, 100n, 40_000)], 40_000);
    const shares = await world.shares(0, 0);
    await world.mine(
      [
        ...[
          world.redeem(0, 0, shares / 3n),
          world.transfer(0, 1, 0, shares / 7n),
          world.transfer(1, 2, 0, shares / 9n),
        ],
        ...[world.deposit(0, 0, 33_333_333n), world.redeem(2, 0, shares / 9n), world.withdraw(1, 0, 77_777_777n)],
        ...[world.redeem(0, 1, 10n ** 12n), world.deposit(3, 0, 12_345_678n), await world.report(0, 3_000n, 20_000)],
        world.withdraw(0, 0, 1n),
      ],
      20_000,
    );
    await world.mine([], 30_000);
    await caughtUp();
    const head = await world.head();
    for (const [wallet, address] of world.wallets.entries()) {
      const { items } = await api.get<List<Holding>>(`account/hold/${address}`);
      for (const [vault, shortId] of world.shortIds.entries()) {
        const held = await world.shares(wallet, vault);
        const holding = items.find((item) => item.short_id === shortId);
        expect(holding?.value, `${shortId} of ${wallet}`).toBe(
          held === 0n ? undefined : formatUnits(await ask(vault, "previewRedeem", held), 6),
        );
        if (holding) expect(holding.as_of.block).toBe(head.number);
      }
      const profit = await api.get<TotalProfit>(`account/totalProfit/${address}`);
      const history = await api.get<List<Transaction>>(`account/transaction/${address}?page_size=100`);
      const net = history.items.reduce((sum, item) => {
        const amount = parseUnits(item.amount ?? "", 6);
        return item.kind === "deposit" || item.kind === "transfer_in" ? sum + amount : sum - amount;
      }, 0n);
      expect(parseUnits(profit.net_deposits, 6)).toBe(net);
      expect(parseUnits(profit.total, 6)).toBe(parseUnits(profit.value, 6) - net);
    }
  });

  it("marks the cost of shares from another wallet as estimated until they are sold or sent", async () => {
    await world.mine([world.deposit(0, 0, 100_000_000n)]);
    const shares = await world.shares(0, 0);
    await world.mine([world.transfer(0, 1, 0, shares / 2n)]);
    await caughtUp();
    const of = (wallet: number) => api.get<List<Holding>>(`account/hold/${world.wallets[wallet]}`);
    expect((await of(0)).items[0]?.cost_estimated).toBe(false);
    expect((await of(1)).items[0]?.cost_estimated).toBe(true);
    const history = await api.get<List<Transaction>>(`account/transaction/${world.wallets[1]}`);
    expect(history.items.map((item) => item.kind)).toEqual(["transfer_in"]);
    await world.mine([world.redeem(1, 0, shares / 2n)]);
    await world.mine([await world.report(0, 0n), world.deposit(1, 0, 10_000_000n)]);
    await caughtUp();
    expect((await of(1)).items[0]?.cost_estimated).toBe(false);
  });

  it("ignores a transfer of zero shares by anyone", async () => {
    await world.mine([world.deposit(0, 0, 100_000_000n)]);
    await world.mine([world.transfer(0, 1, 0, 0n)]);
    await caughtUp();
    expect((await api.get<List<Transaction>>(`account/transaction/${world.wallets[1]}`)).items).toEqual([]);
  });

  it("reports no exit value for a frozen wallet, but its value", async () => {
    await world.mine([world.deposit(2, 0, 100_000_000n)]);
    const freeze = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "freeze",
      args: [world.wallets[2] ?? "0x"],
    });
    await world.mine([world.as("guardian", world.deployed.addresses.identityRegistry, freeze)]);
    await caughtUp();
    const [holding] = (await api.get<List<Holding>>(`account/hold/${world.wallets[2]}`)).items;
    expect(holding).toMatchObject({ value: "100.000000", exit_value: "0.000000" });
  });

  it("reports no exit value for a wallet with a successor, which receives its holdings with their cost", async () => {
    await world.mine([world.deposit(2, 0, 100_000_000n)]);
    const [old, next] = [depositor(2), depositor(WALLETS)];
    const subject = subjectOf(old.address);
    const line = `\nSwitch to this wallet from ${old.address.toLowerCase()}.`;
    const signature = await next.signMessage({ message: `Aqua${line}\nRequest ID: ${subject}` });
    const to = world.deployed.addresses.identityRegistry;
    const until = BigInt((await world.head()).time + 365 * 86_400);
    const bind = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "bind",
      args: [next.address, BigInt(subject), until, 756, 1, stringToHex(`Aqua${line}`), signature],
    });
    const data = encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "switchWallet",
      args: [next.address, stringToHex("Aqua"), "0x", signature],
    });
    await world.mine([world.as("attester", to, bind)]);
    await world.mine([{ from: old, to, data, what: "switch" }]);
    await caughtUp();
    const [holding] = (await api.get<List<Holding>>(`account/hold/${world.wallets[2]}`)).items;
    expect(holding).toMatchObject({ value: "100.000000", exit_value: "0.000000" });

    const vault = world.vaults[0] ?? "0x";
    const recover = encodeFunctionData({ abi: demandVaultAbi, functionName: "recover", args: [old.address] });
    await world.mine([await world.report(0, 0n)], 86_400);
    await world.mine([{ from: depositor(1), to: vault, data: recover, what: "recover" }]);
    await caughtUp();
    expect((await api.get<List<Holding>>(`account/hold/${old.address}`)).items).toEqual([]);
    const [recovered] = (await api.get<List<Holding>>(`account/hold/${next.address}`)).items;
    expect(recovered).toMatchObject({ value: "100.000000", principal: "100.000000", cost_estimated: false });
  });
});
