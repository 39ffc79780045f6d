import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { CashFlow } from "@aqua/sdk/maths/xirr";
import { type Address, encodeFunctionData } from "viem";
import { depositor } from "../../../../devnet/src/accounts.ts";
import { Random } from "../../../../devnet/src/random.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import { openQueue, type QueueCalls } from "../indexer/queue-calls.ts";
import { DAY, DOLLAR, openTermDeposit, type TermWorld } from "../indexer/termWorld.ts";
import type { World } from "../indexer/world.ts";

/** A vault with a queue, a time deposit, and actions of six wallets. The last and the first wallet have one owner. */
export interface Stage {
  world: World;
  vault: Address;
  queue: QueueCalls;
  deposits: TermWorld;
  /** Wallets by number. The first and the last belong to one person. */
  wallets: Address[];
}

export const FIRST = 0;

export async function openStage(world: World): Promise<Stage> {
  const vault = world.vaults[0] as Address;
  const queue = await openQueue(world, vault);
  const deposits = await openTermDeposit(world);
  const wallets = Array.from({ length: deposits.second + 1 }, (_, index) => depositor(index).address);
  return { world, vault, queue, deposits, wallets };
}

/** Payments of one wallet in and out: dollars that moved, and transfers at their value at that time. */
export interface Money {
  in: bigint;
  out: bigint;
  flows: CashFlow[];
}

export interface Deposit {
  principal: bigint;
  openedAt: bigint;
  maturity: bigint;
  termId: bigint;
}

/** Reads single values directly from the chain. */
export function chainOf({ world, vault, queue, deposits }: Stage) {
  const ofVault = { abi: demandVaultAbi, address: vault } as const;
  const ofQueue = { abi: redemptionQueueAbi, address: queue.address } as const;
  const { client } = world;
  return {
    dollars: (of: Address) =>
      client.readContract({
        abi: testDollarAbi,
        address: world.deployed.addresses.testDollar,
        functionName: "balanceOf",
        args: [of],
      }),
    shares: (of: Address) => client.readContract({ ...ofVault, functionName: "balanceOf", args: [of] }),
    worth: (shares: bigint) => client.readContract({ ...ofVault, functionName: "previewRedeem", args: [shares] }),
    instant: (of: Address) => client.readContract({ ...ofVault, functionName: "maxWithdraw", args: [of] }),
    liquidity: () => client.readContract({ ...ofVault, functionName: "instantLiquidity" }),
    deployable: () => client.readContract({ ...ofVault, functionName: "maxDeploy" }),
    deployed: async () => (await client.readContract({ ...ofVault, functionName: "desk" })).deployed,
    pending: (of: Address) => client.readContract({ ...ofQueue, functionName: "pendingRedeemRequest", args: [0n, of] }),
    ahead: (of: Address) => client.readContract({ ...ofQueue, functionName: "sharesAhead", args: [of] }),
    line: () => client.readContract({ ...ofQueue, functionName: "totals" }),
    claimable: (of: Address) => client.readContract({ ...ofQueue, functionName: "maxWithdraw", args: [of] }),
    owner: (id: bigint) => deposits.read("ownerOf", [id]).catch(() => null) as Promise<Address | null>,
    receipt: async (id: bigint) => ((await deposits.read("receiptOf", [id])) as [Deposit])[0],
    books: () => deposits.read("books") as Promise<{ cash: bigint; deployed: bigint; liabilities: bigint }>,
    /** P + P · rate · time / 365 days, by the documents' formula and not by the code under test. */
    async earned(id: bigint, at: number): Promise<bigint> {
      const { principal, openedAt, maturity, termId } = await this.receipt(id);
      const { rate } = (await deposits.read("termOf", [termId])) as { rate: bigint };
      const until = BigInt(at) < maturity ? BigInt(at) : maturity;
      return (principal * rate * (until - openedAt)) / (365n * 86_400n * 10n ** 18n);
    },
    /**
     * Returns the payment that a call of the receipt's owner would make at the head; 0 when the contract refuses the
     * call.
     */
    async paid(id: bigint, owner: Address, functionName: "exitEarly" | "close"): Promise<bigint> {
      const { principal } = await this.receipt(id);
      const call = deposits.by(0, functionName, (functionName === "close" ? [id] : [id, principal, 0n]) as never);
      const answer = await client
        .call({ account: owner, to: deposits.address, data: call.data })
        .catch(() => ({ data: undefined }));
      return answer.data === undefined ? 0n : BigInt(answer.data);
    },
  };
}

export interface Simulation {
  money: Map<Address, Money>;
  /** Payments of the first wallet and its second together, without transfers between them. */
  together: Money;
  /** Receipts that are live. */
  receipts: Map<bigint, Address>;
  /** Ends of the queued requests in their order, with their owners. */
  line: { wallet: Address; start: bigint; shares: bigint; time: number }[];
  /** Times of some blocks, at which a statement may begin or end. */
  moments: number[];
}

/** Plays random actions, one per block. Actions that are not allowed at the time revert. */
export async function runSimulation(stage: Stage, seed: string, moves: number): Promise<Simulation> {
  const { world, vault, queue, deposits, wallets } = stage;
  const chain = chainOf(stage);
  const random = new Random(seed);
  const [first, second] = [wallets[FIRST], wallets[deposits.second]] as [Address, Address];
  const life: Simulation = {
    money: new Map(wallets.map((wallet) => [wallet, { in: 0n, out: 0n, flows: [] }])),
    together: { in: 0n, out: 0n, flows: [] },
    receipts: new Map(),
    line: [],
    moments: [],
  };
  const isOurs = (wallet: Address) => wallet === first || wallet === second;
  const pay = (wallet: Address, time: number, amount: bigint, own = false) => {
    const sides = [life.money.get(wallet), ...(isOurs(wallet) && !own ? [life.together] : [])];
    for (const money of sides) {
      if (!money || amount === 0n) continue;
      if (amount < 0n) money.in -= amount;
      else money.out += amount;
      money.flows.push({ time: BigInt(time), amount });
    }
  };
  const part = (whole: bigint) => (random.chance(250) ? whole : (whole * BigInt(random.between(1, 999))) / 1_000n);
  const amount = () => BigInt(random.between(10, 2_000)) * DOLLAR + BigInt(random.between(0, 999_999));
  const anyone = () => random.between(0, wallets.length - 1);
  const byVault = (wallet: number, data: Call["data"], what: string): Call => ({
    from: depositor(wallet),
    to: vault,
    data,
    what,
    gas: 600_000n,
  });
  const gassed = (call: Call): Call => ({ ...call, gas: call.gas ?? 600_000n });

  /** Mines one block and records its payments. */
  const step = async (call: Call, seconds: number) => {
    await world.mine([], seconds);
    await world.mine([gassed(await world.report(0, 0n))]);
    const before = await Promise.all(wallets.map(chain.dollars));
    const [requested] = await chain.line();
    await world.mineLoosely([gassed(call)]);
    const { time } = await world.head();
    const after = await Promise.all(wallets.map(chain.dollars));
    for (const [index, wallet] of wallets.entries()) pay(wallet, time, (after[index] ?? 0n) - (before[index] ?? 0n));
    const [now] = await chain.line();
    const asker = wallets.find((wallet) => wallet === call.from.address);
    if (now > requested && asker) life.line.push({ wallet: asker, start: requested, shares: now - requested, time });
    const newest = [...life.receipts.keys()].at(-1) ?? 0n;
    for (const id of [...life.receipts.keys(), newest + 1n]) {
      const owner = await chain.owner(id);
      const known = life.receipts.get(id);
      if (owner === null) life.receipts.delete(id);
      else {
        if (known !== undefined && known !== owner) {
          const value = (await chain.receipt(id)).principal + (await chain.earned(id, time));
          const own = isOurs(known) && isOurs(owner);
          pay(known, time, value, own);
          pay(owner, time, -value, own);
        }
        life.receipts.set(id, owner);
      }
    }
    if (random.chance(200)) life.moments.push(time);
    return time;
  };
  const send = async (from: number, to: number, shares: bigint, seconds: number) => {
    const [sender, receiver] = [wallets[from], wallets[to]] as [Address, Address];
    const had = await chain.shares(receiver);
    const args = [receiver, shares] as const;
    const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "transfer", args });
    const time = await step(byVault(from, data, "transfer"), seconds);
    if (from === to || (await chain.shares(receiver)) === had) return;
    // A transfer does not change the price, so the chain's value of the shares in that block is the transferred value.
    const value = await chain.worth(shares);
    const own = isOurs(sender) && isOurs(receiver);
    pay(sender, time, value, own);
    pay(receiver, time, -value, own);
  };

  for (let move = 0; move < moves; move += 1) {
    const wallet = anyone();
    const address = wallets[wallet] as Address;
    const seconds = random.pick([12, 3_600, 40_000, DAY, 3 * DAY]);
    const held = await chain.shares(address);
    const own = [...life.receipts].filter(([, owner]) => owner === address).map(([id]) => id);
    const roll = random.between(0, 99);
    if (roll < 16) await step(world.deposit(wallet % deposits.second, 0, amount()), seconds);
    else if (roll < 22) {
      const data = encodeFunctionData({
        abi: demandVaultAbi,
        functionName: "redeem",
        args: [part(held), address, address],
      });
      await step(byVault(wallet, data, "redeem"), seconds);
    } else if (roll < 30) {
      const to = isOurs(address) && random.chance(600) ? (wallet === FIRST ? deposits.second : FIRST) : anyone();
      await send(wallet, to, part(held), seconds);
    } else if (roll < 42) await step(queue.request(wallet, part(held)), seconds);
    else if (roll < 50) await step(queue.deploy(part(await chain.deployable())), seconds);
    else if (roll < 55) await step(queue.repay(part(await chain.deployed())), seconds);
    else if (roll < 62) {
      const lost = (await chain.deployed()) / BigInt(random.between(110, 400));
      await step(await world.report(0, random.chance(400) ? -lost : BigInt(random.between(0, 900))), seconds);
    } else if (roll < 69) await step(queue.process(), seconds);
    else if (roll < 75) await step(queue.claim(wallet), seconds);
    else if (roll < 85 || own.length === 0) {
      await step(deposits.open(wallet, random.between(0, 1), amount()), seconds);
    } else {
      const id = random.pick(own);
      const to = isOurs(address) && random.chance(600) ? (wallet === FIRST ? second : first) : wallets[anyone()];
      const rolling = [id, BigInt(random.between(0, 1)), 0n, BigInt(random.between(1, 2))] as const;
      const { maturity, principal } = await chain.receipt(id);
      const matured = maturity <= BigInt((await world.head()).time + seconds);
      if (matured && roll < 92) await step(deposits.by(wallet, "close", [id]), seconds);
      else if (matured) await step(deposits.by(wallet, "rollover", rolling), seconds);
      else if (roll < 91) {
        const leaving = random.chance(500) ? principal : part(principal);
        await step(deposits.by(wallet, "exitEarly", [id, leaving, 0n]), seconds);
      } else if (roll < 94) await step(deposits.by(wallet, "setAutoRoll", rolling), 12 * DAY);
      else await step(deposits.by(wallet, "transferFrom", [address, to as Address, id]), seconds);
    }
  }
  await world.mine([], 5_000);
  return life;
}
