import type { AsOf } from "@aqua/sdk/api/envelope";
import type { NoticeKind } from "@aqua/sdk/api/notices";
import { allChains } from "@aqua/sdk/chains";
import { DAY } from "@aqua/sdk/durations";
import type { LanguageCode } from "@aqua/sdk/languages";
import type { Orm } from "../db/database.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import type { Figures, MailContent } from "../mail/definition.ts";
import type { MailFormat } from "../mail/format.ts";
import type { ChainState, createChainStates } from "../portfolio/chainState.ts";
import type { Documents } from "../product/documents.ts";

/** What one account is to be notified of, once. */
export interface Notice<Content extends MailContent> {
  accountId: string;
  kind: NoticeKind;
  /** The same whenever the notice is about the same thing. */
  key: string;
  /** Called in the snapshot it was found in; null where there is nothing to send after all. */
  compose(language: LanguageCode): Promise<Content | null> | Content | null;
}

/** A chain at one block, read in the snapshot of `tx`. */
export interface ChainView {
  tx: Orm;
  chain: IndexedChain;
  asOf: AsOf;
  state: ChainState;
  states: ReturnType<typeof createChainStates>;
  documents: Documents;
}

export function chainNameOf(chainId: number): string {
  return allChains.find(({ id }) => id === chainId)?.name ?? `Chain ${chainId}`;
}

export function figuresOf({ asOf }: Pick<ChainView, "asOf">, format: MailFormat): Figures {
  return {
    block: format.count(asOf.block),
    chain: chainNameOf(asOf.chain_id),
    read: format.dateTime(asOf.time),
  };
}

/** Days before an end at which its notices go out, the last first. */
const EXPIRY_STAGES = [7, 30] as const;
/** How long before an end its first notice goes out, seconds. */
export const FIRST_EXPIRY_STAGE = 30 * DAY;

/** The notice that is due so many seconds before an end; null before the first and after the end. */
export function expiryStage(left: number): (typeof EXPIRY_STAGES)[number] | null {
  return left <= 0 ? null : (EXPIRY_STAGES.find((days) => left <= days * DAY) ?? null);
}
