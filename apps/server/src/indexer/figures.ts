import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Hex } from "viem";
import { blockOf, inParallel } from "./fetch.ts";
import { type ChainClient, type Node, NodeError } from "./node.ts";
import type { StoredBlock } from "./store.ts";
import type { Product, World } from "./world.ts";

/** A contract's own totals differ from the sums of its events, so some of the events are missing. */
export class FiguresDiffer extends NodeError {
  override name = "FiguresDiffer";
}

type Totals = Record<string, bigint>;
type ReadAt = (read: (client: ChainClient, at: { blockNumber: bigint }) => Promise<Totals>) => Promise<Totals | null>;

interface Comparison {
  address: Hex;
  /** The sums of the events. */
  fromEvents: Totals;
  /** Null if the node has no state of that block. */
  fromContract(): Promise<Totals | null>;
}

/**
 * Compares the state of these products in `world` after `block` with the state of their contracts at the end of that
 * block: the supply of a vault, the shares of its queue, the books of a time deposit. These values sum all earlier
 * events, so a missing event also shows later.
 * @returns false if the node has no state of that block
 * @throws FiguresDiffer
 */
export async function compareFigures(
  node: Node,
  { world, products, block }: { world: World; products: Iterable<Product>; block: StoredBlock },
): Promise<boolean> {
  const readAt: ReadAt = (read) => node.readAt(block.number, read);
  const comparisons = [...products].flatMap((product) => comparisonsOf(readAt, world, product));
  const differences: string[] = [];
  let isAnswered = true;
  await inParallel(comparisons, async ({ address, fromEvents, fromContract }) => {
    const answer = isAnswered ? await fromContract() : null;
    if (answer === null) isAnswered = false;
    else if (Object.entries(fromEvents).some(([name, value]) => answer[name] !== value)) {
      differences.push(`${address} holds ${inWords(answer)}, its events make ${inWords(fromEvents)}`);
    }
  });
  if (differences.length === 0) return isAnswered;
  // Calls identify a block by number, and another branch may now have a block with this number.
  const again = await blockOf(node, block.number);
  if (again.hash !== block.hash) throw new NodeError(`block ${block.number} was replaced while it was read`);
  throw new FiguresDiffer(`block ${block.number}: ${differences.join("; ")}`);
}

function comparisonsOf(readAt: ReadAt, world: World, { address, productType }: Product): Comparison[] {
  if (productType === 1) {
    const { cash, deployed, liabilities, reserved, claims } = world.termStates.get(address) ?? noBooks;
    return [
      {
        address,
        fromEvents: { cash, deployed, liabilities, reserved, claims },
        fromContract: () =>
          readAt(async (client, at) => ({
            ...(await client.readContract({ address, abi: termDepositAbi, functionName: "books", ...at })),
          })),
      },
    ];
  }
  const vault = world.vaults.get(address);
  const ofVault: Comparison = {
    address,
    fromEvents: { supply: vault?.supply ?? 0n },
    fromContract: () =>
      readAt(async (client, at) => ({
        supply: await client.readContract({ address, abi: demandVaultAbi, functionName: "totalSupply", ...at }),
      })),
  };
  if (!vault?.queue) return [ofVault];
  const { queue, requested, processed, setAside } = vault;
  const ofQueue: Comparison = {
    address: queue,
    fromEvents: { requested, processed, setAside },
    fromContract: () =>
      readAt(async (client, at) => {
        const call = { address: queue, abi: redemptionQueueAbi, functionName: "totals", ...at } as const;
        const [requested, , processed, setAside] = await client.readContract(call);
        return { requested, processed, setAside };
      }),
  };
  return [ofVault, ofQueue];
}

const noBooks = { cash: 0n, deployed: 0n, liabilities: 0n, reserved: 0n, claims: 0n };

/** "supply 7, …" */
function inWords(totals: Totals): string {
  return Object.entries(totals)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
