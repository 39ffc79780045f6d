import { incomeBetween } from "../income.ts";
import { devnetProducts, dollars, findProduct, vaultLimits } from "../products.ts";
import { Random } from "../random.ts";
import { type Intent, intentsOf } from "./intents.ts";
import { VaultModel } from "./model.ts";

/** One thing that happens on the chain, with exact amounts in smallest units. */
export type Action =
  | { kind: "onboard"; depositor: number; funds: bigint }
  | { kind: "deposit"; depositor: number; shortId: string; assets: bigint; approve: boolean }
  | { kind: "withdraw"; depositor: number; shortId: string; assets: bigint }
  | { kind: "exit"; depositor: number; shortId: string; shares: bigint }
  | { kind: "transfer"; depositor: number; shortId: string; to: number; shares: bigint }
  | { kind: "report"; shortId: string; gain: bigint; asOf: number };

/** A block to be mined at exactly `time` (Unix seconds). It never holds two acts upon one vault, so order is no matter. */
export interface PlannedBlock {
  time: number;
  actions: Action[];
}

export interface Plan {
  blocks: PlannedBlock[];
  /** Each vault as it must be after the last block. */
  vaults: ReadonlyMap<string, VaultModel>;
}

export interface PlanOptions {
  /** Unix seconds at which the vaults were created. */
  start: number;
  /** Unix seconds of the last moment anything may happen. */
  end: number;
  /** How many depositors take part, at most DEPOSITOR_COUNT. */
  depositors: number;
}

type Event = Intent | { kind: "report"; time: number; shortId: string };

const DAY = 86_400;
/** Acts this close together share a block. */
const BLOCK_WINDOW = 1_800;

/** Plans a world: the same options give the same blocks, to the last unit. */
export function planWorld(options: PlanOptions): Plan {
  const { start, end, depositors } = options;
  const days = Math.floor((end - start) / DAY);
  const events: Event[] = [...reportEvents(start, end)];
  for (let depositor = 0; depositor < depositors; depositor++) {
    for (const intent of intentsOf(depositor, days, depositors)) events.push({ ...intent, time: start + intent.time });
  }
  const sorted = events
    .filter((event) => event.time > start && event.time <= end)
    .sort((a, b) => a.time - b.time || order(a).localeCompare(order(b)));

  const vaults = new Map(devnetProducts.map(({ shortId }) => [shortId, new VaultModel(start)]));
  const blocks: PlannedBlock[] = [];
  const approved = new Set<string>();
  const spent = new Map<number, bigint>();
  const onboarded = new Set<number>();
  for (const { time, events: together } of grouped(sorted)) {
    const actions: Action[] = [];
    for (const event of together) {
      const action = resolve(event, vaults, time, { approved, spent, onboarded });
      if (action !== null) actions.push(action);
    }
    if (actions.length > 0) blocks.push({ time, actions });
  }
  fund(blocks, spent);
  return { blocks, vaults };
}

function order(event: Event): string {
  return `${event.kind} ${"shortId" in event ? event.shortId : ""} ${"depositor" in event ? event.depositor : ""}`;
}

function* reportEvents(start: number, end: number): Generator<Event> {
  for (const { shortId, reportEveryDays, reportMinute } of devnetProducts) {
    const first = Math.ceil((start - reportMinute * 60) / DAY) + 1;
    for (let day = first; ; day += reportEveryDays) {
      // Operators press the button within the same quarter of an hour, not on the second.
      const time = day * DAY + reportMinute * 60 + new Random(`${shortId} report ${day}`).between(0, 900);
      if (time > end) break;
      yield { kind: "report", time, shortId };
    }
  }
}

/** Events that may share a block, with the block's time: that of the last of them. */
function* grouped(events: readonly Event[]): Generator<{ time: number; events: Event[] }> {
  let group: Event[] = [];
  let touched = new Set<string>();
  let last = 0;
  const close = () => {
    const time = Math.max(last + 1, group.at(-1)?.time ?? 0);
    last = time;
    const result = { time, events: group };
    group = [];
    touched = new Set();
    return result;
  };
  for (const event of events) {
    const keys = "shortId" in event ? [event.shortId] : [];
    if ("depositor" in event) keys.push(`wallet ${event.depositor}`);
    const first = group[0];
    if (first !== undefined && (event.time - first.time > BLOCK_WINDOW || keys.some((key) => touched.has(key)))) {
      yield close();
    }
    group.push(event);
    for (const key of keys) touched.add(key);
  }
  if (group.length > 0) yield close();
}

interface Ledger {
  approved: Set<string>;
  spent: Map<number, bigint>;
  onboarded: Set<number>;
}

/** Turns an event into an action at `time` and applies it to the models; null when it is not possible then. */
function resolve(
  event: Event,
  vaults: ReadonlyMap<string, VaultModel>,
  time: number,
  { approved, spent, onboarded }: Ledger,
): Action | null {
  if (event.kind === "onboard") {
    onboarded.add(event.depositor);
    return { kind: "onboard", depositor: event.depositor, funds: 0n };
  }
  const { shortId } = event;
  const vault = vaults.get(shortId);
  if (vault === undefined) throw new Error(`No vault for ${shortId}.`);
  const product = findProduct(shortId);
  if (event.kind === "report") {
    const gain = incomeBetween(product, vault.lastAsOf, event.time, vault.totalAssets(time));
    vault.report(gain, event.time, time, Number(vaultLimits.vestingTime));
    return { kind: "report", shortId, gain, asOf: event.time };
  }
  const { depositor } = event;
  switch (event.kind) {
    case "deposit": {
      const { assets } = event;
      const fresh = time <= vault.lastAsOf + Number(vaultLimits.maxReportAge);
      if (!fresh || assets < product.minDeposit || vault.totalAssets(time) + assets > product.cap) return null;
      vault.deposit(depositor, assets, time);
      spent.set(depositor, (spent.get(depositor) ?? 0n) + assets);
      const key = `${depositor} ${shortId}`;
      const approve = !approved.has(key);
      approved.add(key);
      return { kind: "deposit", depositor, shortId, assets, approve };
    }
    case "withdraw": {
      const part = (vault.valueOf(depositor, time) * BigInt(event.perThousand)) / 1000n;
      const assets = part - (part % dollars(25));
      if (assets === 0n) return null;
      vault.withdraw(depositor, assets, time);
      return { kind: "withdraw", depositor, shortId, assets };
    }
    case "exit": {
      const shares = vault.sharesOf(depositor);
      if (vault.valueOf(depositor, time) === 0n) return null;
      vault.redeem(depositor, shares, time);
      return { kind: "exit", depositor, shortId, shares };
    }
    case "transfer": {
      const shares = (vault.sharesOf(depositor) * BigInt(event.perThousand)) / 1000n;
      if (shares === 0n || !onboarded.has(event.to)) return null;
      vault.transfer(depositor, event.to, shares);
      return { kind: "transfer", depositor, shortId, to: event.to, shares };
    }
  }
}

/** Gives each depositor, when joining, what all later deposits take and something to spare. */
function fund(blocks: readonly PlannedBlock[], spent: ReadonlyMap<number, bigint>): void {
  for (const { actions } of blocks) {
    for (const action of actions) {
      if (action.kind !== "onboard") continue;
      const spare = dollars(new Random(`spare ${action.depositor}`).between(40, 6_000));
      action.funds = (spent.get(action.depositor) ?? 0n) + spare;
    }
  }
}
