import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Address } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { encodeFunctionData, toHex } from "viem/utils";
import { demoWallet, depositor, roleAccount } from "../accounts.ts";
import type { DeployedWorld } from "../deploy.ts";
import { dollars } from "../products.ts";
import type { Call, Sender } from "../sender.ts";
import { bindCall } from "./identity.ts";
import type { Action, Plan } from "./plan.ts";

/** What the demo wallet starts with. */
export const DEMO_WALLET_FUNDS = dollars(25_000);
const DEMO_GAS = 10n ** 19n;
/** The reporter pays income in; this lasts for decades of the seeded world's earnings. */
const REPORTER_FUNDS = dollars(20_000_000);
const SETTLE_EVERY = 150;
const UNLIMITED = 2n ** 256n - 1n;
const NO_EVIDENCE = toHex(0, { size: 32 });

/**
 * Plays a plan on the chain behind `sender`, one block a planned block at its planned time, then funds and verifies the
 * demo wallet at `end`. Rejects, naming the act, if any transaction fails.
 * @param progress called now and then with the part that is done, 0 … 1
 */
export async function runPlan(
  sender: Sender,
  world: DeployedWorld,
  plan: Plan,
  end: number,
  progress: (part: number) => void = () => {},
): Promise<void> {
  const people = plan.blocks.flatMap(({ actions }) => actions).filter((action) => action.kind === "onboard");
  const wallets = people.map((person) => depositor(person.depositor).address);
  await giveGas(sender, [...wallets, demoWallet().address]);
  await sender.readNonces(wallets);
  await sender.block(reporterCalls(world), (plan.blocks[0]?.time ?? end) - 1);

  for (const [index, block] of plan.blocks.entries()) {
    const calls = await Promise.all(block.actions.map((action) => callsOf(action, world, block.time)));
    await sender.block(calls.flat(), block.time);
    if (index % SETTLE_EVERY === 0) {
      await sender.settle();
      progress(index / plan.blocks.length);
    }
  }
  const { testDollar } = world.addresses;
  const last = Math.max(end, (plan.blocks.at(-1)?.time ?? 0) + 1);
  await sender.block([mintCall(testDollar, demoWallet().address, DEMO_WALLET_FUNDS)], last);
  await sender.settle();
  progress(1);
}

async function giveGas(sender: Sender, wallets: readonly Address[]): Promise<void> {
  await sender.rpc.batch(wallets.map((wallet) => ({ method: "anvil_setBalance", params: [wallet, toHex(DEMO_GAS)] })));
}

/** The faucet of the test dollar; whoever calls it, the faucet account pays the gas here. */
export function mintCall(testDollar: Address, to: Address, amount: bigint): Call {
  const data = encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args: [to, amount] });
  return { from: roleAccount("faucet"), to: testDollar, data, what: `mint test dollars for ${to}` };
}

function approveCall(testDollar: Address, from: PrivateKeyAccount, vault: Address): Call {
  const data = encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [vault, UNLIMITED] });
  return { from, to: testDollar, data, what: `approve ${vault} by ${from.address}` };
}

function reporterCalls({ addresses: { testDollar }, vaults }: DeployedWorld): Call[] {
  const reporter = roleAccount("reporter");
  const approvals = [...vaults.values()].map((vault) => approveCall(testDollar, reporter, vault));
  return [mintCall(testDollar, reporter.address, REPORTER_FUNDS), ...approvals];
}

/** The reporter's call that pays `gain` in. No evidence is anchored yet, so the evidence root is empty. */
export function reportCall(vault: Address, gain: bigint, asOf: number, what: string): Call {
  const data = encodeFunctionData({
    abi: demandVaultAbi,
    functionName: "report",
    args: [gain, BigInt(asOf), NO_EVIDENCE],
  });
  return { from: roleAccount("reporter"), to: vault, data, what };
}

async function callsOf(action: Action, world: DeployedWorld, time: number): Promise<Call[]> {
  const { testDollar, identityRegistry } = world.addresses;
  if (action.kind === "onboard") {
    const wallet = depositor(action.depositor);
    return [await bindCall(identityRegistry, wallet, time), mintCall(testDollar, wallet.address, action.funds)];
  }
  const { kind, shortId } = action;
  const vault = world.vaults.get(shortId);
  if (vault === undefined) throw new Error(`No vault for ${shortId}.`);
  const what = `${kind} ${shortId} at ${new Date(time * 1000).toISOString()}`;
  if (kind === "report") return [reportCall(vault, action.gain, action.asOf, what)];

  const from = depositor(action.depositor);
  const self = from.address;
  switch (action.kind) {
    case "deposit": {
      const args = [action.assets, self] as const;
      const data = encodeFunctionData({ abi: demandVaultAbi, functionName: "deposit", args });
      const deposit = { from, to: vault, data, what };
      return action.approve ? [approveCall(testDollar, from, vault), deposit] : [deposit];
    }
    case "withdraw": {
      const args = [action.assets, self, self] as const;
      return [
        { from, to: vault, what, data: encodeFunctionData({ abi: demandVaultAbi, functionName: "withdraw", args }) },
      ];
    }
    case "exit": {
      const args = [action.shares, self, self] as const;
      return [
        { from, to: vault, what, data: encodeFunctionData({ abi: demandVaultAbi, functionName: "redeem", args }) },
      ];
    }
    case "transfer": {
      const args = [depositor(action.to).address, action.shares] as const;
      return [
        { from, to: vault, what, data: encodeFunctionData({ abi: demandVaultAbi, functionName: "transfer", args }) },
      ];
    }
  }
}
