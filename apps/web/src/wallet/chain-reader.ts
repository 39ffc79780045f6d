import type { ChainClient } from "@aqua/sdk/chain/client";
import { createPublicClient, custom, defineChain, type Hex, http } from "viem";
import { reportFault } from "../report-error.ts";
import { rpcUrl } from "./rpc-url.ts";

/** The source of chain reads: a wallet of the visitor, by its name, or this site's RPC proxy. */
export type ChainSource = { by: "wallet"; name: string } | { by: "site" };

export interface ReadChain {
  client: ChainClient;
  /** Changes to "site" permanently after a read went to the site. */
  source(): ChainSource;
}

interface Provider {
  request: (request: { method: string; params?: unknown }) => Promise<unknown>;
}
interface Announced {
  info: { name: string; rdns: string };
  provider: Provider;
}

/** Excluded because it queries this site's node. Its answer would prove nothing more. */
const demoWallet = "org.aqua.demo";
/** Timeouts in milliseconds for a wallet and for the site's node. */
const patience = { wallet: 4_000, site: 15_000 };

/** The wallets of this browser: those announced by EIP-6963, or else `window.ethereum` (EIP-1193). */
function walletsHere(): Announced[] {
  const wallets: Announced[] = [];
  const onAnnounce = (event: Event) => {
    const { detail } = event as CustomEvent<Partial<Announced> | null>;
    // A broken extension announces null or `{}`.
    if (detail?.info && typeof detail.provider?.request === "function") wallets.push(detail as Announced);
  };
  addEventListener("eip6963:announceProvider", onAnnounce);
  dispatchEvent(new Event("eip6963:requestProvider"));
  removeEventListener("eip6963:announceProvider", onAnnounce);
  const { ethereum } = window as unknown as { ethereum?: Provider };
  if (wallets.length === 0 && ethereum)
    wallets.push({ info: { name: "window.ethereum", rdns: "" }, provider: ethereum });
  return wallets.filter(({ info }) => info.rdns !== demoWallet);
}

/** Sends a request to a wallet. Rejects if the wallet does not answer in time. */
function askWallet({ provider }: Announced, request: Parameters<Provider["request"]>[0]): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("No answer in time")), patience.wallet);
  });
  return Promise.race([provider.request(request), late]).finally(() => clearTimeout(timer));
}

/** A wallet that is on the requested chain, or null. eth_chainId never opens or connects a wallet. */
async function walletOn(chainId: number): Promise<Announced | null> {
  for (const wallet of walletsHere())
    try {
      const chain = await askWallet(wallet, { method: "eth_chainId" });
      if (isAnswer(chain) && Number(chain) === chainId) return wallet;
    } catch {
      // The loop tries the next wallet.
    }
  return null;
}

/**
 * True for hex data or an object. A wallet whose node lacks a transaction answers null, and some wallets answer other
 * values.
 */
const isAnswer = (answer: unknown) =>
  (typeof answer === "object" && answer !== null) || (typeof answer === "string" && /^0x[0-9a-fA-F]*$/.test(answer));

/**
 * Reads a chain through the visitor's own wallet if one is on that chain, otherwise through this site's node. Reads
 * that the wallet cannot answer go to the site. A wallet that does not answer is not used again.
 */
export async function openChain(chainId: number): Promise<ReadChain> {
  let wallet = await walletOn(chainId);
  let askedSite = false;
  const chain = defineChain({
    id: chainId,
    name: String(chainId),
    nativeCurrency: { name: "", symbol: "", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl(chainId)] } },
  });
  const site = http(undefined, { timeout: patience.site, retryCount: 0 })({ chain });
  const request: Provider["request"] = async (call) => {
    if (wallet)
      try {
        const answer = await askWallet(wallet, call);
        if (isAnswer(answer)) return answer;
      } catch {
        wallet = null;
      }
    askedSite = true;
    return site.request(call as Parameters<typeof site.request>[0]);
  };
  return {
    client: createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) }) as ChainClient,
    source: () => (wallet && !askedSite ? { by: "wallet", name: wallet.info.name } : { by: "site" }),
  };
}

/** The result of `reading`, or null after it rejected, which is logged. `what` is the subject of the log's sentence. */
export async function readOrNull<Read>(what: string, reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    reportFault("page", new Error(`${what} could not be read`, { cause: error }));
    return null;
  }
}

/** `eth_call` as the verifier of proofs needs it: hex data, empty for an address without a contract. */
export const callOf =
  ({ client }: ReadChain) =>
  async (to: Hex, data: Hex): Promise<Hex> =>
    (await client.call({ to, data })).data ?? "0x";
