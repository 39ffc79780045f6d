import type { List } from "@aqua/sdk/api/envelope";
import type { Home } from "@aqua/sdk/api/home";
import type { Announcements } from "@aqua/sdk/api/notices";
import type {
  Holding,
  RedemptionRequest,
  Statement,
  TotalHoldValue,
  TotalProfit,
  Transaction,
} from "@aqua/sdk/api/portfolio";
import type {
  DemandDetail,
  Liquidity,
  Performance,
  Product,
  ProductSummary,
  TimeDetail,
  WithdrawalRequest,
} from "@aqua/sdk/api/product";
import type { AnchoredBatch, Device, Fleet, IncomeSeries } from "@aqua/sdk/api/telemetry";
import type { PrivilegedAct, Recoveries, TransparencySummary } from "@aqua/sdk/api/transparency";
import type { Lie } from "./proxy.ts";

/** Who is lied about. */
export interface Subjects {
  /** A demand deposit with a queue and reports, and a time deposit with receipts. */
  vault: string;
  term: string;
  /** Wallets with shares, with a receipt, and with a request in a queue. */
  holder: string;
  depositor: string;
  waiting: string;
}

/** A lie: the call whose answer is changed, the change, and the path that must be found. */
type Planted = [what: string, call: string, lie: Lie, found: RegExp];

/** Another digit in place of the last one. */
const bent = (figure: string | null) =>
  figure === null ? "1" : figure.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
const other = "0x000000000000000000000000000000000000dEaD";

/** Changes the value in place. */
export function on<Data>(change: (data: Data) => void): Lie {
  return (data) => {
    change(data);
    return data;
  };
}
function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error("There is nothing to lie about");
  return item;
}
function swap<Item>(items: Item[]): void {
  const [one, two] = items;
  if (one === undefined || two === undefined) throw new Error("There are not two to swap");
  [items[0], items[1]] = [two, one];
}
function drop<Item>(list: List<Item>): void {
  first(list.items);
  list.items.shift();
  list.total -= 1;
}
function dropFrom<Item>(items: Item[]): void {
  first(items);
  items.shift();
}

export function liesAbout({ vault, term, holder, depositor, waiting }: Subjects): Planted[] {
  const product = `product/${vault}`;
  const deposit = `product/${term}`;
  return [
    [
      "a product's deposits",
      "product/list",
      on<List<Product>>(({ items }) => (first(items).tvl = bent(first(items).tvl))),
      /items\[0\]\.tvl/,
    ],
    ["a hidden product", "product/list", on<List<Product>>(drop), /items\.length/],
    ["a closed product", "product/list", on<List<Product>>(({ items }) => (first(items).status = "closed")), /status/],
    [
      "all deposits",
      "product/summary",
      on<ProductSummary>(({ totals }) => (first(totals).deposits = bent(first(totals).deposits))),
      /totals\[0\]\.deposits/,
    ],
    [
      "the number of positions",
      "product/summary",
      on<ProductSummary>((data) => (data.positions = (data.positions ?? 0) + 1)),
      /positions/,
    ],
    [
      "an older block with the newest figures",
      "product/summary",
      on<ProductSummary>((data) => (data.as_of.block -= 30)),
      /as_of\.time|totals/,
    ],
    [
      "an event",
      "product/home",
      on<Home>(({ events }) => (first(events).amount = bent(first(events).amount))),
      /events\[0\]\.amount/,
    ],
    ["the products that are shown first", "product/home", on<Home>(({ featured }) => swap(featured)), /featured\[0\]/],
    [
      "the price of a followed report",
      "product/home",
      on<Home>(({ report }) => Object.assign(report ?? {}, { price_now: bent(report?.price_now ?? null) })),
      /report\.price_now/,
    ],
    ["a share price", product, on<DemandDetail>(({ share }) => (share.price = bent(share.price))), /share\.price/],
    ["the number of holders", product, on<DemandDetail>((data) => (data.holders = (data.holders ?? 0) + 1)), /holders/],
    ["a cap", product, on<DemandDetail>((data) => (data.cap = bent(data.cap))), /\.cap$/],
    ["a fee", product, on<DemandDetail>((data) => (data.vault.fee = bent(data.vault.fee))), /vault\.fee/],
    ["a buffer", product, on<DemandDetail>((data) => (data.vault.buffer = bent(data.vault.buffer))), /vault\.buffer/],
    ["a pause", product, on<DemandDetail>((data) => (data.paused_until = data.as_of.time + 1)), /paused_until/],
    [
      "a document",
      product,
      on<DemandDetail>((data) => (data.metadata_hash = bent(data.metadata_hash))),
      /metadata_hash/,
    ],
    [
      "the contract that receives the money",
      product,
      on<DemandDetail>(({ contracts }) => (first(contracts).address = other)),
      /contracts\[0\]\.address/,
    ],
    [
      "the worst fall of the price",
      product,
      on<DemandDetail>((data) => (data.max_drawdown = bent(data.max_drawdown))),
      /max_drawdown/,
    ],
    ["an APY", product, on<DemandDetail>(({ apy }) => (apy.value = bent(apy.value))), /apy\.value/],
    [
      "a month's income",
      product,
      on<DemandDetail>(({ income_months }) => (first(income_months).amount = bent(first(income_months).amount))),
      /income_months\[0\]/,
    ],
    ["an older block", product, on<DemandDetail>((data) => (data.as_of.block -= 40)), /as_of\.time/],
    ["the figures of another chain", product, on<DemandDetail>((data) => (data.as_of.chain_id = 1)), /as_of\.chain_id/],
    ["a failing answer", product, () => undefined, new RegExp(`^${product}$`)],
    [
      "a past price",
      `${product}/performance`,
      on<Performance>(({ series }) => (series[5] = { ...first(series), time: series[5]?.time ?? 0 })),
      /series\[5\]/,
    ],
    [
      "a hidden report",
      `${product}/performance`,
      on<Performance>(({ reports }) => dropFrom(reports)),
      /reports\.length/,
    ],
    [
      "a report's gain",
      `${product}/performance`,
      on<Performance>(({ reports }) => (first(reports).delta = bent(first(reports).delta))),
      /reports\[0\]\.delta/,
    ],
    [
      "a loss that was not taken back",
      `${product}/performance`,
      on<Performance>(({ reports }) => (first(reports).taken_back = 1)),
      /taken_back/,
    ],
    ["idle money", `${product}/liquidity`, on<Liquidity>((data) => (data.idle = bent(data.idle))), /liquidity\.idle/],
    [
      "a past withdrawal",
      `${product}/liquidity`,
      on<Liquidity>(({ history }) => (first(history).withdrawals = "7.000000")),
      /history\[0\]\.withdrawals/,
    ],
    ["a wait", `${product}/liquidity`, on<Liquidity>((data) => (data.wait = { p50: 1, p90: 1 })), /wait/],
    [
      "the shares in a queue",
      `${product}/liquidity`,
      on<Liquidity>(({ queue }) => Object.assign(queue ?? {}, { shares: bent(queue?.shares ?? null) })),
      /queue\.shares/,
    ],
    ["a missing movement", `${product}/transactions`, on<List<Transaction>>(drop), /items\.length/],
    [
      "a movement twice",
      `${product}/transactions`,
      on<List<Transaction>>((list) => {
        list.items.unshift(first(list.items));
        list.total += 1;
      }),
      /items\.length/,
    ],
    [
      "another wallet's movement",
      `${product}/transactions`,
      on<List<Transaction>>(({ items }) => (first(items).address = other)),
      /items\[0\]\.address/,
    ],
    ["places in a queue", `${product}/queue`, on<List<WithdrawalRequest>>(({ items }) => swap(items)), /items\[0\]/],
    [
      "a request's value",
      `${product}/queue`,
      on<List<WithdrawalRequest>>(({ items }) => (first(items).value = bent(first(items).value))),
      /items\[0\]\.value/,
    ],
    [
      "a reported income",
      `${product}/income`,
      on<IncomeSeries>(({ items }) => (first(items).delta = bent(first(items).delta))),
      /items\[0\]\.delta/,
    ],
    [
      "an invented announcement",
      `${product}/announcements`,
      on<Announcements>(({ changes }) => changes.push({} as never)),
      /changes\.length/,
    ],
    [
      "a device's key",
      `${product}/devices`,
      on<Device[]>(
        (devices) => (first(devices).key = { kind: "p256", x: "0x1", y: "0x2", valid_from: 3, valid_until: null }),
      ),
      /\[0\]\.key/,
    ],
    [
      "a term's rate",
      deposit,
      on<TimeDetail>(({ terms }) => (first(terms).rate = bent(first(terms).rate))),
      /terms\[0\]\.rate/,
    ],
    ["a time deposit's cash", deposit, on<TimeDetail>(({ books }) => (books.cash = bent(books.cash))), /books\.cash/],
    [
      "the amount of a week",
      `${deposit}/liquidity`,
      on<Liquidity>(({ weeks }) => (first(weeks).maturities = bent(first(weeks).maturities))),
      /weeks\[0\]\.maturities/,
    ],
    [
      "a reserve",
      "transparency/summary",
      on<TransparencySummary>(({ reserves }) => (first(first(reserves).assets).amount = "1.000000")),
      /reserves\[0\]\.assets\[0\]/,
    ],
    [
      "another manager",
      "transparency/summary",
      on<TransparencySummary>(({ contracts }) => (first(contracts).address = other)),
      /contracts\[0\]\.address/,
    ],
    [
      "the holder of a role",
      "transparency/summary",
      on<TransparencySummary>(({ roles }) => (first(first(roles).members).address = other)),
      /roles\[0\]\.members\[0\]/,
    ],
    ["a hidden role", "transparency/summary", on<TransparencySummary>(({ roles }) => dropFrom(roles)), /roles\.length/],
    [
      "a role's delay",
      "transparency/summary",
      on<TransparencySummary>(({ roles }) => (first(first(roles).members).delay += 1)),
      /members\[0\]\.delay/,
    ],
    ["a hidden act", "transparency/acts", on<List<PrivilegedAct>>(drop), /items\.length/],
    [
      "an act's argument",
      "transparency/acts",
      on<List<PrivilegedAct>>(({ items }) => {
        const act = items.find(({ args }) => args.assets) ?? first(items);
        act.args.assets = "1";
      }),
      /args\.assets/,
    ],
    [
      "a batch's root",
      "transparency/anchors",
      on<List<AnchoredBatch>>(({ items }) => (first(items).root = bent(first(items).root))),
      /items\[0\]\.root/,
    ],
    ["a hidden batch", "transparency/anchors", on<List<AnchoredBatch>>(drop), /items\.length/],
    [
      "the number of batches",
      "transparency/devices",
      on<Fleet>(({ feeds }) => (first(feeds).batches += 1)),
      /feeds\[0\]\.batches/,
    ],
    [
      "a hidden receipt",
      `account/hold/${depositor}`,
      on<List<Holding>>((list) => {
        list.items = list.items.filter(({ receipt }) => receipt === null);
      }),
      /items\.length/,
    ],
    [
      "a receipt's interest",
      `account/hold/${depositor}`,
      on<List<Holding>>(({ items }) => {
        const { receipt } = items.find((one) => one.receipt) as Holding;
        if (receipt) receipt.interest_at_maturity = "9.000000";
      }),
      /interest_at_maturity/,
    ],
    [
      "a holding's value",
      `account/hold/${holder}`,
      on<List<Holding>>(({ items }) => (first(items).value = bent(first(items).value))),
      /items\[0\]\.value/,
    ],
    [
      "a cost",
      `account/hold/${holder}`,
      on<List<Holding>>(({ items }) => (first(items).principal = bent(first(items).principal))),
      /items\[0\]\.principal/,
    ],
    [
      "a wallet's total",
      `account/totalHoldValue/${holder}`,
      on<TotalHoldValue>((data) => (data.total = bent(data.total))),
      /\.total/,
    ],
    [
      "another wallet's total",
      `account/totalHoldValue/${holder}`,
      on<TotalHoldValue>((data) => (data.address = other)),
      /\.address/,
    ],
    [
      "a profit",
      `account/totalProfit/${holder}`,
      on<TotalProfit>((data) => (data.realised = bent(data.realised))),
      /\.realised/,
    ],
    [
      "a past value",
      `account/totalProfit/${holder}`,
      on<TotalProfit>(({ series }) => (first(series).value = "3.000000")),
      /series\[0\]\.value/,
    ],
    ["a wallet's missing movement", `account/transaction/${holder}`, on<List<Transaction>>(drop), /items\.length/],
    [
      "a place in the queue",
      `account/requests/${waiting}`,
      on<RedemptionRequest[]>((requests) => (first(requests).position += 1)),
      /\[0\]\.position/,
    ],
    [
      "a statement's line",
      `account/statement/${holder}`,
      on<Statement>(({ products }) => (first(first(products).lines).earned = "5.000000")),
      /lines\[0\]\.earned/,
    ],
    [
      "a statement's end",
      `account/statement/${holder}`,
      on<Statement>(({ products }) => (first(products).closing.value = "5.000000")),
      /closing\.value/,
    ],
    [
      "an invented recovery",
      "transparency/recoveries",
      on<Recoveries>(({ recoveries }) => recoveries.push({} as never)),
      /recoveries\.length/,
    ],
  ];
}
