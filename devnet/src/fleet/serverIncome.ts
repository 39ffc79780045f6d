import { DAY } from "@aqua/sdk/durations";
import { parseUnits } from "@aqua/sdk/maths/units";
import { fromHex, noReading, toHex } from "@aqua/sdk/proofs/reading";
import type { IncomeSource } from "../operator.ts";
import { DOLLAR_DECIMALS } from "../products.ts";

/** Seconds for which a report waits for anchored readings. After that, a report without income keeps deposits open. */
const PATIENCE = 5 * DAY;

/**
 * Income as the operator of a real product would report it: the server's computation from anchored readings, with the
 * head of their batch. Null while there is none or the server is unreachable: a report can wait without a loss.
 */
export function serverIncome(url: string): IncomeSource {
  return async (shortId, { from, to, closed }) => {
    const next = await ask(`${url}/api/v2/product/${shortId}/income/next`);
    if (next === null) return null;
    const evidence = next.anchor === null ? noReading : toHex(fromHex(next.anchor.head));
    if (next.to !== null && next.expected !== null) {
      return { gain: parseUnits(next.expected, DOLLAR_DECIMALS), asOf: Math.floor(next.to / 1_000), evidence };
    }
    // An unread meter continues to count, so its income belongs to the next report.
    return closed || to - from > PATIENCE ? { gain: 0n, asOf: to, evidence } : null;
  };
}

/** The fields of GET product/{shortId}/income/next that are needed here; null when there is no answer. */
async function ask(url: string): Promise<NextIncome | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  return response?.ok ? ((await response.json()) as { data: NextIncome }).data : null;
}

interface NextIncome {
  /** Unix milliseconds; null while nothing new is anchored. */
  to: number | null;
  expected: string | null;
  anchor: { head: string } | null;
}
