import type { AsOf, List } from "@aqua/sdk/api/envelope";
import type { Home } from "@aqua/sdk/api/home";
import type { Transaction } from "@aqua/sdk/api/portfolio";
import type {
  DemandDetail,
  Liquidity,
  Performance,
  Product,
  ProductDetail,
  ProductStatus,
  ProductSummary,
  ProductType,
  Range,
  TimeDetail,
  WithdrawalRequest,
} from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import { sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits, parseUnits, rescale } from "@aqua/sdk/maths/units";
import { isFound } from "@aqua/sdk/search";
import { getAddress, type Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { OpenFindings, Withheld } from "../findings/open.ts";
import { type IndexedChain, stampsOf } from "../indexer/stamp.ts";
import { toTransaction } from "../indexer/transactions.ts";
import { poolAt } from "../indexer/world.ts";
import { headlineApy } from "./apy.ts";
import { heldHere, instantCapacity, isDepositPaused } from "./capacity.ts";
import type { Documents } from "./documents.ts";
import { findCurrent } from "./find.ts";
import type { PastDay } from "./flows.ts";
import { frameOf, pageOf } from "./frame.ts";
import { homeOf, type Listed, type TraceReport } from "./home.ts";
import { createReservedAmounts, monthsOf, reportedAmounts } from "./incomeMonths.ts";
import { vaultLiquidity } from "./liquidity.ts";
import { lossReviewOf } from "./lossReview.ts";
import { vaultPerformance, worstFallOf } from "./performance.ts";
import {
  type CurrentProduct,
  createKeptFees,
  createMovementCounts,
  currentProducts,
  inceptionOf,
  movementsOf,
} from "./store.ts";
import { type CountDevices, summarise, tvlOf } from "./summary.ts";
import { figuresIn, formatRatio, termFigures, termPage } from "./termOffers.ts";
import { termLiquidity, termPerformance } from "./termSeries.ts";
import { type CurrentTermProduct, createLiveReceipts, currentTermProducts, firstDepositOf } from "./termStore.ts";
import { exitCurve, measuredPast, typicalWait } from "./waits.ts";
import { queueOf } from "./withdrawalQueue.ts";
import { withholdDetail, withholdHome, withholdProduct } from "./withheld.ts";

export interface ProductFilter {
  type?: ProductType | undefined;
  status?: ProductStatus | undefined;
  chain_id?: number | undefined;
  sort: "apy" | "tvl" | "name" | "newest";
  q?: string | undefined;
  lang?: LanguageCode | undefined;
  page: number;
  page_size: number;
}

export interface ProductService {
  list(filter: ProductFilter): Promise<List<Product>>;
  summary(): Promise<ProductSummary>;
  /** Returns the data of the Home page. Texts are in `lang`. */
  home(lang?: LanguageCode): Promise<Home>;
  /** Texts are in `lang` if the document has that translation. */
  detail(shortId: string, lang?: LanguageCode): Promise<ProductDetail>;
  performance(shortId: string, range: Range): Promise<Performance>;
  liquidity(shortId: string): Promise<Liquidity>;
  /**
   * Returns the product's withdrawal queue. The requests of `wallets`, separated by commas, come first. The list is
   * empty if the product has no queue.
   */
  queue(
    shortId: string,
    query: { page: number; page_size: number; wallets?: string | undefined },
  ): Promise<List<WithdrawalRequest>>;
  transactions(
    shortId: string,
    query: {
      page: number;
      page_size: number;
      kind?: string | undefined;
      hash?: string | undefined;
      from?: number | undefined;
      to?: number | undefined;
    },
  ): Promise<List<Transaction>>;
}

export function createProductService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  countDevices: CountDevices;
  traceReport: TraceReport;
  findings: OpenFindings;
}): ProductService {
  const { db, documents, countDevices, traceReport, findings } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");

  const liveReceipts = createLiveReceipts();
  const movementCounts = createMovementCounts();
  const reservedAmounts = createReservedAmounts();
  const keptFees = createKeptFees();

  const find = (tx: Orm, shortId: string) => findCurrent(tx, chains, shortId);

  async function toDemand(
    tx: Orm,
    {
      current,
      asOf,
      lang,
      past,
    }: { current: CurrentProduct; asOf: AsOf; lang: LanguageCode | undefined; past?: readonly PastDay[] },
  ): Promise<Product & Pick<DemandDetail, "type" | "share">> {
    const { product, vault } = current;
    const now = asOf.time / 1_000;
    const pool = poolAt(vault, now);
    const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
    const price = sharePrice(pool);
    const apy = await headlineApy(tx, current, now);
    return {
      ...frameOf({ listed: current, documents, asOf, lang }),
      type: "demand_deposit",
      share: {
        address: getAddress(product.address),
        symbol: product.shareSymbol,
        decimals: product.shareDecimals,
        price: formatUnits(price, sharePriceDecimals),
        supply: formatUnits(vault.supply, product.shareDecimals),
      },
      apy: { ...apy, kind: "variable" },
      term: null,
      tvl: assets(tvlOf(current, now)),
      cap: assets(vault.cap),
      cap_used: assets(tvlOf(current, now)),
      min_deposit: assets(vault.minDeposit),
      instant_capacity: assets(instantCapacity(vault, now)),
      wait: await typicalWait(tx, { current, now, ...(past && { known: past }) }),
      conditions: {
        cash: assets(heldHere(vault)),
        deployed: assets(vault.deployed),
        performance_fee: formatRatio(vault.fee),
        vesting: vault.vestingTime * 1_000,
        early_withdrawal: null,
      },
      holders: vault.holders,
      proof_age: vault.reportTime === null ? null : (now - vault.reportTime) * 1_000,
      paused_until: vault.pausedUntil === 0 ? null : vault.pausedUntil * 1_000,
      deposits_paused: isDepositPaused(vault, now),
    };
  }

  async function toTime(
    tx: Orm,
    { current, asOf, lang }: { current: CurrentTermProduct; asOf: AsOf; lang: LanguageCode | undefined },
  ): Promise<Product & Pick<TimeDetail, "type" | "share">> {
    const receipts = figuresIn(current.terms, await liveReceipts(tx, current.product));
    return {
      ...frameOf({ listed: current, documents, asOf, lang }),
      ...termFigures(current, receipts, asOf.time / 1_000),
    };
  }

  /** Returns every product of every chain, or of one chain, without withheld figures. */
  async function listedProducts(
    tx: Orm,
    { chain_id, lang, withheld }: Pick<ProductFilter, "chain_id" | "lang"> & { withheld: Withheld },
  ) {
    const listed: Listed[] = [];
    for (const { chain, asOf } of await stampsOf(tx, chains, chain_id)) {
      for (const current of await currentProducts(tx, chain.chainId))
        listed.push({ product: withholdProduct(await toDemand(tx, { current, asOf, lang }), withheld), current });
      for (const current of await currentTermProducts(tx, chain.chainId))
        listed.push({ product: withholdProduct(await toTime(tx, { current, asOf, lang }), withheld), current });
    }
    return listed;
  }

  /** Returns a product with all its figures. */
  async function detailOf(tx: Orm, shortId: string, lang: LanguageCode | undefined): Promise<ProductDetail> {
    const { chain, asOf, current } = await find(tx, shortId);
    const { product } = current;
    if ("books" in current) {
      const money = { queue: null, custodian: current.books.custodian };
      const now = asOf.time / 1_000;
      const inception = (await firstDepositOf(tx, product)) ?? product.time;
      const reserved = await reservedAmounts(tx, product);
      return {
        ...(await toTime(tx, { current, asOf, lang })),
        ...pageOf({ listed: current, documents, deployment: chain.deployment, money, lang }),
        ...termPage(current, now),
        inception: inception * 1_000,
        income_months: monthsOf(reserved, { inception, now, decimals: product.assetDecimals }),
      };
    }
    const { vault } = current;
    const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
    const now = asOf.time / 1_000;
    const first = await inceptionOf(tx, product);
    const inception = first ?? product.time;
    const past = await measuredPast(tx, current, now);
    const review = lossReviewOf(current, now);
    const reported = await reportedAmounts(tx, product, now);
    return {
      ...(await toDemand(tx, { current, asOf, lang, past })),
      ...pageOf({ listed: current, documents, deployment: chain.deployment, money: vault, lang }),
      vault: {
        settled: assets(vault.settled),
        streaming: assets(vault.streaming),
        stream_start: vault.streamStart * 1_000,
        stream_end: vault.streamEnd * 1_000,
        supply: formatUnits(vault.supply, product.shareDecimals),
        report_max_age: vault.maxReportAge * 1_000,
        last_report: vault.reportAsOf * 1_000,
        deposits_closed_until: vault.lossUntil > now ? vault.lossUntil * 1_000 : null,
        loss_reviewed_until: review && review.until * 1_000,
        evidence_until: vault.evidenceUntil === 0 ? null : vault.evidenceUntil * 1_000,
        deployed: assets(vault.deployed),
        buffer: formatRatio(vault.buffer),
        fee: formatRatio(vault.fee),
        queue: vault.queue && {
          address: getAddress(vault.queue),
          shares: formatUnits(vault.queued, product.shareDecimals),
        },
      },
      inception: inception * 1_000,
      income_months: monthsOf(reported, { inception, now, decimals: product.assetDecimals }),
      ...(await worstFallOf(tx, product, first)),
      exit_curve: exitCurve(current, past, now),
    };
  }

  return {
    list: (filter) =>
      snapshot(async (tx) => {
        const listed = await listedProducts(tx, { ...filter, withheld: await findings.read() });
        const found = listed
          .filter(({ product }) => matches(product, filter))
          .map(({ product, current: { product: of } }) => ({
            product,
            listed: of.time,
            // A withheld amount sorts last.
            tvl: product.tvl === null ? -1n : rescale(parseUnits(product.tvl, of.assetDecimals), of.assetDecimals, 255),
          }));
        found.sort((a, b) => compare(filter, a, b) || a.product.short_id.localeCompare(b.product.short_id));
        const { page, page_size } = filter;
        const items = found.slice((page - 1) * page_size, page * page_size).map(({ product }) => product);
        return { items, total: found.length, page, page_size };
      }),

    summary: () =>
      snapshot(async (tx) => summarise(tx, chains, { countDevices, withheld: await findings.read(), liveReceipts })),

    home: (lang) =>
      snapshot(async (tx) => {
        const withheld = await findings.read();
        const { featured, ...parts } = await homeOf(tx, await listedProducts(tx, { lang, withheld }), traceReport);
        const summary = await summarise(tx, chains, { countDevices, withheld, liveReceipts });
        return { ...summary, featured, ...withholdHome(parts, withheld) };
      }),

    detail: (shortId, lang) =>
      snapshot(async (tx) => withholdDetail(await detailOf(tx, shortId, lang), await findings.read())),

    performance: (shortId, range) =>
      snapshot(async (tx) => {
        const { asOf, current } = await find(tx, shortId);
        const withheld = await findings.read();
        withheld.demand("The performance", ["accounts", "receipts", "reports"], { product: shortId });
        return "books" in current
          ? termPerformance(tx, { current, asOf, range, liveReceipts })
          : vaultPerformance(tx, { current, asOf, range, keptFees });
      }),

    liquidity: (shortId) =>
      snapshot(async (tx) => {
        const { asOf, current } = await find(tx, shortId);
        (await findings.read()).demand("The liquidity", ["accounts", "flows"], { product: shortId });
        return "books" in current
          ? termLiquidity(tx, { current, asOf, liveReceipts })
          : vaultLiquidity(tx, current, asOf);
      }),

    queue: (shortId, { wallets = "", page, page_size }) =>
      snapshot(async (tx) => {
        const { asOf, current } = await find(tx, shortId);
        (await findings.read()).demand("The queue", ["accounts", "flows"], { product: shortId });
        if ("books" in current) return { items: [], total: 0, page, page_size };
        const queue = await queueOf(tx, {
          current,
          now: asOf.time / 1_000,
          asked: { first: wallets.split(","), page, page_size },
        });
        return { ...queue, page, page_size };
      }),

    transactions: (shortId, { page, page_size, kind, hash, from, to }) =>
      snapshot(async (tx) => {
        const { current } = await find(tx, shortId);
        (await findings.read()).demand("The list of transactions", ["movements"], { product: shortId });
        const filter = {
          kind,
          hash: hash?.toLowerCase() as Hex | undefined,
          from: from === undefined ? undefined : Math.ceil(from / 1_000),
          to: to === undefined ? undefined : Math.floor(to / 1_000),
        };
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { rows, total } = await movementsOf(tx, {
          of: current.product,
          filter,
          page: span,
          counts: movementCounts,
        });
        return { items: rows.map((row) => toTransaction(row, current.product)), total, page, page_size };
      }),
  };
}

function matches(product: Product, { type, status, q }: ProductFilter): boolean {
  if (type !== undefined && product.type !== type) return false;
  if (status !== undefined && product.status !== status) return false;
  const { short_id, name, summary, location, asset_class, asset, base } = product;
  return isFound(q ?? "", [short_id, name, summary, location, asset_class, asset.symbol, ...Object.values(base ?? {})]);
}

type Sortable = { product: Product; listed: number; tvl: bigint };

function compare({ sort, lang }: ProductFilter, a: Sortable, b: Sortable): number {
  switch (sort) {
    case "name":
      return a.product.name.localeCompare(b.product.name, lang);
    case "newest":
      return b.listed - a.listed;
    case "tvl":
      return b.tvl > a.tvl ? 1 : b.tvl < a.tvl ? -1 : 0;
    case "apy":
      return rank(b.product.apy.value) - rank(a.product.apy.value);
  }
}

/** An unknown rate sorts last. */
function rank(rate: string | null): number {
  return rate === null ? -2 : Number(rate);
}
