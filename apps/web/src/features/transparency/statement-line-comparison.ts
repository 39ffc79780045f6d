import type { StatementLine, TransactionKind } from "@aqua/sdk/api/portfolio";
import type { Reserves } from "@aqua/sdk/api/transparency";
import type { ChainLine } from "@aqua/sdk/chain/statement-lines";
import { shareDecimalsOffset, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Compared, compareText, compareUnits, unitsOf } from "./comparison.ts";

export type LineFigure =
  | "kind"
  | "wallet"
  | "deposit_id"
  | "amount"
  | "shares"
  | "price"
  | "fee"
  | "paid_in"
  | "paid_out"
  | "block"
  | "log_index"
  | "time";

/** A line of a statement, with its product. */
export interface SiteLine {
  product: Reserves;
  line: StatementLine;
}

/** A line that the chain's events require, with its product. */
export interface ProductLine extends ChainLine {
  product: Reserves;
}

/** Position of a transaction in the chain; `time` in Unix milliseconds. */
export interface Place {
  block: number;
  time: number;
}

/** A line of the chain and the matching line of this site. A side without a match is null. */
export interface Pair {
  chain: ProductLine | null;
  site: SiteLine | null;
}

const transfers: readonly TransactionKind[] = ["transfer_in", "transfer_out"];

/**
 * Matches the chain's lines with the site's. Each line is used once; only the event for everything that a queue redeems
 * in one step matches several lines. The closest match comes first, so a line that differs in one figure is compared
 * instead of reported as missing.
 */
export function pairLines(chain: readonly ProductLine[], site: readonly SiteLine[]): Pair[] {
  const unmatched = new Set(site);
  const matchesByLine = new Map<ProductLine, SiteLine[]>(chain.map((chainLine) => [chainLine, []]));
  const match = (fits: (chainLine: ProductLine, siteLine: SiteLine) => boolean) => {
    for (const chainLine of chain) {
      const matches = matchesByLine.get(chainLine) as SiteLine[];
      for (const siteLine of unmatched) {
        if (chainLine.product.short_id !== siteLine.product.short_id || !fits(chainLine, siteLine)) continue;
        if (chainLine.kind === "processed" ? siteLine.line.kind !== "processed" : matches.length > 0) continue;
        matches.push(siteLine);
        unmatched.delete(siteLine);
      }
    }
  };
  const ofWallet = (chainLine: ProductLine, { line }: SiteLine) =>
    chainLine.wallet === null || line.wallet.toLowerCase() === chainLine.wallet;
  match(
    (chainLine, siteLine) =>
      chainLine.logIndex === siteLine.line.log_index &&
      chainLine.kind === siteLine.line.kind &&
      ofWallet(chainLine, siteLine),
  );
  match((chainLine, siteLine) => chainLine.kind === siteLine.line.kind && ofWallet(chainLine, siteLine));
  match((chainLine, siteLine) => chainLine.logIndex === siteLine.line.log_index && ofWallet(chainLine, siteLine));
  match((chainLine, siteLine) => ofWallet(chainLine, siteLine));
  match((chainLine, siteLine) => chainLine.logIndex === siteLine.line.log_index);
  return [
    ...chain.flatMap((chainLine): Pair[] => {
      const matches = matchesByLine.get(chainLine) ?? [];
      return matches.length === 0
        ? [{ chain: chainLine, site: null }]
        : matches.map((siteLine) => ({ chain: chainLine, site: siteLine }));
    }),
    ...[...unmatched].map((siteLine) => ({ chain: null, site: siteLine })),
  ];
}

/** The amounts that a line of this kind pays in and out. Null if the line alone does not determine them. */
function paymentsOf({ kind, assets }: ChainLine): { paid_in: bigint | null; paid_out: bigint | null } {
  if (transfers.includes(kind)) return { paid_in: null, paid_out: null };
  if (kind === "deposit") return { paid_in: assets, paid_out: 0n };
  // Money that moves into the queue, or that the queue sets aside, is not paid out.
  return { paid_in: 0n, paid_out: kind === "request" || kind === "processed" ? 0n : assets };
}

/** Scale of a price in whole assets per whole share with 18 decimals. */
const scale = 10n ** BigInt(sharePriceDecimals + shareDecimalsOffset);

/** True if a price that rounds down to `price` converts between `shares` and `assets`, with either of them rounded. */
function isPriceOf(price: bigint, { assets, shares }: { assets: bigint; shares: bigint }): boolean {
  const tolerance = price + 1n > scale ? price + 1n : scale;
  return assets * scale + tolerance > shares * price && assets * scale - tolerance < shares * (price + 1n);
}

/** True if `assets` is the part of a batch that `shares` receive, up to one unit of rounding. */
function isPartOf(batch: { assets: bigint; shares: bigint }, assets: bigint, shares: bigint): boolean {
  const difference = assets * batch.shares - shares * batch.assets;
  return shares <= batch.shares && difference < batch.shares && -difference < batch.shares;
}

/**
 * Each figure of a line that the transaction can confirm. `fee`: the cost of an early exit by its term; null: it could
 * not be read.
 */
export function compareLine({ chain, site }: Pair, place: Place, fee: bigint | null): Compared<LineFigure>[] {
  const product = (chain ?? site)?.product;
  if (!product) return [];
  const { decimals } = product;
  const shareDecimals = decimals + shareDecimalsOffset;
  const line = site?.line ?? null;
  const of = chain?.event ?? "—";
  const batch =
    chain?.kind === "processed" && chain.assets !== null && chain.shares !== null
      ? { assets: chain.assets, shares: chain.shares }
      : null;
  const rows: Compared<LineFigure>[] = [];
  const text = (
    figure: LineFigure,
    as: "address" | "time" | "count" | "word",
    query: string,
    { siteValue, chainValue }: Record<"siteValue" | "chainValue", string | number | null | undefined>,
  ) => rows.push(compareText({ figure, as, query, site: siteValue ?? null, chain: chainValue ?? null }));
  const open = (figure: LineFigure, as: Compared<LineFigure>["as"], siteValue: string | null) =>
    rows.push({ figure, as, query: of, site: siteValue, chain: null, standing: "open" });
  /**
   * Compares a figure with the chain's. The result is `open` if the event does not contain the figure, and `different`
   * if there is no event.
   */
  const units = (
    figure: LineFigure,
    as: "amount" | "shares",
    siteValue: string | null,
    chainValue: bigint | null | undefined,
  ) => {
    const places = as === "shares" ? shareDecimals : decimals;
    if (chainValue !== null && chainValue !== undefined)
      rows.push(compareUnits({ figure, as, query: of, site: siteValue, chain: chainValue, decimals: places }));
    else if (chain) open(figure, as, siteValue);
    else rows.push({ figure, as, query: of, site: siteValue, chain: null, standing: "different" });
  };

  text("kind", "word", of, { siteValue: line?.kind, chainValue: chain?.kind });
  if (batch && line) open("wallet", "address", line.wallet);
  else text("wallet", "address", of, { siteValue: line?.wallet, chainValue: chain?.wallet });
  if (product.type === "time_deposit" || line?.deposit_id != null)
    text("deposit_id", "word", of, { siteValue: line?.deposit_id, chainValue: chain?.depositId });

  if (batch && line) {
    const [assets, shares] = [unitsOf(line.amount, decimals), unitsOf(line.shares, shareDecimals)];
    const fits = assets !== null && shares !== null && isPartOf(batch, assets, shares);
    const part = shares === null || batch.shares === 0n ? null : (shares * batch.assets) / batch.shares;
    const figure = {
      figure: "amount",
      as: "amount",
      query: `${of}: assets × shares ÷ all shares`,
      site: line.amount,
    } as const;
    rows.push({
      ...figure,
      chain: part === null ? null : formatUnits(part, decimals),
      standing: fits ? "fits" : "different",
    });
    open("shares", "shares", line.shares);
  } else {
    units("amount", "amount", line?.amount ?? null, chain?.assets);
    if (product.type === "demand_deposit") units("shares", "shares", line?.shares ?? null, chain?.shares);
  }

  // A claim pays what was set aside and has no price of its own.
  if (line && (line.price !== null || chain?.kind === "claim") && product.type === "demand_deposit") {
    const price = unitsOf(line.price, sharePriceDecimals);
    const { assets = null, shares = null } = chain ?? {};
    const row = { figure: "price", as: "price", query: `${of}: assets ÷ shares`, site: line.price } as const;
    if (chain?.kind === "claim") {
      if (line.price !== null) rows.push({ ...row, chain: null, standing: "different" });
    } else if (assets !== null && shares !== null && shares > 0n) {
      const fits = price !== null && isPriceOf(price, { assets, shares });
      const chainPrice = formatUnits((assets * scale) / shares, sharePriceDecimals);
      rows.push({ ...row, chain: chainPrice, standing: fits ? "fits" : "different" });
    } else if (chain) open("price", "price", line.price);
  }

  const early = chain !== null && chain !== undefined && chain.principal !== null;
  if (early || (line && unitsOf(line.fee, decimals) !== 0n)) {
    const row = { figure: "fee", as: "amount", query: "⌈principal × penalty⌉", site: line?.fee ?? null } as const;
    if (early && fee === null) rows.push({ ...row, chain: null, standing: "unread" });
    else rows.push(compareUnits({ ...row, chain: fee ?? 0n, decimals }));
  }

  const paid = chain ? paymentsOf(chain) : { paid_in: null, paid_out: null };
  for (const figure of ["paid_in", "paid_out"] as const) {
    const [siteValue, chainValue] = [line?.[figure] ?? null, paid[figure]];
    if (!line || (unitsOf(siteValue, decimals) === 0n && (chainValue === 0n || chainValue === null))) continue;
    units(figure, "amount", siteValue, chainValue);
  }

  const query = "eth_getTransactionReceipt";
  text("block", "count", query, { siteValue: line?.block, chainValue: place.block });
  text("log_index", "count", query, { siteValue: line?.log_index, chainValue: chain?.logIndex });
  text("time", "time", "eth_getBlockByHash", { siteValue: line?.time, chainValue: place.time });
  return rows;
}

/** Compares everything that a queue redeemed in one step with the sum of this site's lines. */
export function compareBatch(
  chain: ProductLine,
  parts: readonly { amount: string | null; shares: string | null }[],
): Compared<LineFigure>[] {
  const { decimals } = chain.product;
  const sum = (figure: "amount" | "shares", places: number) => {
    const units = parts.map((part) => unitsOf(part[figure], places));
    const allKnown = units.every((unit) => unit !== null);
    return allKnown
      ? formatUnits(
          units.reduce((total: bigint, unit) => total + (unit ?? 0n), 0n),
          places,
        )
      : null;
  };
  const shareDecimals = decimals + shareDecimalsOffset;
  return [
    compareUnits({
      figure: "amount",
      as: "amount",
      query: chain.event,
      site: sum("amount", decimals),
      chain: chain.assets ?? 0n,
      decimals,
    }),
    compareUnits({
      figure: "shares",
      as: "shares",
      query: chain.event,
      site: sum("shares", shareDecimals),
      chain: chain.shares ?? 0n,
      decimals: shareDecimals,
    }),
  ];
}
