import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import type { Address, Hex } from "viem";
import { encodeFunctionData, toHex } from "viem/utils";
import { type DevnetRole, demoWallet, depositor, roleAccount } from "../accounts.ts";
import type { DeployedWorld } from "../deploy.ts";
import type { SealedBatches } from "../fleet/batches.ts";
import { dollars } from "../products.ts";
import type { Call, Sender } from "../sender.ts";
import { approveCall, callsOf, mintCall, type Places } from "./calls.ts";
import type { Plan } from "./plan.ts";

/** Balance of the demo wallet when the world first starts. */
const DEMO_WALLET_FUNDS = dollars(25_000);
const DEMO_GAS = 10n ** 19n;
/** Balance from which income is paid in; it lasts for decades of the seeded world's earnings. */
const OPERATOR_FUNDS = dollars(20_000_000);
const SETTLE_EVERY = 150;

/**
 * Executes a plan on the chain behind `sender`, one block for each planned block at its planned time, then funds the
 * demo wallet at `end`. Rejects, naming the action, if any transaction fails.
 * @param progress called periodically with the completed share, 0 … 1
 */
export async function runPlan({
  sender,
  world,
  plan,
  batches,
  end,
  progress = () => {},
}: {
  sender: Sender;
  world: DeployedWorld;
  plan: Plan;
  batches: SealedBatches;
  end: number;
  progress?: (part: number) => void;
}): Promise<void> {
  const people = plan.blocks.flatMap(({ actions }) => actions).filter((action) => action.kind === "onboard");
  const wallets = people.map((person) => depositor(person.depositor).address);
  await giveGas(sender, wallets);
  await sender.readNonces(wallets);
  await sender.block(operatorCalls(world), (plan.blocks[0]?.time ?? end) - 1);

  const places: Places = { ...world, ...world.addresses, batches };
  for (const [index, block] of plan.blocks.entries()) {
    const calls = await Promise.all(block.actions.map((action) => callsOf(action, places, block.time)));
    await sender.block(calls.flat(), block.time);
    if (index % SETTLE_EVERY === 0) {
      await sender.settle();
      progress(index / plan.blocks.length);
    }
  }
  const { testDollar } = world.addresses;
  const last = Math.max(end, (plan.blocks.at(-1)?.time ?? 0) + 1);
  const { address } = demoWallet();
  const lacking = DEMO_WALLET_FUNDS - (await balanceOf(sender, testDollar, address));
  await sender.block(lacking > 0n ? [mintCall(testDollar, address, lacking)] : [], last);
  await sender.settle();
  progress(1);
}

async function balanceOf({ rpc }: Sender, testDollar: Address, wallet: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: testDollarAbi, functionName: "balanceOf", args: [wallet] });
  return BigInt(await rpc.call<Hex>("eth_call", [{ to: testDollar, data }, "latest"]));
}

async function giveGas(sender: Sender, wallets: readonly Address[]): Promise<void> {
  await sender.rpc.batch(wallets.map((wallet) => ({ method: "anvil_setBalance", params: [wallet, toHex(DEMO_GAS)] })));
}

/**
 * Mints money for the payments of reporter and treasurer, and approves each product for those who pay into it. The
 * custodian pays back what it received.
 */
function operatorCalls({ addresses: { testDollar }, vaults, termDeposits }: DeployedWorld): Call[] {
  const payers: [DevnetRole, Iterable<Address>][] = [
    ["reporter", vaults.values()],
    ["treasurer", termDeposits.values()],
    ["custodian", [...vaults.values(), ...termDeposits.values()]],
  ];
  return [
    ...(["reporter", "treasurer"] as const).map((role) =>
      mintCall(testDollar, roleAccount(role).address, OPERATOR_FUNDS),
    ),
    ...payers.flatMap(([role, products]) =>
      [...products].map((product) => approveCall(testDollar, roleAccount(role), { product })),
    ),
  ];
}
