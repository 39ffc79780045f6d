import type { Announcement, Announcements, ExitUnknown } from "@aqua/sdk/api/notices";
import type { ScheduledCall } from "@aqua/sdk/api/transparency";
import type { LanguageCode } from "@aqua/sdk/languages";
import type { Wait } from "@aqua/sdk/maths/wait";
import { getAddress, type Hex, zeroAddress } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import type { ChainState, createChainStates } from "../portfolio/chainState.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { positionsOf } from "../portfolio/positions.ts";
import { listRequests } from "../portfolio/requestStore.ts";
import type { Documents } from "../product/documents.ts";
import { waitForAll } from "../product/exit.ts";
import { findCurrent } from "../product/find.ts";
import { type CurrentProduct, productsOf } from "../product/store.ts";
import { formatRatio } from "../product/termOffers.ts";
import { scheduledCalls } from "../transparency/announcements.ts";

type States = ReturnType<typeof createChainStates>;

/** The scheduled calls that change a product's fee or custodian, in their order. */
export function changesOf({ product, vault }: CurrentProduct, calls: readonly ScheduledCall[]): Announcement[] {
  return calls.flatMap((call): Announcement[] => {
    if (call.target.toLowerCase() !== product.address) return [];
    const { operation, nonce, scheduled_at, possible_from, possible_until, args } = call;
    const common = { operation, nonce, scheduled_at, possible_from, possible_until, hash: call.hash };
    if (call.name === "setTreasury") {
      const fee = BigInt(args.newFee ?? 0);
      // A call that only names another treasury changes nothing for a holder.
      if (fee === vault.fee) return [];
      return [{ ...common, kind: "fee", present: { fee: formatRatio(vault.fee) }, next: { fee: formatRatio(fee) } }];
    }
    if (call.name !== "setCustodian") return [];
    const present = custody(vault.custodian, vault.buffer);
    const next = custody((args.newCustodian ?? null) as Hex | null, BigInt(args.newBuffer ?? 0));
    if (present.custodian === next.custodian && present.buffer === next.buffer) return [];
    return [{ ...common, kind: "custodian", present, next }];
  });
}

function custody(custodian: Hex | null, buffer: bigint) {
  const named = custodian !== null && custodian !== zeroAddress;
  return { custodian: named ? getAddress(custodian) : null, buffer: formatRatio(buffer) };
}

/** The time within which some wallets together could exit a product, or the reason why it is not known. */
export type Exit = { exit: Wait; unknown: null } | { exit: null; unknown: ExitUnknown };

const unknown = (reason: ExitUnknown): Exit => ({ exit: null, unknown: reason });

/**
 * Estimates the exit of everything that the wallets hold in a demand deposit. Money that is set aside for them has
 * already left.
 */
export async function exitOfWallets(
  tx: Orm,
  {
    states,
    chain,
    state,
    current,
    wallets,
  }: { states: States; chain: IndexedChain; state: ChainState; current: CurrentProduct; wallets: readonly Hex[] },
): Promise<Exit> {
  const { product, vault } = current;
  if (wallets.length === 0) return unknown("no_position");
  const { positions } = await positionsOf(tx, { states, chains: [chain], wallets });
  const held = positions.filter((one) => one.product.address === product.address && one.record.shares > 0n);
  if (held.length === 0) return unknown("no_position");
  if (held.some(({ mayLeave }) => !mayLeave)) return unknown("restricted");
  const free = held.reduce((sum, { record }) => sum + record.shares - record.pending, 0n);
  const requests = (await listRequests(tx, chain.chainId, wallets))
    .map(({ place }) => place)
    .filter((place) => place.product === product.address);
  const past = await state.pastOf(tx, product);
  const exit = waitForAll({ vault, past, now: state.time, free, requests });
  return exit === null ? unknown("no_estimate") : { exit, unknown: null };
}

export interface AnnouncementService {
  /**
   * Scheduled changes of a product. `wallets` are the wallets of one holder, separated by commas. @throws ApiError
   * pool_not_found
   */
  of(shortId: string, query: { wallets?: string | undefined; lang?: LanguageCode | undefined }): Promise<Announcements>;
}

/** Reads the changes that a product's owner has scheduled, together with the caller's estimated exit. */
export function createAnnouncementService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  states: States;
}): AnnouncementService {
  const { db, documents, states } = parts;
  const chains = parts.chains.filter(({ deployment }) => deployment !== null);
  return {
    of: (shortId, query) =>
      db.transaction(async (tx) => {
        const { chain, asOf, current } = await findCurrent(tx, chains, shortId);
        const { chainId } = chain;
        const answer = {
          short_id: shortId,
          name: nameOf(current, documents, query.lang),
          chain_id: chainId,
          as_of: asOf,
        };
        if (!("vault" in current)) return { ...answer, changes: [], exit: null, exit_unknown: "no_position" };
        const products = await productsOf(tx, [chainId]);
        const calls = await scheduledCalls(tx, { chainId, products, now: asOf.time / 1_000 });
        const [snapshot] = await states.at(tx, [chain]);
        const wallets = [...new Set((query.wallets?.toLowerCase().split(",") ?? []) as Hex[])];
        const { exit, unknown: reason } = snapshot
          ? await exitOfWallets(tx, { states, chain, state: snapshot.state, current, wallets })
          : unknown("no_position");
        return { ...answer, changes: changesOf(current, calls), exit, exit_unknown: reason };
      }, "repeatable read"),
  };
}
