import type { IncomeProof, PoolAccounts } from "@aqua/sdk/api/incomeProof";
import { shareDecimalsOffset, sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { poolOf, type ReportEvent } from "@aqua/sdk/proofs/income";
import { isIncomeProof } from "@aqua/sdk/proofs/incomeForm";
import { type IncomeChain, type IncomeStep, verifyIncomeProof } from "@aqua/sdk/proofs/verifyIncome";
import { figureDecimals } from "@aqua/sdk/telemetry/figure";
import { incomeMetrics } from "@aqua/sdk/telemetry/income";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import { shown } from "./caseTable.ts";
import { isoTime, stepsText } from "./verifyReport.ts";

type Product = IncomeProof["products"][number];

/** Reads the digests of batches after one of them, up to the head of its stream. */
interface Later {
  digestsAfter(place: { chainId: number; contract: string; shortId: string; number: number }): Promise<string[]>;
}

/** Whether a file says that it proves an income, whatever its form is. */
export function isIncomeFile(file: unknown): boolean {
  return (file as { format?: unknown } | null)?.format === "aqua-income-proof-1";
}

/** Checks the proof of an income, and tells its chain in words. */
export async function reportIncome(
  file: unknown,
  chain: (IncomeChain & Later) | null,
): Promise<{ steps: IncomeStep[]; text: string }> {
  let steps = await verifyIncomeProof(file, chain);
  let note = "";
  // Batches from before the last one are linked to it by the contract's events since then.
  if (chain !== null && isIncomeProof(file) && steps.some(({ reason }) => reason === "stale")) {
    try {
      steps = await verifyIncomeProof(await withLater(file, chain), chain);
    } catch (error) {
      note = `The batches after those of the file could not be read: ${shown((error as Error).message)}\n\n`;
    }
  }
  const subject = isIncomeProof(file) ? `${file.products.map((product) => productText(file, product)).join("")}` : "";
  return { steps, text: `${headText(file)}${subject}${note}${stepsText("income", steps)}` };
}

async function withLater(file: IncomeProof, chain: Later): Promise<IncomeProof> {
  const products: Product[] = [];
  for (const product of file.products) {
    const contract = product.telemetry ?? "";
    const place = { chainId: file.chain_id, contract, shortId: product.short_id };
    const batches: Product["batches"] = [];
    for (const batch of product.batches)
      batches.push({ ...batch, later: await chain.digestsAfter({ ...place, number: batch.number }) });
    products.push({ ...product, batches });
  }
  return { ...file, products };
}

const moment = (seconds: number) => isoTime(seconds * 1_000).replace(".000Z", "Z");

function headText(file: unknown): string {
  if (!isIncomeProof(file)) return "";
  const { wallet, chain_id, month, from, to, block, products } = file;
  const until = block === null ? moment(to) : `block ${block} at ${moment(to)}`;
  const none = products.length === 0 ? "The wallet held no demand deposit in this time.\n\n" : "";
  return (
    `Income of ${wallet} in ${month} on chain ${chain_id}, from ${moment(from)} to ${until}\n` +
    `Time deposits are not part of it: they pay the interest agreed when they were opened.\n\n${none}`
  );
}

/** The product's events and their amounts, one line each, with the formulas. */
function productText(file: IncomeProof, product: Product): string {
  const { short_id, opening, steps, closing, income, decimals } = product;
  // Text of unknown origin: control characters in a terminal could pass for a verdict of ours.
  const symbol = shown(product.symbol).slice(0, 20);
  const money = (units: string) => `${formatUnits(BigInt(units), decimals)} ${symbol}`;
  const shares = (units: string) => `${formatUnits(BigInt(units), decimals + shareDecimalsOffset)} units`;
  const price = (accounts: PoolAccounts, time: number) =>
    formatUnits(sharePrice(poolOf(accounts, time)), sharePriceDecimals);
  const worth = ({ units, value }: { units: string; value: string }) => `${shares(units)} worth ${money(value)}`;
  const lines = steps.map((step) => {
    const place = `  ${moment(step.time)}  block ${step.block}, log ${step.log_index}: `;
    const after = `     price ${price(step.accounts, step.time)}, ${worth(step)}; earned since before: ${money(step.earned)}`;
    if (step.kind === "report") return `${place}report of ${money(step.delta)}\n${evidenceText(step, money)}${after}\n`;
    const what = "shares" in step ? `${step.kind} of ${shares(step.shares)} for ${money(step.assets)}` : step.kind;
    return `${place}${what}\n${after}\n`;
  });
  return (
    `${short_id}\n` +
    `  at the start: ${opening === null ? "the product did not exist" : worth(opening)}\n` +
    lines.join("") +
    `  at the end: price ${price(closing.accounts, file.to)}, ${worth(closing)}\n` +
    `  income: ${money(income)} = value at the end − value at the start − paid in + paid out\n\n`
  );
}

function evidenceText({ evidence, delta, fee }: ReportEvent, money: (units: string) => string): string {
  const kept = fee === "0" ? "" : `     fee: ${money(fee)}\n`;
  if (evidence === null) return `     no readings of devices prove it here\n${kept}`;
  const { devices, metric, counted, proceeds, gain, batch } = evidence;
  const { unit } = metrics[incomeMetrics[metric.id].register];
  const figure = (text: string) => `${formatUnits(BigInt(text), figureDecimals)} ${unit}`;
  return (
    devices
      .map((one) => `     ${one.device} counted ${figure(one.counted)} from reading ${one.first} to ${one.last}\n`)
      .join("") +
    `     together ${figure(counted)} by batch ${batch}; × ${metric.price} = ${money(proceeds)}, rounded down\n` +
    `     × ${metric.share} × total assets / ${metric.financed} = ${money(gain)}, rounded down` +
    `${restText(BigInt(delta) - BigInt(gain), money)}\n${kept}`
  );
}

/** What a report states beyond the gain that follows from its registers, or less than it. */
function restText(rest: bigint, money: (units: string) => string): string {
  if (rest === 0n) return "; the report states exactly this";
  return rest > 0n
    ? `; the other ${money(String(rest))} of the report rest on the operator's word`
    : `; the report states ${money(String(-rest))} less`;
}
