import type { Transaction } from "@aqua/sdk/api/account";
import type { AsOf, List } from "@aqua/sdk/api/envelope";
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
} from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import { type Apy, apyBetween, maxDrawdown } from "@aqua/sdk/maths/apy";
import { instantLiquidity } from "@aqua/sdk/maths/exit";
import { previewRedeem, sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { isFound } from "@aqua/sdk/search";
import { getAddress } from "viem";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type IndexedChain, stampOf, stampsOf } from "../indexer/stamp.ts";
import { poolAt, type VaultState } from "../indexer/state.ts";
import { toTransaction } from "../indexer/transactions.ts";
import { type Documents, documentIn } from "./documents.ts";
import { momentsOfRange } from "./series.ts";
import {
  type CurrentProduct,
  currentProducts,
  findProduct,
  inceptionOf,
  movementsOf,
  reportsSince,
  vaultAt,
} from "./store.ts";
import { summarise, tvlOf } from "./summary.ts";

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
  /** Texts in `lang`, as far as the document has them. */
  detail(shortId: string, lang?: LanguageCode): Promise<ProductDetail>;
  performance(shortId: string, range: Range): Promise<Performance>;
  liquidity(shortId: string): Promise<Liquidity>;
  transactions(
    shortId: string,
    query: {
      page: number;
      page_size: number;
      kind?: string | undefined;
      from?: number | undefined;
      to?: number | undefined;
    },
  ): Promise<List<Transaction>>;
}

const DAY = 86_400;
const HEADLINE_DAYS = 30;
const WINDOWS = [7, 30, 90, 365];
/** Of the contracts' rates and ratios. */
const RATE_DECIMALS = 18;

export function createProductService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
}): ProductService {
  const { db, documents } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");

  /** A short id is unique in a registry; where several chains use it, the chain configured first has it. */
  async function find(tx: Orm, shortId: string) {
    let unread = false;
    for (const chain of chains) {
      const asOf = await stampOf(tx, chain);
      unread ||= !asOf;
      const current = asOf && (await findProduct(tx, chain.chainId, shortId));
      if (current) return { chain, asOf, current };
    }
    if (unread) throw new ApiError("chain_unavailable", "A chain has not been indexed yet; try again soon");
    throw new ApiError("pool_not_found", "There is no product with this id");
  }

  async function toProduct(
    tx: Orm,
    current: CurrentProduct,
    asOf: AsOf,
    lang: LanguageCode | undefined,
  ): Promise<Product & Pick<DemandDetail, "type" | "share">> {
    const { product, state, vault } = current;
    const english = documents.get(state.metadataHash);
    const document = documentIn(english, lang);
    const now = asOf.time / 1_000;
    const pool = poolAt(vault, now);
    const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
    const price = sharePrice(pool);
    const apy = await headlineApy(tx, current, now);
    return {
      short_id: product.shortId,
      name: document?.name ?? product.shortId,
      summary: document?.summary ?? null,
      type: "demand_deposit",
      status: state.status === 0 ? "open" : "closed",
      chain_id: product.chainId,
      contract: getAddress(product.address),
      asset: { address: getAddress(product.asset), symbol: product.assetSymbol, decimals: product.assetDecimals },
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
      min_deposit: assets(vault.minDeposit),
      instant_capacity: assets(instantCapacity(vault, now)),
      wait: { p50: 0, p90: 0 },
      holders: vault.holders,
      proof_age: vault.reportTime === null ? null : (now - vault.reportTime) * 1_000,
      paused_until: vault.pausedUntil === 0 ? null : vault.pausedUntil * 1_000,
      location: document?.location.name ?? null,
      asset_class: document?.asset_class ?? null,
      image: document?.image ?? null,
      base:
        english && english !== document
          ? {
              ...{ name: english.name, summary: english.summary },
              ...{ location: english.location.name, asset_class: english.asset_class },
            }
          : null,
      as_of: asOf,
    };
  }

  return {
    list: (filter) =>
      snapshot(async (tx) => {
        const found: { product: Product; listed: number; tvl: bigint }[] = [];
        for (const { chain, asOf } of await stampsOf(tx, chains, filter.chain_id)) {
          for (const current of await currentProducts(tx, chain.chainId)) {
            const product = await toProduct(tx, current, asOf, filter.lang);
            if (!matches(product, filter)) continue;
            const tvl = tvlOf(current, asOf.time / 1_000);
            const scale = 10n ** BigInt(Math.max(0, 36 - product.asset.decimals));
            found.push({ product, listed: current.product.time, tvl: tvl * scale });
          }
        }
        found.sort((a, b) => compare(filter, a, b) || a.product.short_id.localeCompare(b.product.short_id));
        const { page, page_size } = filter;
        const items = found.slice((page - 1) * page_size, page * page_size).map(({ product }) => product);
        return { items, total: found.length, page, page_size };
      }),

    summary: () => snapshot((tx) => summarise(tx, chains)),

    detail: (shortId, lang) =>
      snapshot(async (tx) => {
        const { chain, asOf, current } = await find(tx, shortId);
        const { product, state, vault } = current;
        const document = documentIn(documents.get(state.metadataHash), lang);
        const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
        const { deployment } = chain;
        return {
          ...(await toProduct(tx, current, asOf, lang)),
          description: document?.description ?? [],
          yield_source: document?.yield_source ?? [],
          holder: document?.holder ?? null,
          evidence: document?.evidence ?? [],
          risks: document?.risks ?? [],
          metadata_hash: state.metadataHash,
          coordinates: document && { latitude: document.location.latitude, longitude: document.location.longitude },
          vault: {
            settled: assets(vault.settled),
            streaming: assets(vault.streaming),
            stream_start: vault.streamStart * 1_000,
            stream_end: vault.streamEnd * 1_000,
            supply: formatUnits(vault.supply, product.shareDecimals),
            report_max_age: vault.maxReportAge * 1_000,
            last_report: vault.reportAsOf * 1_000,
            deployed: assets(vault.deployed),
            buffer: formatUnits(vault.buffer, RATE_DECIMALS),
            fee: formatUnits(vault.fee, RATE_DECIMALS),
            queue: vault.queue && {
              address: getAddress(vault.queue),
              shares: formatUnits(vault.queued, product.shareDecimals),
            },
          },
          contracts: [
            { role: "product" as const, address: getAddress(product.address) },
            { role: "asset" as const, address: getAddress(product.asset) },
            ...(deployment
              ? [
                  { role: "identity_registry" as const, address: getAddress(deployment.identity_registry) },
                  { role: "product_registry" as const, address: getAddress(deployment.product_registry) },
                  { role: "access_manager" as const, address: getAddress(deployment.access_manager) },
                ]
              : []),
          ],
          inception: ((await inceptionOf(tx, product)) ?? product.time) * 1_000,
        };
      }),

    performance: (shortId, range) =>
      snapshot(async (tx) => {
        const { asOf, current } = await find(tx, shortId);
        const { product, vault } = current;
        const now = asOf.time / 1_000;
        const price = sharePrice(poolAt(vault, now));
        const inception = await inceptionOf(tx, product);
        const apy = [];
        for (const days of WINDOWS) {
          const value = inception === null ? null : await apyOver(tx, current, days, inception, now);
          apy.push({ window_days: days, ...(value ?? unknownApy) });
        }
        const sinceInception = inception === null ? unknownApy : await apySince(tx, current, inception, now);
        apy.push({ window_days: null, ...sinceInception });

        const moments = inception === null ? [] : momentsOfRange(range, inception, now);
        const points = (await vaultAt(tx, product, moments)).map((point) => {
          const pool = poolAt(point.vault, point.time);
          return { time: point.time, price: sharePrice(pool), assets: pool.totalAssets };
        });
        const reports = await reportsSince(tx, product, moments[0] ?? now);
        return {
          short_id: product.shortId,
          type: "demand_deposit" as const,
          share_price: formatUnits(price, sharePriceDecimals),
          apy,
          max_drawdown: maxDrawdown(points.map((point) => point.price)),
          series: points.map((point) => ({
            time: point.time * 1_000,
            share_price: formatUnits(point.price, sharePriceDecimals),
            gross_price: null,
            tvl: formatUnits(point.assets, product.assetDecimals),
            rate: null,
            coverage: null,
          })),
          reports: reports.map((report) => ({
            time: report.time * 1_000,
            block: report.block,
            hash: report.hash,
            delta: formatUnits(report.delta, product.assetDecimals),
            fee: formatUnits(0n, product.assetDecimals),
            as_of_time: report.asOf * 1_000,
            evidence_root: report.evidenceRoot,
          })),
          as_of: asOf,
        };
      }),

    liquidity: (shortId) =>
      snapshot(async (tx) => {
        const { asOf, current } = await find(tx, shortId);
        const { product, vault } = current;
        const now = asOf.time / 1_000;
        const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
        const total = poolAt(vault, now).totalAssets;
        const inception = await inceptionOf(tx, product);
        const moments = inception === null ? [] : momentsOfRange("all", inception, now);
        const points = await vaultAt(tx, product, moments);
        return {
          short_id: product.shortId,
          type: "demand_deposit" as const,
          instant_capacity: assets(instantCapacity(vault, now)),
          idle: assets(idleOf(vault, total)),
          deployed: assets(vault.deployed),
          total_assets: assets(total),
          buffer: null,
          utilisation: null,
          queue: null,
          wait: null,
          track_record: null,
          exit_curve: [],
          scenarios: [],
          weeks: [],
          history: points.map((point, index) => {
            const before = points[index - 1]?.vault ?? { deposited: 0n, withdrawn: 0n };
            const held = poolAt(point.vault, point.time).totalAssets;
            return {
              time: point.time * 1_000,
              idle: assets(idleOf(point.vault, held)),
              total_assets: assets(held),
              deposits: assets(point.vault.deposited - before.deposited),
              withdrawals: assets(point.vault.withdrawn - before.withdrawn),
              queued: assets(previewRedeem(point.vault.queued, poolAt(point.vault, point.time))),
            };
          }),
          as_of: asOf,
        };
      }),

    transactions: (shortId, { page, page_size, kind, from, to }) =>
      snapshot(async (tx) => {
        const { current } = await find(tx, shortId);
        const filter = {
          kind,
          from: from === undefined ? undefined : Math.ceil(from / 1_000),
          to: to === undefined ? undefined : Math.floor(to / 1_000),
        };
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { rows, total } = await movementsOf(tx, current.product, filter, span);
        return { items: rows.map((row) => toTransaction(row, current.product)), total, page, page_size };
      }),
  };
}

const unknownApy: Apy = { value: null, annualised: false };

/**
 * Assets that can leave at once, smallest units, `now` in Unix seconds: the idle money its queue does not wait for, and
 * with a queue nothing beside an old report.
 */
export function instantCapacity(vault: VaultState, now: number): bigint {
  const pool = poolAt(vault, now);
  if (vault.queue !== null && now > vault.reportAsOf + vault.maxReportAge) return 0n;
  const idle = vault.settled + vault.streaming - vault.deployed;
  const liquidity = instantLiquidity(idle, vault.queued, pool);
  return liquidity < pool.totalAssets ? liquidity : pool.totalAssets;
}

/** Assets of `total` that are not with the custodian, smallest units. */
function idleOf(vault: VaultState, total: bigint): bigint {
  return total > vault.deployed ? total - vault.deployed : 0n;
}

/** The APY a list shows: over 30 days or, in a younger product, since its first deposit. */
export async function headlineApy(
  tx: Orm,
  current: CurrentProduct,
  now: number,
): Promise<Apy & { window_days: number }> {
  const inception = await inceptionOf(tx, current.product);
  if (inception === null) return { ...unknownApy, window_days: HEADLINE_DAYS };
  const full = await apyOver(tx, current, HEADLINE_DAYS, inception, now);
  if (full) return { ...full, window_days: HEADLINE_DAYS };
  const young = await apySince(tx, current, inception, now);
  return { ...young, window_days: Math.floor((now - inception) / DAY) };
}

/** Null when the product is younger than the window. */
async function apyOver(tx: Orm, current: CurrentProduct, days: number, inception: number, now: number) {
  const start = now - days * DAY;
  return start < inception ? null : apySince(tx, current, start, now);
}

async function apySince(tx: Orm, current: CurrentProduct, start: number, now: number): Promise<Apy> {
  const [then] = await vaultAt(tx, current.product, [start]);
  if (!then) return unknownApy;
  return apyBetween(
    { time: BigInt(start), price: sharePrice(poolAt(then.vault, start)) },
    { time: BigInt(now), price: sharePrice(poolAt(current.vault, now)) },
  );
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

/** What is unknown comes last. */
function rank(rate: string | null): number {
  return rate === null ? -2 : Number(rate);
}
