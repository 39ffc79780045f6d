import { rpcCodes } from "@aqua/sdk/chain/wallet-errors";

type Hex = `0x${string}`;

/** An EIP-1193 error. */
export class ProviderError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "ProviderError";
    this.code = code;
  }
}

/** Code for a site that is not connected, or not connected with this account. */
export const unauthorized = 4100;
const invalidParams = -32602;

export interface TransactionRequest {
  from: Hex;
  to: Hex | null;
  data: Hex;
  value: bigint;
  gas: bigint | null;
}

/** A request that the wallet's owner confirms before it signs. */
export type OwnerQuestion =
  | { kind: "message"; from: Hex; message: Hex }
  | { kind: "typedData"; typedData: string }
  | { kind: "transaction"; transaction: TransactionRequest };

/** A signer whose key never leaves this page. */
export interface DemoSigner {
  signMessage(message: Hex): Promise<Hex>;
  signTypedData(typedData: string): Promise<Hex>;
  /** Fills in nonce, gas and fee, signs and sends the transaction. Resolves to its hash. */
  sendTransaction(transaction: TransactionRequest): Promise<Hex>;
}

export interface DemoParts {
  chainId: number;
  /** The signer of an account that the owner has chosen before. */
  signer(address: Hex): DemoSigner;
  /** Resolves to the account that the owner connects. Throws ProviderError 4001 if the owner chooses none. */
  choose(): Promise<Hex>;
  /** Resolves if the owner agrees. Otherwise throws ProviderError 4001. */
  ask(request: OwnerQuestion): Promise<void>;
  /** The account that this site is connected with, or null. It persists over a reload. */
  permission: { read(): Hex | null; write(account: Hex | null): void };
  /** Forwards a read to the chain's node. */
  forward(method: string, params: unknown): Promise<unknown>;
}

type Listener = (payload: unknown) => void;

export interface DemoProvider {
  request(call: { method: string; params?: unknown }): Promise<unknown>;
  on(event: string, listener: Listener): DemoProvider;
  removeListener(event: string, listener: Listener): DemoProvider;
}

/** Read methods that the wallet forwards to its node. Other methods that it does not implement fail with 4200. */
const reads = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getStorageAt",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_maxPriorityFeePerGas",
]);

/**
 * The demo wallet as an EIP-1193 provider with one account at a time and one chain. Codes: 4001 rejected, 4100 not
 * connected or another account, 4200 unknown method, 4902 another chain.
 */
export function createDemoProvider({ chainId, signer, choose, ask, permission, forward }: DemoParts): DemoProvider {
  const listeners = new Map<string, Set<Listener>>();
  const chainHex = `0x${chainId.toString(16)}`;
  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  const accounts = () => {
    const connected = permission.read();
    return connected === null ? [] : [connected];
  };
  const permissions = () => [{ parentCapability: "eth_accounts", caveats: [] }];

  // A page may ask again while the owner is still choosing.
  let choosing: Promise<Hex> | null = null;
  async function connect(): Promise<Hex> {
    const before = permission.read();
    if (before !== null) return before;
    choosing ??= choose().finally(() => {
      choosing = null;
    });
    const chosen = await choosing;
    if (permission.read() === null) {
      permission.write(chosen);
      emit("accountsChanged", [chosen]);
    }
    return chosen;
  }

  function authorize(address: unknown): Hex {
    const connected = permission.read();
    if (connected === null) throw new ProviderError(unauthorized, "This site is not connected to the wallet");
    if (typeof address !== "string" || address.toLowerCase() !== connected.toLowerCase())
      throw new ProviderError(unauthorized, "The site is not connected with this account");
    return connected;
  }

  async function sign(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "personal_sign": {
        const [message, address] = params;
        const from = authorize(address);
        if (!isHex(message)) throw new ProviderError(invalidParams, "personal_sign takes a hex message");
        await ask({ kind: "message", from, message });
        return signer(from).signMessage(message);
      }
      case "eth_signTypedData_v4": {
        const [address, data] = params;
        const from = authorize(address);
        const typedData = typeof data === "string" ? data : JSON.stringify(data);
        await ask({ kind: "typedData", typedData });
        return signer(from).signTypedData(typedData);
      }
      default: {
        const transaction = readTransaction(params[0], chainId, authorize);
        await ask({ kind: "transaction", transaction });
        return signer(transaction.from).sendTransaction(transaction);
      }
    }
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const list: readonly unknown[] = Array.isArray(params) ? params : [];
    switch (method) {
      case "eth_chainId":
        return chainHex;
      case "net_version":
        return String(chainId);
      case "eth_accounts":
        return accounts();
      case "eth_requestAccounts":
        return [await connect()];
      case "wallet_requestPermissions":
        await connect();
        return permissions();
      case "wallet_getPermissions":
        return permission.read() === null ? [] : permissions();
      case "wallet_revokePermissions":
        permission.write(null);
        emit("accountsChanged", []);
        return null;
      case "wallet_switchEthereumChain":
        if (Number((list[0] as { chainId?: unknown } | undefined)?.chainId) !== chainId)
          throw new ProviderError(rpcCodes.unrecognizedChain, "The demo wallet knows the local chain only");
        return null;
      case "personal_sign":
      case "eth_signTypedData_v4":
      case "eth_sendTransaction":
        return sign(method, list);
      default:
        if (reads.has(method)) return forward(method, list);
        throw new ProviderError(rpcCodes.unsupportedMethod, `The demo wallet does not know ${method}`);
    }
  }

  const provider: DemoProvider = {
    request,
    on(event, listener) {
      const ofEvent = listeners.get(event) ?? new Set();
      listeners.set(event, ofEvent.add(listener));
      return provider;
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  };
  return provider;
}

function isHex(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value);
}

function readTransaction(raw: unknown, chainId: number, authorize: (address: unknown) => Hex): TransactionRequest {
  const { from, to, data, input, value, gas, chainId: chain } = (raw ?? {}) as Record<string, unknown>;
  const sender = authorize(from);
  if (chain !== undefined && Number(chain) !== chainId)
    throw new ProviderError(rpcCodes.unrecognizedChain, "The demo wallet knows the local chain only");
  const call = data ?? input ?? "0x";
  if (!isHex(call) || (to !== undefined && to !== null && !isHex(to)))
    throw new ProviderError(invalidParams, "Not a transaction");
  return {
    from: sender,
    to: isHex(to) ? to : null,
    data: call,
    value: isHex(value) ? BigInt(value) : 0n,
    gas: isHex(gas) ? BigInt(gas) : null,
  };
}
