import { setTimeout as sleep } from "node:timers/promises";
import {
  type Abi,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** The contract refused the call; `errorName` is the error of its ABI, null when it is none of them. */
export class CallReverted extends Error {
  override name = "CallReverted";
  constructor(readonly errorName: string | null) {
    super(errorName ?? "the call was reverted");
  }
}

export interface ContractCall<A extends Abi, Name extends ContractFunctionName<A, "nonpayable">> {
  address: Hex;
  abi: A;
  functionName: Name;
  args: ContractFunctionArgs<A, "nonpayable", Name>;
}

export interface Sender {
  /** Sends the native coin, waits for the receipt and answers the hash. `value` in wei. */
  transfer(to: Hex, value: bigint): Promise<Hex>;
  /** Sends a call that was tried before, waits for the receipt and answers the hash. @throws CallReverted */
  call<const A extends Abi, Name extends ContractFunctionName<A, "nonpayable">>(
    call: ContractCall<A, Name>,
  ): Promise<Hex>;
}

const RECEIPT_WITHIN_MS = 30_000;

/** Signs with one key, one transaction after the other: the next takes its nonce when the one before is in a block. */
export function createSender(client: PublicClient, key: Hex): Sender {
  const account = privateKeyToAccount(key);
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  async function send(transaction: { to: Hex; value?: bigint; data?: Hex }): Promise<Hex> {
    const chainId = await client.getChainId();
    const [nonce, gas, fees] = await Promise.all([
      client.getTransactionCount({ address: account.address, blockTag: "pending" }),
      client.estimateGas({ account: account.address, ...transaction }).catch((error: unknown) => {
        const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError);
        throw reverted ? new CallReverted(null) : error;
      }),
      client.estimateFeesPerGas(),
    ]);
    const signed = await account.signTransaction({
      type: "eip1559",
      chainId,
      nonce,
      gas: (gas * 12n) / 10n,
      ...fees,
      ...transaction,
    });
    const hash = await client.sendRawTransaction({ serializedTransaction: signed });
    const receipt = await receiptOf(hash);
    if (receipt.status !== "success") throw new CallReverted(null);
    return hash;
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

  return {
    transfer: (to, value) => inTurn(() => send({ to, value })),
    call: (call) =>
      inTurn(async () => {
        const { address, abi, functionName, args } = call as unknown as ContractCall<Abi, string>;
        try {
          await client.simulateContract({ account: account.address, address, abi, functionName, args });
        } catch (error) {
          const reverted =
            error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
          if (reverted instanceof ContractFunctionRevertedError)
            throw new CallReverted(reverted.data?.errorName ?? null);
          throw error;
        }
        return send({ to: address, data: encodeFunctionData({ abi, functionName, args }) });
      }),
  };
}
