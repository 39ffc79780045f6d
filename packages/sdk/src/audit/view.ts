import type { Hex } from "viem";
import type { Deployment } from "../deployment.ts";
import type {
  ActRow,
  AnchorRow,
  BatchRow,
  DeviceKeyRow,
  IdentityRow,
  MovementRow,
  Place,
  PositionRow,
  ProductRow,
  ProductStateRow,
  ReceiptRow,
  ReportRow,
  RequestRow,
  Rows,
  TermRow,
  TermStateRow,
  VaultStateRow,
} from "./rows.ts";

/** A listed product after one block. Every list is in chain order. */
interface Listed {
  product: ProductRow;
  listings: readonly ProductStateRow[];
  /** The newest of the listings. */
  state: ProductStateRow;
  movements: readonly MovementRow[];
}

export interface DemandView extends Listed {
  type: "demand_deposit";
  /** Every version, and the newest of them. */
  vaults: readonly VaultStateRow[];
  vault: VaultStateRow;
  reports: readonly ReportRow[];
  requests: readonly RequestRow[];
  batches: readonly BatchRow[];
  /** Acts at the product's own contract. */
  acts: readonly ActRow[];
}

export interface TimeView extends Listed {
  type: "time_deposit";
  states: readonly TermStateRow[];
  books: TermStateRow;
  /** The newest version of each term. The index is the number of the term. */
  terms: readonly TermRow[];
  /** Every version of every receipt. */
  receipts: readonly ReceiptRow[];
  /** The loss under review, and until when it may be taken back, Unix seconds. Null if none is under review. */
  reviewed: { amount: bigint; until: number } | null;
}

export type ProductView = DemandView | TimeView;

/** What the rows say about a chain after one block. */
export interface View {
  chainId: number;
  block: number;
  /** Unix seconds. */
  time: number;
  deployment: Deployment;
  /** In the order of their listing. */
  products: readonly ProductView[];
  acts: readonly ActRow[];
  anchors: readonly AnchorRow[];
  deviceKeys: readonly DeviceKeyRow[];
  /** Versions of a wallet's positions in all products. */
  positionsOf(wallet: Hex): readonly PositionRow[];
  /** Its movements in all products. */
  movementsOf(wallet: Hex): readonly MovementRow[];
  /** Every wallet that ever had a position. */
  wallets(): Hex[];
  /** Whether the identity record of a wallet is frozen. Null without a record. */
  isFrozen(wallet: Hex): boolean | null;
}

function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** The number of rows, which are in ascending order of `by`, that are not beyond `limit`. */
function countUpTo<Row>(rows: readonly Row[], by: (row: Row) => number, limit: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (by(rows[middle] as Row) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last of these versions at `time` (Unix seconds). Undefined before the first. */
export function versionAt<Row extends Pick<Place, "time">>(versions: readonly Row[], time: number): Row | undefined {
  return versions[countUpTo(versions, (row) => row.time, time) - 1];
}

/** The review that the last act about a loss of a time deposit began. Null if that act ended it. */
function lossReviewIn(acts: readonly ActRow[]): TimeView["reviewed"] {
  const last = acts.findLast(({ name }) => name.startsWith("TermLoss"));
  if (last?.name !== "TermLossReviewed") return null;
  return { amount: BigInt(last.args.amount as string), until: Number(last.args.until) };
}

/** Whether an event follows another one. */
export function isAfter(a: Pick<Place, "block" | "logIndex">, b: Pick<Place, "block" | "logIndex">): boolean {
  return a.block > b.block || (a.block === b.block && a.logIndex > b.logIndex);
}

/**
 * Sorts the rows of a chain by product and wallet, and returns the function that shows them after any block that they
 * reach. `time` is the time of the block.
 */
export function createViews(rows: Rows, deployment: Deployment): (block: number, time: number) => View {
  const ofProduct = <Row extends { product: Hex }>(some: readonly Row[]) => grouped(some, ({ product }) => product);
  const listings = ofProduct(rows.productState);
  const movements = ofProduct(rows.movement);
  const vaults = ofProduct(rows.vaultState);
  const reports = ofProduct(rows.report);
  const requests = ofProduct(rows.withdrawalRequest);
  const batches = ofProduct(rows.queueBatch);
  const states = ofProduct(rows.termState);
  const terms = ofProduct(rows.term);
  const receipts = ofProduct(rows.receipt);
  const acts = grouped(rows.privilegedAct, ({ contract }) => contract);
  const positions = grouped(rows.position, ({ wallet }) => wallet);
  const moved = grouped(rows.movement, ({ wallet }) => wallet);
  const identities = grouped(rows.identityRecord, ({ wallet }: IdentityRow) => wallet);

  return (block, time) => {
    const until = <Row extends Place>(some: readonly Row[] | undefined): readonly Row[] =>
      some === undefined
        ? []
        : some.slice(
            0,
            countUpTo(some, (row) => row.block, block),
          );

    function viewOf(product: ProductRow): ProductView[] {
      const { address } = product;
      const listed = until(listings.get(address));
      const state = listed.at(-1);
      if (state === undefined) return [];
      const common = { product, listings: listed, state, movements: until(movements.get(address)) };
      if (product.productType === 1) {
        const versions = until(states.get(address));
        const books = versions.at(-1);
        if (books === undefined) return [];
        const newest = new Map(until(terms.get(address)).map((term) => [term.termId, term]));
        return [
          {
            ...common,
            type: "time_deposit",
            states: versions,
            books,
            terms: [...newest.values()].sort((a, b) => a.termId - b.termId),
            receipts: until(receipts.get(address)),
            reviewed: lossReviewIn(until(acts.get(address))),
          },
        ];
      }
      const versions = until(vaults.get(address));
      const vault = versions.at(-1);
      if (vault === undefined) return [];
      return [
        {
          ...common,
          type: "demand_deposit",
          vaults: versions,
          vault,
          reports: until(reports.get(address)),
          requests: until(requests.get(address)),
          batches: until(batches.get(address)),
          acts: until(acts.get(address)),
        },
      ];
    }

    return {
      chainId: deployment.chain_id,
      block,
      time,
      deployment,
      products: until(rows.product).flatMap(viewOf),
      acts: until(rows.privilegedAct),
      anchors: until(rows.anchor),
      deviceKeys: until(rows.deviceKey),
      positionsOf: (wallet) => until(positions.get(wallet)),
      movementsOf: (wallet) => until(moved.get(wallet)),
      wallets: () => [...positions].flatMap(([wallet, [first]]) => (first && first.block <= block ? [wallet] : [])),
      isFrozen: (wallet) => until(identities.get(wallet)).at(-1)?.frozen ?? null,
    };
  };
}
