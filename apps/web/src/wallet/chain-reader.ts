/** Who answers the chain calls: a wallet of the visitor's, by its name, or this site's RPC proxy. */
export type ChainSource = { by: "wallet"; name: string } | { by: "site" };

interface Provider {
  request: (request: { method: string; params?: unknown[] }) => Promise<unknown>;
}
interface Announced {
  info: { name: string; rdns: string };
  provider: Provider;
}

/** Excluded, since it queries this site's node, so its answer would prove nothing more. */
const demoWallet = "org.aqua.demo";
/** Timeouts in milliseconds for a wallet and for the site's node. */
const patience = { wallet: 4_000, site: 15_000 };

/** The wallets of this browser: those announced by EIP-6963, or else the one in `window.ethereum` (EIP-1193). */
function walletsHere(): Announced[] {
  const found: Announced[] = [];
  const onAnnounce = (event: Event) => {
    const { detail } = event as CustomEvent<Partial<Announced> | null>;
    // A broken extension announces null or `{}`.
    if (detail?.info && typeof detail.provider?.request === "function") found.push(detail as Announced);
  };
  addEventListener("eip6963:announceProvider", onAnnounce);
  dispatchEvent(new Event("eip6963:requestProvider"));
  removeEventListener("eip6963:announceProvider", onAnnounce);
  const { ethereum } = window as unknown as { ethereum?: Provider };
  if (found.length === 0 && ethereum) found.push({ info: { name: "window.ethereum", rdns: "" }, provider: ethereum });
  return found.filter(({ info }) => info.rdns !== demoWallet);
}

function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("No answer in time")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const isHex = (answer: unknown): answer is string => typeof answer === "string" && /^0x[0-9a-fA-F]*$/.test(answer);

/** A wallet that is on the requested chain. eth_chainId never opens or connects a wallet. */
async function walletOn(chainId: number): Promise<Announced | null> {
  for (const wallet of walletsHere())
    try {
      const chain = await within(patience.wallet, wallet.provider.request({ method: "eth_chainId" }));
      if (isHex(chain) && Number(chain) === chainId) return wallet;
    } catch {
      // Tries the next wallet.
    }
  return null;
}

const isObject = (answer: unknown): answer is object => typeof answer === "object" && answer !== null;
const blockTag = (block?: number) => (block === undefined ? "latest" : `0x${block.toString(16)}`);

/** No node answered, or none with what was asked for. */
class ChainUnavailable extends Error {
  /** The API's code for the same, by which its text is found. */
  readonly error_code = "chain_unavailable";
}

/** Queries through this site's RPC proxy; null where the node has no such object. */
async function askSite(chainId: number, method: string, params: unknown[]): Promise<unknown> {
  const asked = fetch(`/rpc/${chainId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(patience.site),
  });
  const { result, error }: { result?: unknown; error?: { message?: string } } = await asked
    .then((response) => response.json())
    .catch((cause: unknown) => {
      throw new ChainUnavailable("The node gave no answer", { cause });
    });
  // An answer too, as for a call that reverts.
  if (error) throw new Error(error.message ?? "The node answered with an error", { cause: error });
  if (result === undefined) throw new ChainUnavailable("The node gave no answer");
  return result;
}

export type Chain = Awaited<ReturnType<typeof openChain>>;

/**
 * Reads a chain through the visitor's own wallet where one is on that chain, else through this site's node. A wallet
 * that does not answer is not queried again; `source` says who answered, and stays "site" once the site was used.
 */
export async function openChain(chainId: number) {
  let wallet = await walletOn(chainId);
  let site = false;

  /** `isAnswer`: whether a wallet's result is valid; if not, this site is queried too. */
  async function ask(method: string, params: unknown[], isAnswer: (given: unknown) => boolean): Promise<unknown> {
    if (wallet)
      try {
        const answer = await within(patience.wallet, wallet.provider.request({ method, params }));
        if (isAnswer(answer)) return answer;
      } catch {
        wallet = null;
      }
    site = true;
    return askSite(chainId, method, params);
  }

  return {
    /** eth_call at a block, or the newest one. Rejects when no node answers or the call reverts. */
    async call(to: string, data: string, block?: number): Promise<string> {
      const answer = await ask("eth_call", [{ to, data }, blockTag(block)], isHex);
      if (!isHex(answer)) throw new ChainUnavailable("The node gave no answer");
      return answer;
    },
    /** An object by its hash; null when no node has it. Rejects when no node answers. */
    async find(what: "Transaction" | "TransactionReceipt" | "Block", hash: string): Promise<object | null> {
      const method = what === "TransactionReceipt" ? "eth_getTransactionReceipt" : `eth_get${what}ByHash`;
      const answer = await ask(method, what === "Block" ? [hash, false] : [hash], isObject);
      return isObject(answer) ? answer : null;
    },
    /** Time of a block, or of the newest one, in Unix milliseconds. Rejects when no node has it. */
    async time(block?: number): Promise<number> {
      const answer = await ask("eth_getBlockByNumber", [blockTag(block), false], isObject);
      const time = Number((answer as { timestamp?: string } | null)?.timestamp) * 1_000;
      if (!Number.isSafeInteger(time)) throw new ChainUnavailable("The node's answer is no block");
      return time;
    },
    source: (): ChainSource => (wallet && !site ? { by: "wallet", name: wallet.info.name } : { by: "site" }),
  };
}
