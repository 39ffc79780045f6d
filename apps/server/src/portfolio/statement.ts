import type { Statement } from "@aqua/sdk/api/portfolio";
import type { LanguageCode } from "@aqua/sdk/languages";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type IndexedChain, oldest } from "../indexer/stamp.ts";
import { toTransaction } from "../indexer/transactions.ts";
import type { PositionState } from "../indexer/world.ts";
import type { Documents } from "../product/documents.ts";
import type { CurrentProduct } from "../product/store.ts";
import { boundAt, demandBalances, timeBalances } from "./balances.ts";
import type { ChainStates } from "./chainState.ts";
import { nameOf } from "./holdings.ts";
import { type Balance, type Ledger, type LedgerLine, ledgerOf, stepsOf } from "./ledger.ts";
import { accountsAt, positionChanges, positionsAt, receiptVersions } from "./positionStore.ts";

/** A caller requests a longer history in parts. Each part begins with the closing balance of the previous part. */
export const MAX_LINES = 10_000;

export interface StatementFilter {
  /** Unix milliseconds: from included, to excluded. */
  from: number;
  to: number;
  short_id?: string | undefined;
  lang?: LanguageCode | undefined;
}

/**
 * Lists the balances, income and payments of some wallets between two moments, for every product in which they held
 * anything. The end is at most `as_of`. Events of that moment count.
 */
export async function statementOf(
  tx: Orm,
  {
    states,
    chains,
    wallets,
    filter,
    documents,
  }: {
    states: ChainStates;
    chains: readonly IndexedChain[];
    wallets: readonly Hex[];
    filter: StatementFilter;
    documents: Documents;
  },
): Promise<Statement> {
  const { from, short_id, lang } = filter;
  if (from >= filter.to) throw refused("to", "The end must come after the beginning");
  const snapshots = await states.at(tx, chains);
  const asOf = oldest(snapshots.map((snapshot) => snapshot.asOf));
  const to = Math.min(filter.to, asOf.time + 1);
  if (from >= to) throw refused("from", "This time has not come yet");

  const products: Statement["products"] = [];
  let [found, room] = [short_id === undefined, MAX_LINES];
  const [start, end] = [boundAt(from), boundAt(to)];
  for (const { chain, state } of snapshots) {
    const { chainId } = chain;
    const listed = [...state.products.values()];
    const selected = listed.filter(({ current }) => short_id === undefined || current.product.shortId === short_id);
    if (selected.length === 0) continue;
    found = true;
    const product = short_id === undefined ? undefined : selected[0]?.current.product.address;
    const span = { from: start.last + 1, to: end.last, limit: room + 1, product };
    const changes = await positionChanges(tx, { chainId, addresses: wallets, span });
    room -= changes.length;
    if (room < 0) {
      throw refused("from", `More than ${MAX_LINES} movements; ask for a shorter time`);
    }
    const before = await positionsAt(tx, { chainId, addresses: wallets, until: start.last });
    const accounts = await accountsAt(tx, {
      chainId,
      products: selected.map(({ current }) => current.product.address),
      times: [start.last, end.last],
    });
    const receipts = await receiptVersions(tx, chainId, wallets);
    for (const one of selected) {
      const { address } = one.current.product;
      const of = (position: PositionState) => position.product === address;
      const known = before.filter(of);
      const changed = changes.filter(({ position }) => of(position));
      if (changed.length === 0 && !known.some(isSomething)) continue;
      const steps = stepsOf(changed);
      const at = (time: number) => accounts(address, time);
      const own = receipts.filter((receipt) => receipt.product === address);
      const balances =
        one.type === "demand_deposit"
          ? demandBalances({ current: one.current, before: known, steps, from: start, to: end, at })
          : await timeBalances({ current: one.current, wallets, versions: own, steps, from: start, to: end, at });
      products.push(tell({ current: one.current, ledger: ledgerOf(balances, known, steps), documents, lang }));
    }
  }
  if (!found) throw new ApiError("pool_not_found", "There is no product with this id");
  return { wallets: wallets.map((wallet) => getAddress(wallet)), from, to, products, as_of: asOf };
}

function refused(path: string, message: string): ApiError {
  return new ApiError("validation_error", message, { details: [{ path, message }] });
}

function isSomething({ shares, claimable, receipts }: PositionState): boolean {
  return shares > 0n || claimable > 0n || receipts > 0;
}

function tell({
  current,
  ledger,
  documents,
  lang,
}: {
  current: Pick<CurrentProduct, "product" | "state">;
  ledger: Ledger;
  documents: Documents;
  lang: LanguageCode | undefined;
}): Statement["products"][number] {
  const { product } = current;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const balance = ({ shares, principal, claimable, value }: Balance) => ({
    shares: shares === null ? null : formatUnits(shares, product.shareDecimals),
    principal: principal === null ? null : assets(principal),
    claimable: assets(claimable),
    value: assets(value),
  });
  const line = ({ movement, paidIn, paidOut, earned, balance: after }: LedgerLine) => {
    const { time, hash, kind, deposit_id, shares, price, description } = toTransaction(movement, product);
    return {
      time,
      block: movement.block,
      log_index: movement.logIndex,
      hash,
      wallet: getAddress(movement.wallet),
      kind,
      deposit_id,
      amount: assets(movement.assets),
      shares,
      price,
      fee: assets(movement.fee),
      description,
      paid_in: assets(paidIn),
      paid_out: assets(paidOut),
      earned: assets(earned),
      balance: balance(after),
    };
  };
  return {
    short_id: product.shortId,
    name: nameOf(current, documents, lang),
    type: product.productType === 0 ? "demand_deposit" : "time_deposit",
    chain_id: product.chainId,
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    opening: balance(ledger.opening),
    closing: balance(ledger.closing),
    paid_in: assets(ledger.paidIn),
    paid_out: assets(ledger.paidOut),
    earned: assets(ledger.earned),
    lines: ledger.lines.map(line),
  };
}
