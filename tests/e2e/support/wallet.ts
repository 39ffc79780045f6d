import type { Page } from "@playwright/test";
import { createWalletClient, type Hex, http, isHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { becomeVerified, register } from "../../../devnet/src/person.ts";
import { chain, localChain } from "./chain";
import { chainUrl, origin } from "./ports";

/** The error codes of EIP-1193 and EIP-3326 that the app must understand. */
const userRejected = 4001;
const unsupportedMethod = 4200;
const internalError = -32603;
const unknownChain = 4902;

function clientOf(account: PrivateKeyAccount) {
  return createWalletClient({ account, chain: localChain, transport: http(chainUrl) });
}

type Answer = { result: unknown } | { error: { code: number; message: string } };

/**
 * A browser wallet for tests. It is announced by EIP-6963 in the page. Its key and its chain calls are outside, so that the
 * page itself calls only our server.
 */
export class TestWallet {
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly calls: string[] = [];
  /** Methods that the user rejects. */
  readonly refused = new Set<string>();
  /** Methods that fail in the wallet itself. */
  readonly failing = new Set<string>();
  /** True if the wallet bundles several calls (EIP-5792), which its own node puts into one block. */
  batches = false;
  private readonly bundles = new Map<string, Hex[]>();
  /** A session of the wallet's own account, once one was created. */
  session: { token: string; email: string } | null = null;
  private chainId = localChain.id as number;
  private client = clientOf(this.account);

  constructor(private readonly page: Page) {}

  /** The wallet holds this key from now on, for example that of a depositor of the seeded world. */
  become(account: PrivateKeyAccount) {
    this.account = account;
    this.client = clientOf(account);
  }

  get address() {
    return this.account.address;
  }

  async install() {
    await this.page.exposeFunction("aquaTestWalletRequest", (method: string, params: unknown[]) =>
      this.answer(method, params),
    );
    await this.page.addInitScript(announce);
  }

  /** Opens the page in the wallet's own browser, which names itself on window.ethereum. Call it before the page opens. */
  async injectAs(flag: string) {
    await this.page.addInitScript((name) => {
      const { aquaTestWallet } = window as unknown as { aquaTestWallet: object };
      Object.assign(window, { ethereum: Object.assign(aquaTestWallet, { [name]: true }) });
    }, flag);
  }

  /** The wallet's answer to a call from any side. */
  async answer(method: string, params: unknown[]): Promise<Answer> {
    this.calls.push(method);
    try {
      return { result: await this.perform(method, params) };
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string };
      return { error: { code: code ?? internalError, message: message ?? "Internal error" } };
    }
  }

  /** The wallet moves to another network by itself, as users do. */
  async moveTo(chainId: number) {
    this.chainId = chainId;
    await this.page.evaluate(
      (id) => {
        (
          window as unknown as { aquaTestWallet: { emit: (event: string, value: unknown) => void } }
        ).aquaTestWallet.emit("chainChanged", id);
      },
      `0x${chainId.toString(16)}`,
    );
  }

  private async perform(method: string, params: unknown[]): Promise<unknown> {
    if (this.failing.has(method)) {
      // No real wallet fails at once, and the kit loses an error that arrives before it has drawn the chosen wallet.
      await new Promise((resolve) => setTimeout(resolve, 250));
      throw { code: internalError, message: "The wallet is out of order." };
    }
    if (this.refused.has(method)) throw { code: userRejected, message: "User rejected the request." };
    switch (method) {
      case "eth_requestAccounts":
      case "eth_accounts":
        return [this.address];
      case "eth_chainId":
        return `0x${this.chainId.toString(16)}`;
      case "wallet_switchEthereumChain": {
        const wanted = Number((params[0] as { chainId: Hex }).chainId);
        if (wanted !== localChain.id) throw { code: unknownChain, message: "Unrecognized chain ID." };
        await this.moveTo(wanted);
        return null;
      }
      case "personal_sign": {
        const message = params[0] as string;
        return this.account.signMessage({ message: isHex(message) ? { raw: message } : message });
      }
      case "eth_signTypedData_v4": {
        const typed = JSON.parse(params[1] as string) as Parameters<PrivateKeyAccount["signTypedData"]>[0] & {
          types: Record<string, unknown>;
        };
        const { EIP712Domain: _, ...types } = typed.types;
        return this.account.signTypedData({ ...typed, types } as Parameters<PrivateKeyAccount["signTypedData"]>[0]);
      }
      case "eth_sendTransaction": {
        const { to, data, value, gas } = params[0] as { to: Hex; data: Hex; value?: Hex; gas?: Hex };
        return this.client.sendTransaction({
          to,
          data,
          ...(value ? { value: BigInt(value) } : {}),
          ...(gas ? { gas: BigInt(gas) } : {}),
        });
      }
      case "wallet_getCapabilities":
      case "wallet_sendCalls":
      case "wallet_getCallsStatus":
        if (!this.batches) throw { code: unsupportedMethod, message: "Unsupported method." };
        return this.batch(method, params);
      case "wallet_requestPermissions":
      case "wallet_revokePermissions":
        throw { code: unsupportedMethod, message: "Unsupported method." };
      default:
        return chain.request({ method, params } as never);
    }
  }

  private async batch(method: string, params: unknown[]): Promise<unknown> {
    if (method === "wallet_getCapabilities")
      return { [`0x${localChain.id.toString(16)}`]: { atomic: { status: "supported" } } };
    if (method === "wallet_sendCalls") {
      const { calls } = params[0] as { calls: { to: Hex; data: Hex }[] };
      const id = `test-bundle-${this.bundles.size}`;
      const hashes: Hex[] = [];
      // Before the first call is mined, an estimate of the second would fail, so its gas is not estimated.
      for (const { to, data } of calls) hashes.push(await this.client.sendTransaction({ to, data, gas: 500_000n }));
      this.bundles.set(id, hashes);
      return { id };
    }
    const hashes = this.bundles.get(params[0] as string);
    if (!hashes) throw { code: 5730, message: "Unknown bundle id" };
    const receipts = await Promise.all(
      hashes.map((hash) => chain.request({ method: "eth_getTransactionReceipt", params: [hash] })),
    );
    const done = receipts.every((receipt) => receipt !== null);
    return {
      version: "2.0.0",
      id: params[0],
      chainId: `0x${localChain.id.toString(16)}`,
      atomic: true,
      status: done ? 200 : 100,
      ...(done ? { receipts } : {}),
    };
  }

  /** Gets test dollars, gas and a verified account by the calls of the interface. */
  async provide() {
    await Promise.all([post("dev/faucet", { address: this.address }), this.becomeVerified()]);
  }

  private async becomeVerified() {
    const email = `${this.address.toLowerCase()}@aqua.example`;
    const person = { email, password: "a test wallet's password", country: "FR", name: "Test Verified" };
    const { token } = await register(origin, person);
    await becomeVerified({ url: origin, token, person, wallet: this.account });
    this.session = { token, email };
  }
}

async function post<Data>(path: string, body: object): Promise<Data> {
  const response = await fetch(`${origin}/api/v2/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}

/** Runs in the page before any script of ours. */
function announce() {
  type Listener = (value: unknown) => void;
  const listeners = new Map<string, Set<Listener>>();
  const remote = window as unknown as {
    aquaTestWalletRequest: (method: string, params: unknown[]) => Promise<Answer>;
    aquaTestWallet: unknown;
  };
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const answer = await remote.aquaTestWalletRequest(method, params);
      if ("error" in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      return answer.result;
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener);
    },
    emit(event: string, value: unknown) {
      for (const listener of listeners.get(event) ?? []) listener(value);
    },
  };
  remote.aquaTestWallet = provider;
  const info = {
    uuid: "6f1c9b1e-4a55-4b0e-9d0a-6a3d4d1c7a10",
    name: "Test Wallet",
    rdns: "test.wallet",
    icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='teal'/%3E%3C/svg%3E",
  };
  const tell = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", tell);
  tell();
}
