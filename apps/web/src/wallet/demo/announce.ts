import { localChain } from "@aqua/sdk/chains";
import { createClient, type Hex, isAddress, type LocalAccount } from "viem";
import { estimateGas, sendTransaction } from "viem/actions";
import { local } from "../../browser-storage.ts";
import { demoAccount, holderOf, marker, ownAccount } from "./accounts.ts";
import { chain, transport } from "./chain.ts";
import { createDemoProvider, type DemoProvider, type DemoSigner, type TransactionRequest } from "./provider.ts";
import { askOwner, chooseAccount } from "./requests.ts";

const permissionKey = `${marker}.connected`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#006C7A"/><path d="M24 9c6 8 10 13 10 19a10 10 0 0 1-20 0c0-6 4-11 10-19Z" fill="none" stroke="#fff" stroke-width="3"/><path d="M18 29c2-2 4-2 6 0s4 2 6 0" fill="none" stroke="#fff" stroke-width="3"/></svg>',
)}`;

const client = createClient({ chain, transport });

/** Gas use may rise between the estimate and the block. Unused gas is not charged. */
const gasMargin = { numerator: 13n, denominator: 10n };

export interface DemoWallet {
  /** The wallet's reverse domain name (RDNS). */
  id: string;
  name: string;
  icon: string;
  provider: DemoProvider;
}

let announced: DemoWallet | null = null;

/**
 * Announces the demo wallet by EIP-6963, now and at each request. Later calls on the same page return the same wallet.
 */
export function announceDemoWallet(): DemoWallet {
  if (announced !== null) return announced;
  const wallet = { id: "org.aqua.demo", name: "Aqua Demo Wallet", icon, provider: demoProvider() };
  announced = wallet;
  const detail = Object.freeze({
    info: Object.freeze({ uuid: crypto.randomUUID(), name: wallet.name, icon, rdns: wallet.id }),
    provider: wallet.provider,
  });
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
  return wallet;
}

function readPermission(): Hex | null {
  const stored = local.get(permissionKey);
  // An earlier version stored "true" for the demo account's connection.
  if (stored === "true") return demoAccount().address;
  return stored !== null && isAddress(stored) ? stored : null;
}

function signerOf(account: LocalAccount): DemoSigner {
  return {
    signMessage: (message) => account.signMessage({ message: { raw: message } }),
    signTypedData: (typedData) => account.signTypedData(JSON.parse(typedData)),
    sendTransaction: async ({ to, data, value, gas }: TransactionRequest) => {
      const call = { account, to, data, value };
      const estimate = gas ?? (await estimateGas(client, call));
      return sendTransaction(client, { ...call, gas: (estimate * gasMargin.numerator) / gasMargin.denominator });
    },
  };
}

function demoProvider(): DemoProvider {
  return createDemoProvider({
    chainId: localChain.id,
    signer: (address) => signerOf(holderOf(address)),
    choose: () => chooseAccount({ demo: demoAccount().address, own: ownAccount().address }),
    ask: askOwner,
    permission: {
      read: readPermission,
      write: (account) => (account === null ? local.remove(permissionKey) : local.set(permissionKey, account)),
    },
    forward: (method, params) => client.request({ method, params } as never),
  });
}
