import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { createWalletClient, type Hex, http, parseEventLogs } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { type DevnetRole, roleAccount } from "../../../devnet/src/accounts.ts";
import { chain, inBlockAt, localChain, mine } from "./chain";
import { chainUrl } from "./ports";

interface Call {
  address: Hex;
  abi: unknown;
  functionName: string;
  args?: readonly unknown[];
}

/** The parts of a product that its depositors need. */
export interface Invested {
  contract: Hex;
  asset: { address: Hex };
}

/** Sends a call of `account` in its own block. */
async function send(account: PrivateKeyAccount, call: Call) {
  const hash = await submit(account, call);
  await mine();
  return succeeded(hash, `${call.functionName} by ${account.address}`);
}

function submit(account: PrivateKeyAccount, call: Call & { gas?: bigint }): Promise<Hex> {
  const client = createWalletClient({ account, chain: localChain, transport: http(chainUrl) });
  return client.writeContract(call as never);
}

async function succeeded(hash: Hex, what: string) {
  const receipt = await chain.waitForTransactionReceipt({ hash });
  if (receipt.status !== "success") throw new Error(`${what} failed.`);
  return receipt;
}

/** Sends a call of the holder of a role in its own block. */
export async function as(role: DevnetRole, call: Call): Promise<void> {
  await send(roleAccount(role), call);
}

/**
 * Reports `delta` of a demand deposit as of the report's own block. A report as of an earlier second does not cover the
 * requests of that day.
 */
export async function reportNow({ contract }: Invested, delta: bigint): Promise<void> {
  const call = { address: contract, abi: demandVaultAbi, functionName: "report" };
  const hash = await inBlockAt((asOf) =>
    // The gas is named because an estimate runs at the last block's time and would refuse a later `asOf`.
    submit(roleAccount("reporter"), { ...call, args: [delta, asOf, `0x${"1".repeat(64)}`], gas: 1_000_000n }),
  );
  await succeeded(hash, `The report on ${contract}`);
}

function allow(account: PrivateKeyAccount, { contract, asset }: Invested, assets: bigint) {
  const args = [contract, assets] as const;
  return send(account, { address: asset.address, abi: testDollarAbi, functionName: "approve", args });
}

/** Deposits into a demand deposit by a direct call of the contract. */
export async function deposit(account: PrivateKeyAccount, product: Invested, assets: bigint): Promise<void> {
  await allow(account, product, assets);
  const args = [assets, account.address, 0n] as const;
  await send(account, { address: product.contract, abi: demandVaultAbi, functionName: "deposit", args });
}

/** Lets the custodian return all money of a demand deposit. */
export async function returnMoney({ contract, asset }: Invested): Promise<void> {
  const vault = { address: contract, abi: demandVaultAbi } as const;
  const { deployed } = await chain.readContract({ ...vault, functionName: "desk" });
  if (deployed === 0n) return;
  const args = [contract, deployed] as const;
  await as("custodian", { address: asset.address, abi: testDollarAbi, functionName: "approve", args });
  await as("custodian", { ...vault, functionName: "repay", args: [deployed] });
}

/**
 * Withdraws everything that `account` holds in a demand deposit. On one day of the week, the local world's operator
 * deploys idle money, perhaps that of this account, so the custodian returns it first.
 */
export async function redeemAll(account: PrivateKeyAccount, product: Invested): Promise<void> {
  const vault = { address: product.contract, abi: demandVaultAbi } as const;
  const held = { ...vault, args: [account.address] } as const;
  const shares = await chain.readContract({ ...held, functionName: "balanceOf" });
  const payable = await chain.readContract({ ...held, functionName: "maxRedeem" });
  if (payable < shares) await returnMoney(product);
  await send(account, { ...vault, functionName: "redeem", args: [shares, account.address, account.address] });
}

/** Requests the withdrawal of all shares of `account` from the queue of a demand deposit. */
export async function requestAll(account: PrivateKeyAccount, { contract }: Invested, queue: Hex): Promise<void> {
  const vault = { address: contract, abi: demandVaultAbi } as const;
  const shares = await chain.readContract({ ...vault, functionName: "balanceOf", args: [account.address] });
  const args = [shares, account.address, account.address] as const;
  await send(account, { address: queue, abi: redemptionQueueAbi, functionName: "requestRedeem", args });
}

/** Opens time deposits of `assets` each for the first term. Returns their numbers. */
export async function openReceipts({
  account,
  product,
  assets,
  count = 1,
}: {
  account: PrivateKeyAccount;
  product: Invested;
  assets: bigint;
  count?: number;
}): Promise<bigint[]> {
  await allow(account, product, assets * BigInt(count));
  const farAway = 2n ** 40n;
  const call = { address: product.contract, abi: termDepositAbi, functionName: "open", args: [0n, assets, farAway] };
  const ids: bigint[] = [];
  for (let opened = 0; opened < count; opened++) {
    const { logs } = await send(account, call);
    const [event] = parseEventLogs({ abi: termDepositAbi, eventName: "Opened", logs });
    if (event) ids.push(event.args.id);
  }
  return ids;
}
