import type { IncomeProof, PoolAccounts } from "../api/incomeProof.ts";
import { previewRedeem } from "../maths/shares.ts";
import { totalAssetsAt } from "../maths/stream.ts";

type Product = IncomeProof["products"][number];
export type IncomeEvent = Product["steps"][number];
export type ReportEvent = Extract<IncomeEvent, { kind: "report" }>;
/** The wallet's units and its set-aside money, in smallest units. */
export interface Held {
  units: bigint;
  claimable: bigint;
}

/** Total assets and supply of shares at `time`, Unix seconds. */
export function poolOf({ supply, settled, streaming, start, end }: PoolAccounts, time: number) {
  const stream = {
    settled: BigInt(settled),
    streaming: BigInt(streaming),
    start: BigInt(start),
    end: BigInt(end),
  };
  return { totalAssets: totalAssetsAt(stream, BigInt(time)), supply: BigInt(supply) };
}

/** What is held, at the share price of these accounts at `time` (Unix seconds): ⌊units × price⌋ + claimable. */
export function worthOf({ units, claimable }: Held, accounts: PoolAccounts, time: number): bigint {
  return previewRedeem(units, poolOf(accounts, time)) + claimable;
}

/** The parts of an event that change what a wallet holds. */
export type HoldingEvent = Pick<IncomeEvent, "kind"> & { shares?: string; assets?: string };

/** What a wallet holds after an event. A request only moves units into the queue, where they still earn. */
export function heldAfter({ units, claimable }: Held, { kind, shares = "0", assets = "0" }: HoldingEvent): Held {
  const [moved, money] = [BigInt(shares), BigInt(assets)];
  switch (kind) {
    case "deposit":
      return { units: units + moved, claimable };
    case "withdraw":
      return { units: units - moved, claimable };
    case "transfer_in":
      return { units: units + moved, claimable: claimable + money };
    case "transfer_out":
      return { units: units - moved, claimable: claimable - money };
    case "processed":
      return { units: units - moved, claimable: claimable + money };
    case "claim":
      return { units, claimable: claimable - money };
    default:
      return { units, claimable };
  }
}

/**
 * What the wallet paid in with an event, less what it was paid. A transfer counts at what it moves is worth then, so
 * that it brings no income.
 */
function flowOf(
  event: HoldingEvent & { accounts: PoolAccounts; time: number },
  { before, after }: { before: Held; after: Held },
): bigint {
  const { kind, assets = "0", accounts, time } = event;
  if (kind === "deposit") return BigInt(assets);
  if (kind === "withdraw" || kind === "claim") return -BigInt(assets);
  if (kind !== "transfer_in" && kind !== "transfer_out") return 0n;
  return worthOf(after, accounts, time) - worthOf(before, accounts, time);
}

/** A moment at which the units have a value: an event, or the start or the end of the month. */
type Moment = { accounts: PoolAccounts; time: number };

export interface Earned<Event> {
  event: Event;
  held: Held;
  value: bigint;
  /** Earned since the event before: value after − value before − flow. */
  earned: bigint;
}

/**
 * What a wallet's units earned, event by event, in smallest units of the asset. `income` = closing value − opening
 * value − the sum of all flows, exactly. Each value is rounded down as `previewRedeem` rounds, so `income` differs
 * from the unrounded change of the price by less than one unit for each value at which the number of units changes.
 */
export function earnedBy<Event extends HoldingEvent & Moment>({
  opening,
  events,
  closing,
}: {
  /** Null before the product existed. */
  opening: (Moment & Held) | null;
  events: readonly Event[];
  closing: Moment;
}): { steps: Earned<Event>[]; closing: Held & { value: bigint }; income: bigint } {
  let held: Held = { units: opening?.units ?? 0n, claimable: opening?.claimable ?? 0n };
  let value = opening === null ? 0n : worthOf(held, opening.accounts, opening.time);
  let income = 0n;
  const steps = events.map((event): Earned<Event> => {
    const after = heldAfter(held, event);
    const worth = worthOf(after, event.accounts, event.time);
    const earned = worth - value - flowOf(event, { before: held, after });
    income += earned;
    [held, value] = [after, worth];
    return { event, held, value, earned };
  });
  const end = worthOf(held, closing.accounts, closing.time);
  return { steps, closing: { ...held, value: end }, income: income + end - value };
}
