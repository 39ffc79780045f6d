import type { Statement, Transaction, TransactionKind } from "@aqua/sdk/api/portfolio";
import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import type { ChainClient } from "@aqua/sdk/chain/client";
import { type MinedTransaction, readPenalty, readTransaction } from "@aqua/sdk/chain/published-figures";
import { type Emitters, linesOf } from "@aqua/sdk/chain/statement-lines";
import { type ChainSource, openChain, type ReadChain, readOrNull } from "../../wallet/chain-reader.ts";
import { allPages } from "../all-pages.ts";
import { api } from "../api.ts";
import type { Compared } from "./comparison.ts";
import {
  compareBatch,
  compareLine,
  type LineFigure,
  type Place,
  type ProductLine,
  pairLines,
  type SiteLine,
} from "./statement-line-comparison.ts";

type Address = `0x${string}`;

/** One line, figure by figure. A batch is everything that a queue redeemed in one step. */
export interface ComparedLine {
  key: string;
  product: Reserves;
  kind: TransactionKind | "batch";
  /** The sides that have the line. */
  sides: "both" | "chain" | "site";
  figures: Compared<LineFigure>[];
}

export type CheckedLine =
  | { outcome: "chain_away" | "unknown" | "pending" | "reverted" | "foreign" | "quiet" | "behind" }
  | {
      outcome: "compared";
      block: number;
      lines: ComparedLine[];
      /** `wallets`: the number of wallets involved. `queried`: the number of those whose statements were fetched. */
      wallets: number;
      queried: number;
      source: ChainSource;
    };

/** The number of wallets per statement call (one and sixteen more), and the maximum number for one transaction. */
const walletsPerCall = 17;
const maxWallets = 6 * walletsPerCall;

interface ProductContracts extends Emitters {
  product: Reserves;
}

/** The contracts of a chain's products, as this site lists them. */
function contractsOf({ reserves, contracts }: TransparencySummary, chainId: number): ProductContracts[] {
  return reserves
    .filter(({ chain_id }) => chain_id === chainId)
    .map((product) => {
      const queue = contracts.find(
        ({ role, short_id, chain_id }) => role === "queue" && short_id === product.short_id && chain_id === chainId,
      );
      return {
        product,
        type: product.type,
        contract: product.contract as Address,
        queue: (queue?.address ?? null) as Address | null,
      };
    });
}

/** All lines of this site about a transaction in one product, for any wallet. */
async function movementsOf({ short_id }: Reserves, hash: string, signal?: AbortSignal): Promise<Transaction[]> {
  const { items } = await allPages(
    (page) => api.productTransactions(short_id, { ...page, hash }, signal),
    (movement) => `${movement.log_index} ${movement.address} ${movement.kind}`,
  );
  return items;
}

/** The lines of one second in these wallets' statements. Null if the site has not indexed that block yet. */
async function statedLines({
  wallets,
  place: { block, time },
  chainId,
  signal,
}: {
  wallets: readonly string[];
  place: Place;
  chainId: number;
  signal?: AbortSignal | undefined;
}): Promise<Statement["products"] | null> {
  const groups = Array.from({ length: Math.ceil(wallets.length / walletsPerCall) }, (_, index) =>
    wallets.slice(index * walletsPerCall, (index + 1) * walletsPerCall),
  );
  const stated = await Promise.all(
    groups.map(([first = "", ...also]) =>
      api
        .statement(first, { from: time, to: time + 1_000, ...(also.length > 0 && { also: also.join() }) }, signal)
        .catch((error: unknown) => {
          // The server rejects a time that it has not indexed yet.
          if ((error as { error_code?: unknown } | null)?.error_code === "validation_error") return null;
          throw error;
        }),
    ),
  );
  const products = [];
  for (const statement of stated) {
    if (!statement) return null;
    const { as_of } = statement;
    if (as_of.chain_id === chainId && as_of.block < block) return null;
    products.push(...statement.products);
  }
  return products;
}

/** The contract's penalty for principal that was withdrawn early. Null if it cannot be read. */
function feeOf(client: ChainClient, { product, depositId }: ProductLine, principal: bigint): Promise<bigint | null> {
  const at = { contract: product.contract as Address, id: BigInt(depositId ?? "none") };
  return readOrNull(`The fee of receipt ${at.id}`, readPenalty(client, at, principal));
}

const unique = (wallets: readonly (string | null)[]) => [
  ...new Set(wallets.flatMap((wallet) => (wallet === null ? [] : [wallet.toLowerCase()]))),
];

async function compare({
  chain,
  chainId,
  mined,
  productContracts,
  hash,
  signal,
}: {
  chain: ReadChain;
  chainId: number;
  mined: MinedTransaction;
  productContracts: readonly ProductContracts[];
  hash: string;
  signal?: AbortSignal | undefined;
}): Promise<CheckedLine> {
  const expected = productContracts.flatMap((contracts) =>
    linesOf(mined.logs, contracts).map((line): ProductLine => ({ ...line, product: contracts.product })),
  );
  const movements = new Map<string, Transaction[]>(
    await Promise.all(
      productContracts.map(
        async ({ product }) => [product.short_id, await movementsOf(product, hash, signal)] as const,
      ),
    ),
  );
  const involved = unique([
    ...expected.map(({ wallet }) => wallet),
    ...[...movements.values()].flat().map(({ address }) => address),
  ]);
  const wallets = involved.slice(0, maxWallets);
  const stated = await statedLines({ wallets, place: mined, chainId, signal });
  if (stated === null) return { outcome: "behind" };
  const site = stated.flatMap(({ short_id, chain_id, lines }): SiteLine[] => {
    const product = productContracts.find(
      (contracts) => contracts.product.short_id === short_id && chain_id === chainId,
    )?.product;
    return product ? lines.filter((line) => line.hash.toLowerCase() === hash).map((line) => ({ product, line })) : [];
  });
  const pairs = pairLines(expected, site);
  if (pairs.length === 0) return { outcome: "quiet" };
  const lines: ComparedLine[] = [];
  for (const [index, pair] of pairs.entries()) {
    const { chain: chainLine, site: siteLine } = pair;
    const fee =
      chainLine && chainLine.principal !== null ? await feeOf(chain.client, chainLine, chainLine.principal) : null;
    const { product } = (chainLine ?? siteLine) as ProductLine | SiteLine;
    const kind = chainLine?.kind ?? siteLine?.line.kind ?? "deposit";
    const sides = chainLine && siteLine ? "both" : chainLine ? "chain" : "site";
    lines.push({ key: `${index}`, product, kind, sides, figures: compareLine(pair, mined, fee) });
  }
  for (const batch of expected.filter(({ kind }) => kind === "processed")) {
    const parts = movements
      .get(batch.product.short_id)
      ?.filter((movement) => movement.kind === "processed" && movement.log_index === batch.logIndex);
    const figures = compareBatch(batch, parts ?? []);
    lines.push({ key: `batch ${batch.logIndex}`, product: batch.product, kind: "batch", sides: "both", figures });
  }
  return {
    outcome: "compared",
    block: mined.block,
    lines,
    source: chain.source(),
    wallets: involved.length,
    queried: wallets.length,
  };
}

/**
 * Reads a transaction from the chain, derives the statement lines that it produces, and compares them with this site's.
 * Uses the visitor's own wallet if there is one. Throws errors of the API unchanged.
 */
export async function checkLine(
  text: string,
  summary: TransparencySummary,
  signal?: AbortSignal,
): Promise<CheckedLine> {
  const hash = text.toLowerCase();
  let [away, waits] = [false, false];
  for (const chainId of new Set(summary.reserves.map(({ chain_id }) => chain_id))) {
    const chain = await openChain(chainId);
    const transaction = await readOrNull(`Transaction ${hash}`, readTransaction(chain.client, hash as Address));
    if (transaction === null) away = true;
    else if (transaction === "pending") waits = true;
    if (transaction === null || transaction === "pending" || transaction === "unknown") continue;
    if (!transaction.succeeded) return { outcome: "reverted" };
    const productContracts = contractsOf(summary, chainId).filter(({ contract, queue }) =>
      transaction.logs.some(({ address }) =>
        [contract, queue].some((contractAddress) => contractAddress?.toLowerCase() === address.toLowerCase()),
      ),
    );
    if (productContracts.length === 0) return { outcome: "foreign" };
    return compare({ chain, chainId, mined: transaction, productContracts, hash, signal });
  }
  return { outcome: away ? "chain_away" : waits ? "pending" : "unknown" };
}
