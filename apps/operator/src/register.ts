import { writeFile } from "node:fs/promises";
import { type Period, type Register, registerFigures } from "@aqua/sdk/audit/registerFigures";
import { type CsvCell, csvFile } from "@aqua/sdk/csv";
import { CommandError } from "./api.ts";
import { createAuditedChain } from "./audit/chain.ts";
import { shown, table } from "./caseTable.ts";
import { wholeOf } from "./chainOptions.ts";
import { openChain } from "./chainSession.ts";
import { jsonText, type Terminal } from "./terminal.ts";

interface Options {
  chain?: string | undefined;
  rpc?: string | undefined;
  deployments?: string | undefined;
  block?: string | undefined;
  year?: string | undefined;
  csv?: string | undefined;
  json?: true | undefined;
}

const isoTime = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** `aqua register`: the wallets that hold a product after a block, computed from the chain's events alone. */
export async function printRegister(shortId: string, options: Options, terminal: Terminal): Promise<void> {
  const asked = wholeOf("block", options.block, 0);
  const year = yearOf(options.year);
  const { client, deployment, chainId } = await openChain(options, terminal);
  const chain = createAuditedChain(client, deployment);
  // The newest block's figures are compared with the contracts, so a node that leaves out events is noticed.
  const newest = await chain.newest();
  if (asked !== undefined && asked > newest.block)
    throw new CommandError(`chain ${chainId} has no block ${asked} yet; its newest is ${newest.block}`);
  const view = asked === undefined ? newest : await chain.viewAt(asked);
  if (view === null) throw new CommandError(`the node of chain ${chainId} lost block ${asked}`);
  const register = registerFigures(view, shortId, year === null ? null : periodOf(year, view));
  if (register === null) throw new CommandError(`chain ${chainId} has no product ${shortId} at block ${view.block}`);
  if (options.csv !== undefined) await save(options.csv, registerCsv(register));
  if (options.json) return terminal.out(jsonText(register));
  terminal.out(textOf(register, year));
  if (options.csv !== undefined) terminal.out(`Saved ${options.csv}\n`);
}

function yearOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{3}$/.test(text)) throw new CommandError("--year must be a year, such as 2026");
  return Number(text);
}

/** The year in UTC, until the block's second at most. */
function periodOf(year: number, { block, time }: { block: number; time: number }): Period {
  const [from, end] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  if (from > time * 1_000)
    throw new CommandError(`block ${block} is of ${isoTime(time * 1_000)}, before the year ${year} begins`);
  // Events of the block's own second count.
  return { from, to: Math.min(end, time * 1_000 + 1) };
}

async function save(file: string, content: string): Promise<void> {
  await writeFile(file, content, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "EEXIST"
        ? `${file} exists already; --csv names another file`
        : `${file} cannot be written: ${error.code}`,
    );
  });
}

/** A line for each wallet. A text that a spreadsheet would run as a formula is guarded. */
export function registerCsv({ items, short_id, chain_id, symbol, as_of, period }: Register): string {
  const columns = ["wallet", "shares", "pending_shares", "receipts", "value", "claimable", "cost", "cost_estimated"];
  columns.push("realised", "unrealised", "interest", "currency", "product", "chain_id", "block", "block_time");
  if (period !== null) columns.push("period_from", "period_to", "paid_in", "paid_out", "earned", "period_realised");
  const rows = items.map((item): CsvCell[] => {
    const { wallet, shares, pending_shares, receipts, value, claimable, cost, cost_estimated, income } = item;
    return [
      ...[wallet, shares, pending_shares, receipts?.join(" "), value, claimable, cost, cost_estimated ? "yes" : "no"],
      ...[item.realised, item.unrealised, item.interest, symbol, short_id, chain_id, as_of.block, isoTime(as_of.time)],
      ...(period === null || income === null
        ? []
        : [isoTime(period.from), isoTime(period.to), income.paid_in, income.paid_out, income.earned, income.realised]),
    ];
  });
  return csvFile(columns, rows);
}

function textOf(
  { items, total, short_id, chain_id, symbol, as_of, type, period, holders }: Register,
  year: number | null,
) {
  const isDemand = type === "demand_deposit";
  const isPart = period !== null && period.to !== Date.UTC((year ?? 0) + 1, 0, 1);
  const rows = items.map(({ wallet, shares, receipts, value, cost, income }) => [
    ...[wallet, isDemand ? (shares ?? "") : (receipts ?? []).join(" "), value, cost],
    ...(income === null ? [] : [income.paid_in, income.paid_out, income.earned, income.realised]),
  ]);
  const { income } = total;
  rows.push([
    ...["total", total.shares ?? "", total.value, total.cost],
    ...(income === null ? [] : [income.paid_in, income.paid_out, income.earned, income.realised]),
  ]);
  const head = ["WALLET", isDemand ? "SHARES" : "RECEIPTS", "VALUE", "COST"];
  if (year !== null) head.push(`PAID IN ${year}`, "PAID OUT", "EARNED", "REALISED");
  const lines = [`${short_id} on chain ${chain_id} after block ${as_of.block}, ${isoTime(as_of.time)}`];
  lines.push(`${holders} wallets hold it; amounts in ${shown(symbol)}`);
  if (isPart) lines.push(`The year ${year} is counted until this block`);
  return `${lines.join("\n")}\n\n${table(head, rows)}`;
}
