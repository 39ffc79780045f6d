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

/** A notice that one account receives once. */
export interface Notice<Content extends MailContent> {
  accountId: string;
  kind: NoticeKind;
  /** Identifies the subject of the notice. It is the same whenever the notice is about the same fact. */
  key: string;
  /** Called in the snapshot in which the fact was found. Null if there is nothing to send after all. */
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

/** Days before an expiry at which its notices are sent, the last notice first. */
const EXPIRY_STAGES = [7, 30] as const;
/** Seconds before an expiry at which the first notice is sent. */
export const FIRST_EXPIRY_STAGE = 30 * DAY;

/** The notice that is due `left` seconds before an expiry. Null before the first one and after the expiry. */
export function expiryStage(left: number): (typeof EXPIRY_STAGES)[number] | null {
  return left <= 0 ? null : (EXPIRY_STAGES.find((days) => left <= days * DAY) ?? null);
}
