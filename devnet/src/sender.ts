import type { Address, Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { keccak256 } from "viem/utils";
import { assertLocalChain, LOCAL_CHAIN_ID, type Rpc, type RpcCall } from "./rpc.ts";

/** A call to be signed and sent. `to` null creates a contract. */
export interface Call {
  from: PrivateKeyAccount;
  to: Address | null;
  data: Hex;
  /** Purpose of the transaction, named in its error. */
  what: string;
  gas?: bigint;
}

export interface Receipt {
  transactionHash: Hex;
  blockNumber: Hex;
  status: Hex;
  logs: { address: Address; topics: Hex[]; data: Hex }[];
}

const DEFAULT_GAS = 400_000n;
const MAX_FEE_PER_GAS = 20_000_000_000n;
const BATCH = 200;

/** Signs and sends for many accounts and tracks their nonces, so that a block of transactions costs two round trips. */
export class Sender {
  readonly #nonces = new Map<Address, number>();
  #sent: { hash: Hex; what: string }[] = [];

  private constructor(readonly rpc: Rpc) {}

  /** Rejects on any chain but the local one. */
  static async on(rpc: Rpc): Promise<Sender> {
    await assertLocalChain(rpc);
    return new Sender(rpc);
  }

  /** Sends the calls and mines them as one block at `timestamp` (Unix seconds), or at the chain's own time. */
  async block(calls: readonly Call[], timestamp?: number): Promise<void> {
    await this.submit(calls);
    await this.rpc.call("evm_mine", timestamp === undefined ? [] : [{ timestamp }]);
  }

  /** Sends the calls and leaves mining to the chain. Returns their hashes. */
  async submit(calls: readonly Call[]): Promise<Hex[]> {
    await this.#fetchNonces(calls);
    const raw: RpcCall[] = [];
    const hashes: Hex[] = [];
    for (const call of calls) {
      const nonce = this.nonceOf(call.from.address);
      this.#nonces.set(call.from.address, nonce + 1);
      const signed = await call.from.signTransaction({
        type: "eip1559",
        chainId: LOCAL_CHAIN_ID,
        nonce,
        gas: call.gas ?? DEFAULT_GAS,
        maxFeePerGas: MAX_FEE_PER_GAS,
        maxPriorityFeePerGas: 1n,
        data: call.data,
        ...(call.to === null ? {} : { to: call.to }),
      });
      const hash = keccak256(signed);
      hashes.push(hash);
      this.#sent.push({ hash, what: call.what });
      raw.push({ method: "eth_sendRawTransaction", params: [signed] });
    }
    await this.rpc.batch(raw);
    return hashes;
  }

  /** Returns the next nonce of `address`, which must have been used or queried before. */
  nonceOf(address: Address): number {
    const nonce = this.#nonces.get(address);
    if (nonce === undefined) throw new Error(`The nonce of ${address} has not been read.`);
    return nonce;
  }

  async readNonces(addresses: readonly Address[]): Promise<void> {
    const unknown = [...new Set(addresses)].filter((address) => !this.#nonces.has(address));
    const nonces = await this.rpc.batch<Hex>(
      unknown.map((address) => ({ method: "eth_getTransactionCount", params: [address, "pending"] })),
    );
    unknown.forEach((address, index) => {
      this.#nonces.set(address, Number(nonces[index]));
    });
  }

  async #fetchNonces(calls: readonly Call[]): Promise<void> {
    await this.readNonces(calls.map((call) => call.from.address));
  }

  /** Rejects, naming the first one, if any transaction sent since the last settlement is not mined or failed. */
  async settle(): Promise<Receipt[]> {
    const sent = this.#sent;
    this.#sent = [];
    const receipts: Receipt[] = [];
    for (let from = 0; from < sent.length; from += BATCH) {
      const part = sent.slice(from, from + BATCH);
      const answers = await this.rpc.batch<Receipt | null>(
        part.map(({ hash }) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
      );
      answers.forEach((receipt, index) => {
        const what = part[index]?.what;
        if (receipt === null) throw new Error(`Not mined: ${what}.`);
        if (receipt.status !== "0x1") throw new Error(`Failed on the chain: ${what} (${receipt.transactionHash}).`);
        receipts.push(receipt);
      });
    }
    return receipts;
  }
}
