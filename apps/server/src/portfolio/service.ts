import type { List } from "@aqua/sdk/api/envelope";
import type {
  Holding,
  PendingTransactionBody,
  pendingTransactionQuery,
  RedemptionRequest,
  Statement,
  TotalHoldValue,
  TotalProfit,
  Transaction,
} from "@aqua/sdk/api/portfolio";
import type { ProductStatus, ProductType, Range } from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import type { Hex } from "viem";
import type { z } from "zod";
import type { Database, Orm } from "../db/database.ts";
import { stampsOf } from "../indexer/stamp.ts";
import { toTransaction } from "../indexer/transactions.ts";
import type { Documents } from "../product/documents.ts";
import { batched } from "./batches.ts";
import { createChainStates } from "./chainState.ts";
import { itemsOf, toHolding } from "./holdings.ts";
import type { Lookups } from "./lookups.ts";
import { announce, type PendingChain, pendingTransaction } from "./pending.ts";
import { belongingsOf } from "./positionStore.ts";
import { isHeld, type Positions, positionsIfKnown, positionsOf, walletsOf } from "./positions.ts";
import { totalProfitOf } from "./profit.ts";
import { requestsOf } from "./requests.ts";
import { type StatementFilter, statementOf } from "./statement.ts";
import * as store from "./store.ts";
import { totalHoldValueOf } from "./totals.ts";

/** More wallets, separated by commas, that are counted together with the wallet of the path. */
interface Together {
  also?: string | undefined;
}

export interface HoldFilter extends Together {
  page: number;
  page_size: number;
  type?: ProductType | undefined;
  status?: ProductStatus | undefined;
  chain_id?: number | undefined;
  lang?: LanguageCode | undefined;
}

export interface TransactionFilter extends Together {
  page: number;
  page_size: number;
  kind?: string | undefined;
  short_id?: string | undefined;
  chain_id?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

export interface PortfolioService {
  totalHoldValue(address: string, together: Together): Promise<TotalHoldValue>;
  hold(address: string, filter: HoldFilter): Promise<List<Holding>>;
  requests(address: string, filter: Together & { lang?: LanguageCode | undefined }): Promise<RedemptionRequest[]>;
  transactions(address: string, filter: TransactionFilter): Promise<List<Transaction>>;
  totalProfit(address: string, filter: Together & { range: Range }): Promise<TotalProfit>;
  statement(address: string, filter: Together & StatementFilter): Promise<Statement>;
  addPending(body: PendingTransactionBody): Promise<Transaction>;
  pending(query: z.output<typeof pendingTransactionQuery>): Promise<List<Transaction>>;
}

/** Two concurrent reads of many wallets are enough to use both this thread and the database fully. */
const readsTogether = { atOnce: 2, most: 50 };

export function createPortfolioService(parts: {
  db: Database;
  chains: readonly PendingChain[];
  documents: Documents;
  lookups: Lookups;
}): PortfolioService {
  const { db, documents, lookups } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");
  const states = createChainStates();
  const belongingsOfOne = batched(async (wallets: readonly Hex[]) => {
    const belongings = await belongingsOf(db.orm, chains, [...new Set(wallets)]);
    return wallets.map((wallet) => belongings.filter((one) => one.wallet === wallet));
  }, readsTogether);

  async function readPositions(wallets: readonly Hex[], only?: number): Promise<Positions> {
    const [wallet] = wallets;
    if (wallet && wallets.length === 1) {
      const positions = await positionsIfKnown({ states, chains, belongings: await belongingsOfOne(wallet), only });
      if (positions) return positions;
    }
    return snapshot((tx) => positionsOf(tx, { states, chains, wallets, only }));
  }
  const chainIds = (only: number | undefined) =>
    chains.map((chain) => chain.chainId).filter((chainId) => only === undefined || only === chainId);

  return {
    async totalHoldValue(address, { also }) {
      const { positions, stamped } = await readPositions(walletsOf(address, also));
      return totalHoldValueOf(address as Hex, positions, stamped);
    },

    async hold(address, { page, page_size, type, status, chain_id, lang, also }) {
      const { positions } = await readPositions(walletsOf(address, also), chain_id);
      const held = itemsOf(
        positions.filter(
          (position) =>
            isHeld(position) &&
            (type === undefined || type === position.type) &&
            (status === undefined || status === (position.state.status === 0 ? "open" : "closed")),
        ),
      );
      const shown = held.slice((page - 1) * page_size, page * page_size);
      return { items: shown.map((item) => toHolding(item, documents, lang)), total: held.length, page, page_size };
    },

    requests: (address, { also, lang }) =>
      snapshot((tx) => requestsOf(tx, { states, chains, wallets: walletsOf(address, also), documents, lang })),

    transactions: (address, { page, page_size, kind, short_id, chain_id, from, to, also }) =>
      snapshot(async (tx) => {
        await stampsOf(tx, chains, chain_id);
        const filter = { chainIds: chainIds(chain_id), kind, shortId: short_id, from, to };
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { entries, total } = await store.historyOf(tx, {
          addresses: walletsOf(address, also),
          filter,
          page: span,
        });
        const items = entries.map((entry) =>
          "movement" in entry
            ? toTransaction(entry.movement, entry.product)
            : pendingTransaction(entry.pending, entry.product),
        );
        return { items, total, page, page_size };
      }),

    totalProfit: (address, { range, also }) =>
      snapshot(async (tx) => {
        const wallets = walletsOf(address, also);
        const { positions, stamped } = await positionsOf(tx, { states, chains, wallets });
        return totalProfitOf(tx, { wallets, positions, stamped, range });
      }),

    statement: (address, { also, ...filter }) =>
      snapshot((tx) => statementOf(tx, { states, chains, wallets: walletsOf(address, also), filter, documents })),

    addPending: (body) => announce({ db, chains, lookups }, body),

    pending: async ({ address, chain_id, page, page_size }) => {
      const wallet = address.toLowerCase() as Hex;
      const ids = chainIds(chain_id);
      // The page is cut in memory because a wallet has a few dozen pending transactions at most.
      const rows = ids.length === 0 ? [] : await store.pendingOf(db.orm, wallet, ids);
      const items = rows
        .slice((page - 1) * page_size, page * page_size)
        .map((row) => pendingTransaction(row.pending_transaction, row.product));
      return { items, total: rows.length, page, page_size };
    },
  };
}
