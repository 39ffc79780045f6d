import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { type Address, encodeFunctionData, getContractAddress, maxUint256, zeroAddress } from "viem";
import { depositor, roleAccount } from "../../../../devnet/src/accounts.ts";
import { deployData } from "../../../../devnet/src/artefacts.ts";
import type { Call } from "../../../../devnet/src/sender.ts";
import type { World } from "./world.ts";

const vaultData = encodeFunctionData<typeof demandVaultAbi>;
const queueData = encodeFunctionData<typeof redemptionQueueAbi>;
const GAS = 1_500_000n;

/** Calls of a vault's queue, and of the roles that move its money. */
export interface QueueCalls {
  address: Address;
  request(wallet: number, shares: bigint): Call;
  /** Claims everything, or this many shares or assets. */
  claim(wallet: number, part?: { shares: bigint } | { assets: bigint }): Call;
  process(): Call;
  recover(from: Address): Call;
  deploy(assets: bigint): Call;
  repay(assets: bigint): Call;
}

/** Sets up a vault of this world with a queue (if it has none), a custodian, and a buffer and a fee of a tenth each. */
export async function openQueue(world: World, vault: Address): Promise<QueueCalls> {
  const deployer = roleAccount("deployer");
  const desk = await world.client.readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" });
  let address = desk.queue;
  if (address === zeroAddress) {
    const nonce = BigInt(await world.client.getTransactionCount({ address: deployer.address }));
    address = getContractAddress({ from: deployer.address, nonce });
    const data = await deployData("RedemptionQueue", redemptionQueueAbi, [vault]);
    await world.mine([{ from: deployer, to: null, data, what: "deploy the queue", gas: 5_000_000n }]);
    await world.mine([
      world.as("owner", vault, vaultData({ functionName: "setQueue", abi: demandVaultAbi, args: [address] })),
    ]);
  }
  const tenth = 10n ** 17n;
  const custodian = roleAccount("faucet").address;
  const treasury = roleAccount("owner").address;
  const custody = vaultData({ abi: demandVaultAbi, functionName: "setCustodian", args: [custodian, tenth] });
  const fee = vaultData({ abi: demandVaultAbi, functionName: "setTreasury", args: [treasury, tenth] });
  const approval = encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [vault, maxUint256] });
  await world.mine([
    world.as("owner", vault, custody),
    world.as("owner", vault, fee),
    world.as("faucet", world.deployed.addresses.testDollar, approval),
  ]);

  const of = (wallet: number, what: string, data: Call["data"]): Call => ({
    from: depositor(wallet),
    to: address,
    data,
    what,
    gas: GAS,
  });
  const abi = redemptionQueueAbi;
  return {
    address,
    request(wallet, shares) {
      const owner = depositor(wallet).address;
      return of(wallet, "request", queueData({ abi, functionName: "requestRedeem", args: [shares, owner, owner] }));
    },
    claim(wallet, part) {
      const owner = depositor(wallet).address;
      if (!part) return of(wallet, "claim", queueData({ abi, functionName: "claim", args: [owner, owner] }));
      const data =
        "shares" in part
          ? queueData({ abi, functionName: "redeem", args: [part.shares, owner, owner] })
          : queueData({ abi, functionName: "withdraw", args: [part.assets, owner, owner] });
      return of(wallet, "claim a part", data);
    },
    process: () => ({ ...world.as("faucet", address, queueData({ abi, functionName: "process" })), gas: GAS }),
    recover: (from) => world.as("faucet", address, queueData({ abi, functionName: "recover", args: [from] })),
    deploy: (assets) =>
      world.as("treasurer", vault, vaultData({ abi: demandVaultAbi, functionName: "deploy", args: [assets] })),
    repay: (assets) =>
      world.as("faucet", vault, vaultData({ abi: demandVaultAbi, functionName: "repay", args: [assets] })),
  };
}
