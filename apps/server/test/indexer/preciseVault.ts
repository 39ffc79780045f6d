import { type Address, concat, type Hex, toHex } from "viem";
import { functionRoleCalls } from "../../../../contracts/deploy/roles.ts";
import { openQueue } from "./queue-calls.ts";
import type { World } from "./world.ts";

/** A demand deposit; `unit` is one of its asset in smallest units. */
export interface StageVault {
  shortId: string;
  address: Address;
  queue: Address;
  asset: Address;
  unit: bigint;
}

/**
 * Puts play money with 18 decimals at `address`. Its code answers `decimals()` itself and runs the test dollar's code on
 * its own storage for every other call.
 */
async function putPreciseToken(world: World, address: Address, symbol: string): Promise<void> {
  const code = concat([
    // Jumps to 0x3b if the selector is that of decimals().
    "0x5f3560e01c63313ce56714603b57",
    // Copies the call's data, delegates the call to the test dollar, and copies the answer.
    ...(["0x365f5f375f5f365f73", world.deployed.addresses.testDollar, "0x5af43d5f5f3e"] as const),
    // Reverts with the answer if the call failed, else returns it.
    ...(["0x603757", "0x3d5ffd", "0x5b3d5ff3"] as const),
    // Returns 18.
    "0x5b60125f5260205ff3",
  ]);
  await world.chain.rpc.call("anvil_setCode", [address, code]);
  // OpenZeppelin's ERC20 keeps its symbol in the fifth slot, as a short string.
  const text = Buffer.from(symbol).toString("hex").padEnd(62, "0");
  const stored: Hex = `0x${text}${(symbol.length * 2).toString(16).padStart(2, "0")}`;
  await world.chain.rpc.call("anvil_setStorageAt", [address, toHex(4, { size: 32 }), stored]);
}

/** Lists a demand deposit whose asset has 18 decimals. */
export async function openPreciseVault(world: World): Promise<StageVault> {
  const { accessManager } = world.deployed.addresses;
  const [asset, unit, shortId] = [`0x${"18".repeat(20)}`, 10n ** 18n, "precise-product"] as const;
  await putPreciseToken(world, asset, "tETH");
  const { call: create, address } = await world.createVault({ address: asset, cap: 10n ** 6n * unit });
  await world.mine([create]);
  const roles = functionRoleCalls(accessManager, "DemandVault", address);
  await world.mine(roles.map(({ to, data }) => world.as("owner", to as Address, data)));
  const queue = await openQueue(world, address);
  await world.mine([world.list(shortId, address, asset)]);
  return { shortId, address, queue: queue.address, asset, unit };
}
