import type { IncomeProof, incomeProofQuery } from "@aqua/sdk/api/incomeProof";
import { type Earned, earnedBy, type IncomeEvent, worthOf } from "@aqua/sdk/proofs/income";
import { getAddress, type Hex } from "viem";
import type { z } from "zod";
import type { Database, Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { OpenFindings } from "../../findings/open.ts";
import type { IndexedChain } from "../../indexer/stamp.ts";
import type { PositionState } from "../../indexer/world.ts";
import type { Documents } from "../../product/documents.ts";
import type { CurrentProduct } from "../../product/store.ts";
import type { Trees } from "../../telemetry/anchoring/trees.ts";
import { boundAt } from "../balances.ts";
import { createChainStates } from "../chainState.ts";
import { accountsAt, type PositionChange, positionChanges, positionsAt } from "../positionStore.ts";
import { MAX_LINES } from "../statement.ts";
import { demandHistory } from "../withheld.ts";
import { tellAccounts } from "./accounts.ts";
import { type Evidences, evidencesOf } from "./evidence.ts";
import { type AccountsChange, accountsChanges } from "./store.ts";

type ProductProof = IncomeProof["products"][number];
type Query = z.output<typeof incomeProofQuery>;
/** An event whose results are not computed yet. */
type Unvalued<Event> = Event extends unknown ? Omit<Event, "units" | "claimable" | "value" | "earned"> : never;
type Event = Unvalued<IncomeEvent>;

export interface IncomeProofService {
  /** Builds the file of one wallet and month. */
  file(wallet: string, query: Query): Promise<IncomeProof>;
}

export function createIncomeProofService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  trees: Trees;
  findings: OpenFindings;
}): IncomeProofService {
  const { db, documents, trees, findings } = parts;
  const chains = parts.chains.filter(({ deployment }) => deployment !== null);
  const states = createChainStates();

  return {
    file: (address, { month, short_id, chain_id }) =>
      db.transaction(async (tx) => {
        const chain = chains.find(({ chainId }) => chain_id === undefined || chain_id === chainId);
        if (!chain) throw refused("chain_id", "This chain is not served here");
        const [snapshot] = await states.at(tx, [chain]);
        if (!snapshot) throw refused("chain_id", "This chain is not served here");
        const { asOf, state } = snapshot;
        const span = spanOf(month, asOf.time);
        const demand = [...state.products.values()].filter((one) => one.type === "demand_deposit");
        const selected = demand.filter(({ current }) => short_id === undefined || current.product.shortId === short_id);
        if (short_id !== undefined && selected.length === 0)
          throw new ApiError("pool_not_found", "There is no demand deposit with this id");
        const telemetry = chain.deployment?.telemetry_anchor ?? null;
        const wallet = address.toLowerCase() as Hex;
        demandHistory(await findings.read(), "The income file", {
          products: selected.map(({ current }) => current.product.shortId),
          wallets: [wallet],
          also: ["reports", "readings", "batches", "keys"],
        });
        const products = await productsOf(tx, {
          wallet,
          span,
          selected: selected.map(({ current }) => current),
          chain: { chainId: chain.chainId, telemetry: telemetry === null ? null : getAddress(telemetry) },
          sources: { documents, trees },
        });
        return {
          format: "aqua-income-proof-1",
          wallet: getAddress(wallet),
          chain_id: chain.chainId,
          month,
          from: span.from.valuedAt,
          to: span.to.valuedAt,
          block: span.isWhole ? null : asOf.block,
          products,
        };
      }, "repeatable read"),
  };
}

function refused(path: string, message: string): ApiError {
  return new ApiError("validation_error", message, { details: [{ path, message }] });
}

interface Span {
  from: ReturnType<typeof boundAt>;
  to: ReturnType<typeof boundAt>;
  /** False while the month has not ended. */
  isWhole: boolean;
}

/** @param asOf time of the indexed block, Unix milliseconds */
function spanOf(month: string, asOf: number): Span {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const [from, end] = [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)];
  if (from > asOf) throw refused("month", "This month has not come yet");
  const isWhole = end <= asOf;
  return { from: boundAt(from), to: boundAt(isWhole ? end : asOf + 1), isWhole };
}

async function productsOf(
  tx: Orm,
  {
    wallet,
    span,
    selected,
    chain: { chainId, telemetry },
    sources,
  }: {
    wallet: Hex;
    span: Span;
    selected: readonly CurrentProduct[];
    chain: { chainId: number; telemetry: Hex | null };
    sources: { documents: Documents; trees: Trees };
  },
): Promise<ProductProof[]> {
  const range = { from: span.from.last + 1, to: span.to.last };
  const only = selected.length === 1 ? selected[0]?.product.address : undefined;
  const changes = await positionChanges(tx, {
    chainId,
    addresses: [wallet],
    span: { ...range, limit: MAX_LINES + 1, product: only },
  });
  if (changes.length > MAX_LINES)
    throw new ApiError("payload_too_large", `More than ${MAX_LINES} movements; ask for one product`);
  const before = await positionsAt(tx, { chainId, addresses: [wallet], until: span.from.last });
  const accounts = await accountsAt(tx, {
    chainId,
    products: selected.map(({ product }) => product.address),
    times: [span.from.last, span.to.last],
  });
  const products: ProductProof[] = [];
  for (const { product, vault } of selected) {
    const { address } = product;
    const known = before.find((position) => position.product === address) ?? null;
    const own = changes.filter(({ position }) => position.product === address);
    if (own.length === 0 && !(known && (known.shares > 0n || known.claimable > 0n))) continue;
    const [opening, closing] = [span.from, span.to].map(({ last }) => accounts(address, last).vault);
    if (!closing) throw new RangeError(`${product.shortId} has positions and no accounts`);
    const evidences = await evidencesOf(tx, { product, ...sources, span: range });
    const events = [
      ...movementsOf(known, own),
      ...(await accountsChanges(tx, product, range)).map((change) => tellChange(change, evidences)),
    ].sort((a, b) => a.block - b.block || a.log_index - b.log_index);
    const held = { units: known?.shares ?? 0n, claimable: known?.claimable ?? 0n };
    const start = opening ? { accounts: tellAccounts(opening), time: span.from.valuedAt, ...held } : null;
    const end = { accounts: tellAccounts(closing), time: span.to.valuedAt };
    const earned = earnedBy({ opening: start, events, closing: end });
    products.push({
      short_id: product.shortId,
      contract: getAddress(address),
      queue: vault.queue && getAddress(vault.queue),
      telemetry,
      symbol: product.assetSymbol,
      decimals: product.assetDecimals,
      vesting_time: vault.vestingTime,
      opening: start && {
        accounts: start.accounts,
        ...tellHeld(held),
        value: String(worthOf(held, start.accounts, start.time)),
      },
      steps: earned.steps.map(tellStep),
      closing: { accounts: end.accounts, ...tellHeld(earned.closing), value: String(earned.closing.value) },
      income: String(earned.income),
      documents: evidences.documents,
      batches: evidences.batches,
      readings: evidences.readings,
    });
  }
  return products;
}

function tellHeld({ units, claimable }: { units: bigint; claimable: bigint }) {
  return { units: String(units), claimable: String(claimable) };
}

function tellStep({ event, held, value, earned }: Earned<Event>): IncomeEvent {
  return { ...event, ...tellHeld(held), value: String(value), earned: String(earned) };
}

type MovementKind = Extract<Event, { shares: string }>["kind"];

/** The wallet's movements in chain order. `known` is its position before the first of them. */
function movementsOf(known: PositionState | null, changes: readonly PositionChange[]): Event[] {
  let claimable = known?.claimable ?? 0n;
  return changes.flatMap(({ position, movement, vault }): Event[] => {
    const aside = position.claimable - claimable;
    claimable = position.claimable;
    if (!movement || !vault) return [];
    const { kind, shares, assets, block, logIndex, hash, time } = movement;
    const paid = kind === "request" ? 0n : kind.startsWith("transfer") ? (aside < 0n ? -aside : aside) : assets;
    return [
      {
        // Only time deposits have movements of the other kinds.
        kind: kind as MovementKind,
        ...{ block, log_index: logIndex, hash, time },
        accounts: tellAccounts(vault),
        shares: String(shares),
        assets: String(paid),
      },
    ];
  });
}

function tellChange(change: AccountsChange, evidences: Evidences): Event {
  const { kind, block, logIndex, hash, time, before, after, report } = change;
  const place = { block, log_index: logIndex, hash, time, accounts: tellAccounts(after) };
  if (kind !== "report") return { kind, ...place };
  const window = report && evidences.of(report.hash);
  if (!report || !window) throw new RangeError(`The report of ${hash} has no window`);
  const { delta, asOf, evidenceRoot } = report;
  const grown = after.settled + after.streaming - before.settled - before.streaming;
  return {
    kind,
    ...place,
    from: window.from,
    as_of: asOf,
    delta: String(delta),
    fee: String(delta - grown),
    evidence_root: evidenceRoot,
    before: tellAccounts(before),
    evidence: window.evidence,
  };
}
