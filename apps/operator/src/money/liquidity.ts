import type { Liquidity } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { idleFor } from "@aqua/sdk/maths/wait";
import { CommandError } from "../api.ts";
import { table } from "../caseTable.ts";
import { wholeOf } from "../chainOptions.ts";
import { askServer } from "../publicApi.ts";
import { jsonText, type Terminal } from "../terminal.ts";

/** What leaves, the server's estimate of its wait, and the idle money with which nine tenths of such exits wait less. */
interface Scenario {
  /** Fraction of all deposits. */
  part: string;
  amount: string;
  wait: Liquidity["wait"];
  idle_needed: string;
  missing: string;
}

/** `aqua money liquidity`: how much idle money keeps a promised wait if a part of the deposits leaves. */
export async function planLiquidity(
  shortId: string,
  options: { within: string; json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const days = wholeOf("within", options.within, 1) as number;
  const answer = await askServer(terminal.environment, (client) => client.productLiquidity(shortId));
  if (answer.type !== "demand_deposit" || answer.queue === null)
    throw new CommandError(`${shortId} has no queue: only the withdrawals of a demand deposit wait`);
  const plan = planOf(answer, days);
  if (options.json) return terminal.out(jsonText({ product: shortId, within_days: days, ...plan }));
  const { idle, ahead, inflow, scenarios } = plan;
  const rows = scenarios.map(({ part, amount, wait, idle_needed, missing }) => [
    `${Number(part) * 100} %`,
    ...[amount, daysOf(wait?.p50), daysOf(wait?.p90), idle_needed, missing],
  ]);
  terminal.out(
    `Idle ${idle}, waiting in the queue ${ahead}, inflow within ${days} days in nine tenths of the past ${inflow}\n\n`,
  );
  terminal.out(table(["LEAVES", "AMOUNT", "WAIT P50", "WAIT P90", `IDLE FOR ${days} D`, "MISSING"], rows));
  terminal.out("\nThe waits are the server's, from now on. A request also waits for the next report and its stream.\n");
}

/** Amounts in whole units of the asset. `inflow`: what became idle within the time in nine tenths of the past. */
function planOf({ idle, queue, scenarios, inflow_ahead, as_of }: Liquidity, days: number) {
  const decimals = idle.split(".")[1]?.length ?? 0;
  const units = (text: string) => parseUnits(text, decimals);
  const text = (amount: bigint) => formatUnits(amount, decimals);
  // Only whole weeks are known. What comes after the last one within the time does not count.
  const weeks = inflow_ahead.filter(({ time }) => time <= as_of.time + days * DAY_MS);
  const inflow = weeks.at(-1)?.p90 ?? text(0n);
  const ahead = queue?.value ?? text(0n);
  const plans = scenarios.map(({ part, amount, wait }): Scenario => {
    const needed = idleFor({ amount: units(amount), ahead: units(ahead), inflow: units(inflow) });
    const missing = needed > units(idle) ? needed - units(idle) : 0n;
    return { part, amount, wait, idle_needed: text(needed), missing: text(missing) };
  });
  return { idle, ahead, inflow, scenarios: plans };
}

const daysOf = (ms: number | undefined) => (ms === undefined ? "unknown" : `${Math.ceil(ms / DAY_MS)} d`);
