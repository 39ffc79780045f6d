import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import {
  type Account,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import { concat, keccak256, slice, toHex } from "viem/utils";
import { differenceOf, otherImmutable } from "./artefacts.ts";
import { revertTextOf } from "./reverts.ts";
import { type Member, roleIds, roleName } from "./roles.ts";
import { inSpans } from "./spans.ts";
import { type Call, type Creation, DeployError, type Read, type Setting, type Setup, type Step } from "./steps.ts";

/** The proxy that creates contracts by CREATE2, at the same address on nearly every chain, and its whole code. */
export const CREATE2_PROXY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
export const CREATE2_PROXY_CODE: Hex =
  "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

/** An address without code on every chain. */
const TRIAL_ADDRESS: Address = "0x00000000000000000000000000000000000a9AA2";
const ANSWER_WITHIN_MS = 30_000;
/**
 * Reads of one moment go as one call with their calls in its data, which any node and chain answers. A plan reads some
 * hundred values, and one by one they would take minutes at a distant node. Its data stays below the 48 kB of EIP-3860.
 */
const together = { deployless: true, batchSize: 16_384 };
/** Several reads at once may exceed a node's rate for a second. */
const RETRY_DELAY_MS = 300;
const MINED_WITHIN_MS = 600_000;
/** A node of several may not know yet what another has mined. */
const TRIES = 4;
const PAUSE_MS = 3_000;
/**
 * The limit for a transaction with this estimate. Nodes estimate at the newest block's time, and a call may need more at
 * the time of its own block: a report then writes what the time since has earned.
 */
export const reserve = (gas: bigint) => (gas * 6n) / 5n;

const saltOf = (salt: string, key: string) => keccak256(toHex(`${salt}/${key}`));

export function create2Address(salt: string, key: string, initCode: Hex): Address {
  return getCreate2Address({ from: CREATE2_PROXY, salt: saltOf(salt, key), bytecode: initCode });
}

export type StepState =
  | { state: "done" }
  | { state: "missing"; calls: readonly Call[] }
  /** In words, why this cannot go on, and the product's field that it is about. */
  | { state: "wrong"; why: string; field: string | undefined };

export interface Transaction {
  to: Address | null;
  data: Hex;
}

/** A call that `caller` has scheduled, and from when until when (Unix seconds) it may make it. */
export interface ScheduledCall {
  caller: Address;
  target: Address;
  data: Hex;
  from: number;
  until: number;
}

/** One chain as the deployment needs it. Every method rejects with DeployError where the node refuses or is away. */
export class DeployChain {
  private constructor(
    readonly client: PublicClient,
    readonly url: string,
    readonly chainId: number,
  ) {}

  /** Connects, and refuses a chain that is not the wanted one. The URL, which may hold a key, is never repeated. */
  static async connect(url: string, wanted: number): Promise<DeployChain> {
    const transport = http(url, { timeout: ANSWER_WITHIN_MS, retryCount: 3, retryDelay: RETRY_DELAY_MS });
    const batch = { multicall: together };
    const client = createPublicClient({ transport, cacheTime: 0, pollingInterval: 500, batch });
    const chainId = await client.getChainId().catch(() => {
      throw new DeployError("the node of the chain does not answer; see --rpc");
    });
    if (chainId !== wanted) {
      throw new DeployError(
        `the configuration is for chain ${wanted}, the node is of chain ${chainId}; run the command again with --rpc and a node of chain ${wanted}`,
      );
    }
    return new DeployChain(client, url, chainId);
  }

  async codeAt(address: Address): Promise<Hex | null> {
    const code = await this.client.getCode({ address });
    return code === undefined || code === "0x" ? null : code;
  }

  async stateOf(step: Step): Promise<StepState> {
    if (step.kind === "create") return this.#stateOfCreation(step);
    const missing: Call[] = [];
    const found = await Promise.all(step.calls.map(async (call) => [call, await this.#answers(call.reads)] as const));
    for (const [call, answers] of found) {
      const wrong = conflictOf(call.reads, answers);
      if (wrong !== null) return wrong;
      if (answers.includes(false)) missing.push(call);
    }
    return missing.length === 0 ? { state: "done" } : { state: "missing", calls: missing };
  }

  /** Whether all of it is so on chain. */
  async holds(reads: readonly Read[]): Promise<boolean> {
    return (await this.#answers(reads)).every((answer) => answer === true);
  }

  #answers(reads: readonly Read[]): Promise<(boolean | string)[]> {
    return Promise.all(reads.map((read) => this.#ask(read)));
  }

  async #stateOfCreation({ address, what, runtime, reads, listedElsewhere }: Creation): Promise<StepState> {
    const code = await this.codeAt(address);
    if (code === null) return { state: "missing", calls: [] };
    const next = listedElsewhere ? "; put that value into the configuration, or take another short_id" : "";
    const difference = differenceOf(runtime, code);
    if (difference !== null) {
      const { field } = otherImmutable(runtime, code) ?? {};
      return { state: "wrong", field, why: `the code at ${address} is not what "${what}" makes: ${difference}${next}` };
    }
    const wrong = conflictOf(reads, await this.#answers(reads));
    return wrong === null ? { state: "done" } : { ...wrong, why: `${wrong.why}${next}` };
  }

  /** What a call changes: its settings that the chain has otherwise. Empty where the chain has none of them yet. */
  async changesOf({ reads }: Call): Promise<Setting[]> {
    const changes = reads.map(async ({ address, abi, functionName, args, settings }): Promise<Setting[]> => {
      if (settings === undefined) return [];
      const value = await this.client.readContract({ address, abi, functionName, args }).catch(ignoreRevert);
      return value === undefined ? [] : settings(value).filter(({ found, wanted }) => found !== wanted);
    });
    return (await Promise.all(changes)).flat();
  }

  /** Unix seconds of the newest block. */
  async time(): Promise<number> {
    return Number((await this.client.getBlock()).timestamp);
  }

  /** Where the registry has listed a product; null where it has not, or there is no registry yet. */
  async listed(registry: Address, shortId: string): Promise<Address | null> {
    if ((await this.codeAt(registry)) === null) return null;
    const read = { address: registry, abi: productRegistryAbi, functionName: "productOf", args: [shortId] } as const;
    try {
      return (await this.client.readContract(read))[0];
    } catch (error) {
      if (error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError))
        return null;
      throw error;
    }
  }

  /** True or false, or in words why it can never become true. */
  async #ask(read: Read): Promise<boolean | string> {
    let value: unknown;
    try {
      const { address, abi, functionName, args } = read;
      value = await this.client.readContract({ address, abi, functionName, args });
    } catch (error) {
      ignoreRevert(error);
      return read.impliedByEarlier === true;
    }
    return read.conflict?.(value) ?? read.is(value);
  }

  /** Whether `account` may set up the AccessManager without announcing it. */
  async isAdmin(manager: Address, account: Address): Promise<boolean> {
    if ((await this.codeAt(manager)) === null) return false;
    const args = [0n, account] as const;
    const of = { address: manager, abi: accessManagerAbi } as const;
    const [held, delay] = await this.client.readContract({ ...of, functionName: "hasRole", args });
    return held && delay === 0;
  }

  /** Name of the role that may make the call. The owner is admin too. */
  async roleOf(manager: Address, { to, data }: Call): Promise<string> {
    const of = { address: manager, abi: accessManagerAbi } as const;
    const args = [to, data.slice(0, 10) as Hex] as const;
    const id =
      to === manager ? 0n : await this.client.readContract({ ...of, functionName: "getTargetFunctionRole", args });
    return id === roleIds.admin ? "owner" : roleName(id);
  }

  /** How many seconds before `account` has to announce the call to the AccessManager; null when it may not make it. */
  async delayOf(manager: Address, account: Address, call: Call): Promise<number | null> {
    const of = { address: manager, abi: accessManagerAbi } as const;
    if (call.to === manager) {
      const [held, delay] = await this.client.readContract({ ...of, functionName: "hasRole", args: [0n, account] });
      return held ? delay : null;
    }
    const args = [account, call.to, call.data.slice(0, 10) as Hex] as const;
    const [immediate, delay] = await this.client.readContract({ ...of, functionName: "canCall", args });
    return immediate || delay > 0 ? delay : null;
  }

  /** From when until when (Unix seconds) `account` may make the call it has scheduled; null when it has not. */
  async scheduleOf(manager: Address, account: Address, call: Call): Promise<{ from: number; until: number } | null> {
    const of = { address: manager, abi: accessManagerAbi } as const;
    const args = [account, call.to, call.data] as const;
    const id = await this.client.readContract({ ...of, functionName: "hashOperation", args });
    const from = await this.client.readContract({ ...of, functionName: "getSchedule", args: [id] });
    if (from === 0) return null;
    return { from, until: from + (await this.client.readContract({ ...of, functionName: "expiration" })) };
  }

  /** What accounts have scheduled from block `since` on that is neither made, cancelled nor expired. */
  async scheduled(manager: Address, since: number): Promise<ScheduledCall[]> {
    const of = { address: manager, abi: accessManagerAbi } as const;
    const latest = await this.client.getBlockNumber();
    const logs = await inSpans(BigInt(since), latest, (fromBlock, toBlock) =>
      this.client.getContractEvents({ ...of, eventName: "OperationScheduled", fromBlock, toBlock, strict: true }),
    );
    const calls = new Map(logs.map(({ args }) => [args.operationId, args]));
    const expiration = await this.client.readContract({ ...of, functionName: "expiration" });
    const found = [...calls].map(async ([id, { caller, target, data }]) => {
      const from = await this.client.readContract({ ...of, functionName: "getSchedule", args: [id] });
      return { caller, target, data, from, until: from + expiration };
    });
    return (await Promise.all(found)).filter(({ from }) => from !== 0);
  }

  /** Everybody who holds a role now, or will from a later moment on; roles were given from block `since` on. */
  async members(manager: Address, since: number): Promise<Member[]> {
    const of = { address: manager, abi: accessManagerAbi } as const;
    const latest = await this.client.getBlockNumber();
    const logs = await inSpans(BigInt(since), latest, (fromBlock, toBlock) =>
      this.client.getContractEvents({ ...of, eventName: "RoleGranted", fromBlock, toBlock, strict: true }),
    );
    const granted = new Map(logs.map(({ args: { roleId: id, account } }) => [`${id} ${account}`, { id, account }]));
    const members = [...granted.values()].map(async ({ id, account }) => {
      const [from] = await this.client.readContract({ ...of, functionName: "getAccess", args: [id, account] });
      return from === 0 ? [] : [{ id, account }];
    });
    return (await Promise.all(members)).flat();
  }

  /**
   * Gas of each transaction, run one after the other on the present state, and nothing kept. Null where the node cannot.
   * @throws DeployError in the step's words when one reverts
   */
  async simulate(from: Address, transactions: readonly (Transaction & { what: string })[]): Promise<bigint[] | null> {
    type Failure = { returnData?: Hex; error?: { message: string; data?: Hex } };
    type Answer = { calls: ({ gasUsed: Hex; status: Hex } & Failure)[] }[];
    const ask = (blockStateCalls: readonly object[]) => {
      const params = [{ blockStateCalls, validation: false, traceTransfers: false }, "latest"];
      return this.client.request({ method: "eth_simulateV1", params } as never) as Promise<Answer>;
    };
    const blocks = transactions.map(({ to, data }) => ({ calls: [{ from, ...(to ? { to } : {}), input: data }] }));
    const answer = await ask(blocks).catch(() => null);
    if (answer === null) return null;
    const failed = answer.findIndex(({ calls: [call] }) => call?.status !== "0x1");
    const transaction = transactions[failed];
    if (transaction === undefined) return answer.map(({ calls: [call] }) => BigInt(call?.gasUsed ?? 0));
    let call: Failure | undefined = answer[failed]?.calls[0];
    if (transaction.to === CREATE2_PROXY) {
      // The proxy hides why a constructor reverts, so the code that creates the contract runs at an address of its own.
      const stateOverrides = { [TRIAL_ADDRESS]: { code: slice(transaction.data, 32) } };
      const trial = { stateOverrides, calls: [{ from, to: TRIAL_ADDRESS, input: "0x" }] };
      call = (await ask([...blocks.slice(0, failed), trial])).at(failed)?.calls[0];
    }
    const why = revertTextOf({ data: call?.error?.data ?? call?.returnData }) ?? call?.error?.message ?? "reverted";
    throw new DeployError(
      `"${transaction.what}" would fail: ${why}; nothing was sent; correct the configuration, and run the command again`,
    );
  }

  /** The most a unit of gas may cost now, in wei. */
  async gasPrice(): Promise<bigint> {
    const block = await this.client.getBlock();
    if (block.baseFeePerGas === null || block.baseFeePerGas === undefined) return this.client.getGasPrice();
    return (await this.client.estimateFeesPerGas()).maxFeePerGas;
  }

  /** Signs, sends and waits until it is mined. @throws DeployError in the words of `what` */
  async send(
    account: Account,
    transaction: Transaction,
    { what, confirmations }: { what: string; confirmations: number },
  ): Promise<TransactionReceipt> {
    const nativeCurrency = { name: "Coin", symbol: "COIN", decimals: 18 };
    const rpcUrls = { default: { http: [this.url] } };
    const chain = defineChain({ id: this.chainId, name: `Chain ${this.chainId}`, nativeCurrency, rpcUrls });
    const wallet = createWalletClient({ account, chain, transport: http(this.url, { timeout: ANSWER_WITHIN_MS }) });
    const request = { to: transaction.to, data: transaction.data };
    try {
      const gas = reserve(await this.#estimate(account.address, transaction));
      const hash = await wallet.sendTransaction({ ...request, gas });
      const receipt = await this.client.waitForTransactionReceipt({ hash, confirmations, timeout: MINED_WITHIN_MS });
      if (receipt.status !== "success")
        throw new DeployError(
          `"${what}" failed on the chain, transaction ${hash}; run the command again without --send, which says why`,
        );
      return receipt;
    } catch (error) {
      if (error instanceof DeployError) throw error;
      const revert = revertTextOf(error);
      const why = revert === null ? (error instanceof BaseError ? error.shortMessage : String(error)) : `${revert}.`;
      throw new DeployError(`"${what}" could not be done: ${why} Run the command again; what is done stays done.`);
    }
  }

  async #estimate(account: Address, { to, data }: Transaction): Promise<bigint> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.client.estimateGas({ account, to, data });
      } catch (error) {
        if (attempt === TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS));
      }
    }
  }
}

/** @throws the error itself where it does not say that the contract has no answer, or is not there */
export function ignoreRevert(error: unknown): undefined {
  const kinds = [ContractFunctionRevertedError, ContractFunctionZeroDataError];
  const known = error instanceof BaseError && error.walk((cause) => kinds.some((kind) => cause instanceof kind));
  if (!known) throw error;
}

function conflictOf(reads: readonly Read[], answers: readonly (boolean | string)[]) {
  const index = answers.findIndex((answer) => typeof answer === "string");
  return index < 0 ? null : { state: "wrong" as const, why: String(answers[index]), field: reads[index]?.field };
}

/** The transaction of a step. `calls` are those that are still to be made. */
export function transactionOf(step: Step, calls: readonly Call[], salt: string | null): Transaction {
  if (step.kind === "create") {
    if (salt === null) return { to: null, data: step.initCode };
    return { to: CREATE2_PROXY, data: concat([saltOf(salt, step.key), step.initCode]) };
  }
  return setupTransaction(step, calls);
}

function setupTransaction({ key }: Setup, calls: readonly Call[]): Transaction {
  const [first] = calls;
  if (first === undefined) throw new Error(`Nothing to send for ${key}.`);
  if (calls.length === 1) return { to: first.to, data: first.data };
  const data = encodeFunctionData({
    abi: accessManagerAbi,
    functionName: "multicall",
    args: [calls.map((call) => call.data)],
  });
  return { to: first.to, data };
}

/** Gas of a transaction where the node cannot run it beforehand: rather more than it will be. */
export function roughGas(step: Step, { data }: Transaction): bigint {
  const bytes = BigInt((data.length - 2) / 2);
  if (step.kind === "call") return 60_000n + 16n * bytes + 75_000n * BigInt(step.calls.length);
  return 400_000n + 16n * bytes + 205n * BigInt((step.runtime.code.length - 2) / 2);
}
