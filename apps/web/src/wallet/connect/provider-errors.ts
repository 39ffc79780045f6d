import { rpcCodes } from "@aqua/sdk/chain/wallet-errors";

interface Provider {
  request: (request: { method: string; params?: unknown }) => Promise<unknown>;
}

/** The wrapper of each provider, so that a provider is wrapped once. */
const wrappers = new WeakMap<object, object>();

/** Messages of wallets that do not know a chain and do not use the code 4902. */
const unknownChain =
  /unrecogni[sz]ed chain|unknown chain|chain .*not (been )?added|unsupported chain|addEthereumChain/i;

/**
 * Wraps a provider. Its `wallet_switchEthereumChain` fails with code 4902 if the wallet says in words that it does not
 * know the chain, because wagmi asks a wallet to add a chain only after that code.
 */
export function withStandardErrors<Wallet extends Provider>(provider: Wallet): Wallet {
  const wrapped = wrappers.get(provider);
  if (wrapped !== undefined) return wrapped as Wallet;
  const request: Provider["request"] = async (call) => {
    try {
      return await provider.request(call);
    } catch (error) {
      if (call.method !== "wallet_switchEthereumChain" || !saysUnknownChain(error)) throw error;
      throw Object.assign(new Error(messageOf(error), { cause: error }), { code: rpcCodes.unrecognizedChain });
    }
  };
  const standard = new Proxy(provider, {
    get(target, name) {
      if (name === "request") return request;
      // Methods of the wallet may use private fields, which a proxy does not have. They are bound to the original
      // object.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  wrappers.set(provider, standard);
  return standard;
}

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | null)?.message ?? "");
}

function saysUnknownChain(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code !== rpcCodes.userRejected && unknownChain.test(messageOf(error));
}
