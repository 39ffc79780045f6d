import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import {
  type Abi,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
} from "viem";
import { type AccountKey, accountOf } from "../accountKey.ts";

/** The contract rejected the call. `errorName` is an error of its ABI; null for any other error. */
export class CallReverted extends Error {
  override name = "CallReverted";
  constructor(
    readonly errorName: string | null,
    options?: ErrorOptions,
  ) {
    super(errorName ?? "the call was reverted", options);
  }
}

/** The account of the key cannot pay for its transaction. */
export class OutOfGas extends Error {
  override name = "OutOfGas";
}

export interface ContractCall<A extends Abi, Name extends ContractFunctionName<A, "nonpayable">> {
  address: Hex;
  abi: A;
  functionName: Name;
  args: ContractFunctionArgs<A, "nonpayable", Name>;
}

export interface Sender {
  /** Sends the native coin and returns the hash without waiting for a block. `value` in wei. @throws CallReverted */
  transfer(to: Hex, value: bigint): Promise<Hex>;
  /** Simulates a call, sends it and returns the hash without waiting for a block. @throws CallReverted */
  call<const A extends Abi, Name extends ContractFunctionName<A, "nonpayable">>(
    call: ContractCall<A, Name>,
  ): Promise<Hex>;
  /** Waits for the receipts of sent transactions. @throws CallReverted */
  included(hashes: readonly Hex[]): Promise<void>;
  /**
   * Simulates a call, signs it, calls `remember` with its hash, and only then sends it. Does not wait for a block.
   * @param stuck hash of our transaction that no block includes; the new transaction replaces it with a higher fee
   * @throws CallReverted, OutOfGas
   */
  submit<const A extends Abi, Name extends ContractFunctionName<A, "nonpayable">>(
    call: ContractCall<A, Name>,
    remember: (hash: Hex) => Promise<void>,
    stuck?: Hex,
  ): Promise<void>;
}

const RECEIPT_WITHIN_MS = 30_000;

/** Signs with one key, one transaction after the other. Each gets its nonce after the previous one was sent. */
export function createSender(client: PublicClient, key: AccountKey): Sender {
  const account = accountOf(key);
  const oneAtATime = pLimit(1);

  async function sign(transaction: { to: Hex; value?: bigint; data?: Hex }, stuck?: Hex): Promise<Hex> {
    const chainId = await client.getChainId();
    const replaced = stuck === undefined ? null : await client.getTransaction({ hash: stuck }).catch(() => null);
    const [nonce, gas, fees, balance] = await Promise.all([
      replaced?.nonce ?? client.getTransactionCount({ address: account.address, blockTag: "pending" }),
      // Pending transactions are excluded, because the transaction to be replaced is one of them.
      client.estimateGas({ account: account.address, blockTag: "latest", ...transaction }).catch((error: unknown) => {
        const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError);
        throw reverted ? new CallReverted(null, { cause: error }) : error;
      }),
      client.estimateFeesPerGas(),
      client.getBalance({ address: account.address }),
    ]);
    const limit = (gas * 12n) / 10n;
    const maxFeePerGas = atLeast(fees.maxFeePerGas, replaced?.maxFeePerGas);
    // The balance is checked here, because each node reports insufficient funds with a different message.
    if (balance < limit * maxFeePerGas + (transaction.value ?? 0n)) {
      throw new OutOfGas(`${account.address} has not enough coin on chain ${chainId}`);
    }
    return account.signTransaction({
      type: "eip1559",
      chainId,
      nonce,
      gas: limit,
      maxFeePerGas,
      maxPriorityFeePerGas: atLeast(fees.maxPriorityFeePerGas, replaced?.maxPriorityFeePerGas),
      ...transaction,
    });
  }

  async function send(transaction: { to: Hex; value?: bigint; data?: Hex }): Promise<Hex> {
    return client.sendRawTransaction({ serializedTransaction: await sign(transaction) });
  }

  async function receiptOf(hash: Hex) {
    const giveUp = AbortSignal.timeout(RECEIPT_WITHIN_MS);
    for (;;) {
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof BaseError && error.name === "TransactionReceiptNotFoundError") return null;
        throw error;
      });
      if (receipt) return receipt;
      giveUp.throwIfAborted();
      await sleep(50);
    }
  }

  /** The data of the call. Throws if the chain's simulation says that it would fail now. */
  async function tried({ address, abi, functionName, args }: ContractCall<Abi, string>) {
    try {
      await client.simulateContract({ account: account.address, address, abi, functionName, args });
    } catch (error) {
      const reverted =
        error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
      if (reverted instanceof ContractFunctionRevertedError)
        throw new CallReverted(reverted.data?.errorName ?? null, { cause: error });
      throw error;
    }
    return { to: address, data: encodeFunctionData({ abi, functionName, args }) };
  }

  return {
    transfer: (to, value) => oneAtATime(() => send({ to, value })),
    call: (call) => oneAtATime(async () => send(await tried(call as unknown as ContractCall<Abi, string>))),
    async included(hashes) {
      const receipts = await Promise.all(hashes.map(receiptOf));
      if (receipts.some(({ status }) => status !== "success")) throw new CallReverted(null);
    },
    submit: (call, remember, stuck) =>
      oneAtATime(async () => {
        const signed = await sign(await tried(call as unknown as ContractCall<Abi, string>), stuck);
        await remember(keccak256(signed));
        await client.sendRawTransaction({ serializedTransaction: signed });
      }),
  };
}

/** Nodes accept another transaction with the same nonce only for a fee that is at least a tenth higher. */
function atLeast(fee: bigint, before: bigint | undefined): bigint {
  const needed = ((before ?? 0n) * 125n) / 100n;
  return fee > needed ? fee : needed;
}
