import type { Statement, StatementLine } from "@aqua/sdk/api/portfolio";
import { csvFile, csvFormatOf } from "@aqua/sdk/csv";
import type { LanguageCode } from "@aqua/sdk/languages";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

type Balance = StatementLine["balance"];
type Product = Statement["products"][number];

/**
 * Formats a statement as one table. Each movement is one row. Each product also has one row before its movements and
 * one row after them. The value of a row equals the value of the previous row + paid_in − paid_out + earned, so each
 * of these columns can be summed on its own.
 */
const columns = [
  ...["product", "name", "type", "chain_id", "row", "time", "wallet", "kind", "deposit_id", "description"],
  ...["amount", "share_amount", "share_price", "fee", "paid_in", "paid_out", "earned"],
  ...["shares", "principal", "claimable", "value", "symbol", "block", "log_index", "hash"],
] as const;
type Row = Partial<Record<(typeof columns)[number], string | number | null>>;

/** @param language Language of the spreadsheet program that will open the file. */
export function statementCsv(statement: Statement, language?: LanguageCode): string {
  const rows = statement.products.flatMap((product) => rowsOf(statement, product));
  return csvFile(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
    csvFormatOf(language),
  );
}

/** Returns a file name that is valid on every operating system. It contains the first and the last day. */
export function statementFileName({ wallets, from, to }: Statement): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return `aqua-statement-${wallets[0]?.toLowerCase()}-${day(from)}-${day(to - 1)}.csv`;
}

function rowsOf({ from, to }: Statement, product: Product): Row[] {
  const { short_id, name, type, chain_id, symbol, opening, closing, lines } = product;
  const common = { product: short_id, name, type, chain_id, symbol };
  const units = (amount: string) => parseUnits(amount, product.decimals);
  const before = lines.at(-1)?.balance ?? opening;
  const earned = formatUnits(units(closing.value) - units(before.value), product.decimals);
  const balance = ({ shares, principal, claimable, value }: Balance) => ({ shares, principal, claimable, value });
  return [
    { ...common, row: "opening", time: instant(from), ...balance(opening) },
    ...lines.map((line) => ({
      ...common,
      row: "movement",
      time: instant(line.time),
      wallet: line.wallet,
      kind: line.kind,
      deposit_id: line.deposit_id,
      description: line.description,
      amount: line.amount,
      share_amount: line.shares,
      share_price: line.price,
      fee: line.fee,
      paid_in: line.paid_in,
      paid_out: line.paid_out,
      earned: line.earned,
      ...balance(line.balance),
      block: line.block,
      log_index: line.log_index,
      hash: line.hash,
    })),
    { ...common, row: "closing", time: instant(to), earned, ...balance(closing) },
  ];
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
