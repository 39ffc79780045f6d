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
import type { OpenFindings } from "../findings/open.ts";
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
import { demandHistory, withholdHolding, withholdTotal } from "./withheld.ts";

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
  findings: OpenFindings;
}): PortfolioService {
  const { db, documents, lookups, findings } = parts;
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
      const wallets = walletsOf(address, also);
      const { positions, stamped } = await readPositions(wallets);
      const total = totalHoldValueOf(address as Hex, positions, stamped);
      return withholdTotal(total, { withheld: await findings.read(), wallets });
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
      const withheld = await findings.read();
      const items = shown.map((item) => withholdHolding(toHolding(item, documents, lang), withheld));
      return { items, total: held.length, page, page_size };
    },

    requests: (address, { also, lang }) =>
      snapshot(async (tx) => {
        const wallets = walletsOf(address, also);
        const requests = await requestsOf(tx, { states, chains, wallets, documents, lang });
        const products = requests.map(({ short_id }) => short_id);
        demandHistory(await findings.read(), "The list of requests", { products, wallets, also: ["flows"] });
        return requests;
      }),

    transactions: (address, { page, page_size, kind, short_id, chain_id, from, to, also }) =>
      snapshot(async (tx) => {
        await stampsOf(tx, chains, chain_id);
        const wallets = walletsOf(address, also);
        (await findings.read()).demand("The list of transactions", ["movements"], { product: short_id, wallets });
        const filter = { chainIds: chainIds(chain_id), kind, shortId: short_id, from, to };
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { entries, total } = await store.historyOf(tx, {
          addresses: wallets,
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
        const products = positions.map(({ product }) => product.shortId);
        demandHistory(await findings.read(), "The profit", { products, wallets });
        return totalProfitOf(tx, { wallets, positions, stamped, range });
      }),

    statement: (address, { also, ...filter }) =>
      snapshot(async (tx) => {
        const wallets = walletsOf(address, also);
        const statement = await statementOf(tx, { states, chains, wallets, filter, documents });
        const products = statement.products.map(({ short_id }) => short_id);
        demandHistory(await findings.read(), "The statement", { products, wallets });
        return statement;
      }),

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
