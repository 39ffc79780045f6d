import { inSpans } from "@aqua/contracts/deploy/spans";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { isRevert } from "@aqua/sdk/chain/errors";
import type { Position } from "@aqua/sdk/chain/wallet-move";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Address, erc20Abi, getAddress, isAddressEqual, zeroAddress } from "viem";
import type { ChainSession } from "./chainSession.ts";
import { TIME_DEPOSIT } from "./money/product.ts";

/** Receipts that one transaction moves, so that its gas stays far below a block's. */
const MAX_RECEIPTS = 50;

/** Holdings of a wallet in one contract that a product moves to the wallet's successor. */
export interface Holding {
  position: Position;
  /** In words, such as "1000.000000 shares". */
  text: string;
}

interface Product {
  shortId: string;
  address: Address;
  /** The redemption queue of a demand deposit that has one. */
  queue: Address | null;
  isTerm: boolean;
  decimals: number;
  asset: { symbol: string; decimals: number };
}

/** All products that the chain's registry lists, closed ones included. */
export async function listedProducts({ client, deployment }: ChainSession): Promise<Product[]> {
  const registry = { address: getAddress(deployment.product_registry), abi: productRegistryAbi } as const;
  const listed = await inSpans(BigInt(deployment.start_block), await client.getBlockNumber(), (fromBlock, toBlock) =>
    client.getContractEvents({ ...registry, eventName: "ProductListed", fromBlock, toBlock, strict: true }),
  );
  return Promise.all(
    listed.map(async ({ args: { product: address, asset, shortId, productType } }) => {
      const token = { address: asset, abi: erc20Abi } as const;
      const isTerm = productType === TIME_DEPOSIT;
      const [symbol, assetDecimals] = await Promise.all([
        client.readContract({ ...token, functionName: "symbol" }),
        client.readContract({ ...token, functionName: "decimals" }),
      ]);
      const common = { shortId, address, isTerm, asset: { symbol, decimals: assetDecimals } };
      if (isTerm) return { ...common, queue: null, decimals: 0 };
      const vault = { address, abi: demandVaultAbi } as const;
      const [{ queue }, decimals] = await Promise.all([
        client.readContract({ ...vault, functionName: "desk" }),
        client.readContract({ ...vault, functionName: "decimals" }),
      ]);
      return { ...common, queue: queue === zeroAddress ? null : queue, decimals };
    }),
  );
}

/** What a wallet holds in the products, one line for each contract that has something of it. */
export async function holdingsOf(
  session: ChainSession,
  products: readonly Product[],
  wallet: Address,
): Promise<Holding[]> {
  const found = await Promise.all(
    products.map((product) =>
      product.isTerm ? receiptsOf(session, product, wallet) : sharesOf(session, product, wallet),
    ),
  );
  return found.flat();
}

async function sharesOf({ client }: ChainSession, product: Product, wallet: Address): Promise<Holding[]> {
  const { shortId, address, queue, decimals } = product;
  const vault = { address, abi: demandVaultAbi } as const;
  const line = { address: queue ?? zeroAddress, abi: redemptionQueueAbi } as const;
  const [shares, waiting, claimable] = await Promise.all([
    client.readContract({ ...vault, functionName: "balanceOf", args: [wallet] }),
    queue && client.readContract({ ...line, functionName: "pendingRedeemRequest", args: [0n, wallet] }),
    queue && client.readContract({ ...line, functionName: "claimableRedeemRequest", args: [0n, wallet] }),
  ]);
  const text = (units: bigint | null) => formatUnits(units ?? 0n, decimals);
  const holdings: Holding[] = [];
  const common = { shortId, product: address };
  if (shares > 0n)
    holdings.push({ position: { ...common, contract: address, what: "shares" }, text: `${text(shares)} shares` });
  if (queue !== null && ((waiting ?? 0n) > 0n || (claimable ?? 0n) > 0n)) {
    const queued = `${text(waiting)} shares wait in the queue, ${text(claimable)} can be claimed`;
    holdings.push({ position: { ...common, contract: queue, what: "places" }, text: queued });
  }
  return holdings;
}

async function receiptsOf(
  { client, deployment }: ChainSession,
  { shortId, address, asset }: Product,
  wallet: Address,
): Promise<Holding[]> {
  const term = { address, abi: termDepositAbi } as const;
  const count = await client.readContract({ ...term, functionName: "balanceOf", args: [wallet] });
  if (count === 0n) return [];
  const args = { to: wallet };
  const received = await inSpans(BigInt(deployment.start_block), await client.getBlockNumber(), (fromBlock, toBlock) =>
    client.getContractEvents({ ...term, eventName: "Transfer", args, fromBlock, toBlock, strict: true }),
  );
  const receipts: { id: bigint; principal: bigint }[] = [];
  for (const id of new Set(received.map(({ args: { tokenId } }) => tokenId))) {
    // `ownerOf` reverts for a receipt that is gone.
    const owner = await client.readContract({ ...term, functionName: "ownerOf", args: [id] }).catch(nullIfReverted);
    if (owner === null || !isAddressEqual(owner, wallet)) continue;
    const [{ principal }] = await client.readContract({ ...term, functionName: "receiptOf", args: [id] });
    receipts.push({ id, principal });
  }
  const holdings: Holding[] = [];
  for (let start = 0; start < receipts.length; start += MAX_RECEIPTS) {
    const some = receipts.slice(start, start + MAX_RECEIPTS);
    const ids = some.map(({ id }) => id);
    const principal = some.reduce((sum, one) => sum + one.principal, 0n);
    const names = `${ids.length === 1 ? "receipt" : "receipts"} ${ids.map((id) => `#${id}`).join(", ")}`;
    const text = `${names} with a principal of ${formatUnits(principal, asset.decimals)} ${asset.symbol}`;
    holdings.push({ position: { shortId, product: address, contract: address, what: "receipts", ids }, text });
  }
  return holdings;
}

/** Rethrows if the chain could not be reached. */
function nullIfReverted(error: unknown): null {
  if (isRevert(error)) return null;
  throw error;
}
