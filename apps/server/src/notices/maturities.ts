import { DAY } from "@aqua/sdk/durations";
import type { LanguageCode } from "@aqua/sdk/languages";
import { autoRollWindow, timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Receipt } from "../indexer/world.ts";
import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { type MailFormat, mailFormat } from "../mail/format.ts";
import type { MailNote } from "../mail/texts.ts";
import type { TimeState } from "../portfolio/chainState.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { maturingReceipts } from "./store.ts";

interface Maturity extends ChainFacts {
  product: string;
  receipt: string;
  wallet: string;
  date: string;
  maturity: string;
  principal: string;
  interest: string;
  /** The term and the annual rate of a rollover, and when it can be carried out at the latest. */
  term?: string;
  rate?: string;
  rollEnd?: string;
}

export const maturityMails = {
  deposit_matures: defineMail<Maturity>({ action: "action.portfolio" }),
  deposit_maturity_day: defineMail<Maturity>({ action: "action.portfolio" }),
};
type MaturityNotice = Notice<ContentOf<typeof maturityMails>>;

const rollNotes: readonly MailNote[] = ["roll_none", "roll_principal", "roll_all"];
/** How long after its maturity a receipt's notice is still sent if the server was down. */
const LATE = 3 * DAY;

/** Notifies owners of receipts seven days before maturity, and on the day of maturity (UTC). */
export async function maturities(view: ChainView): Promise<MaturityNotice[]> {
  const { tx, chain, state } = view;
  const now = state.time;
  const due = await maturingReceipts(tx, { chain: chain.chainId, from: now - LATE, to: now + 7 * DAY });
  return due.flatMap(({ accountId, receipt }): MaturityNotice[] => {
    const known = state.products.get(receipt.product);
    // In a winding down the maturities no longer apply.
    if (known?.type !== "time_deposit" || known.current.books.claims > 0n) return [];
    const dayStart = receipt.maturity - (receipt.maturity % DAY);
    const isDay = now >= dayStart;
    // A term shorter than the notice period needs no notice.
    if (receipt.openedAt >= (isDay ? dayStart : receipt.maturity - 7 * DAY)) return [];
    // These keys are stored. Changing one would send a notice again.
    const stage = isDay ? "matures" : "matures7";
    const key = `${stage}:${chain.chainId}:${receipt.product}:${receipt.receiptId}`;
    return [
      {
        accountId,
        kind: "maturities",
        key,
        compose: (language) => maturity({ view, receipt, isDay, known }, language),
      },
    ];
  });
}

function maturity(
  { view, receipt, isDay, known }: { view: ChainView; receipt: Receipt; isDay: boolean; known: TimeState },
  language: LanguageCode,
) {
  const format = mailFormat(language);
  const { product } = known.current;
  const asset = { symbol: product.assetSymbol, decimals: product.assetDecimals };
  return {
    kind: isDay ? "deposit_maturity_day" : "deposit_matures",
    path: "/portfolios",
    product: nameOf(known.current, view.documents, language),
    receipt: formatUnits(receipt.receiptId, 0),
    wallet: getAddress(receipt.owner),
    date: format.date(receipt.maturity * 1_000),
    maturity: format.dateTime(receipt.maturity * 1_000),
    principal: format.amount(receipt.principal, asset),
    interest: format.amount(receipt.interest, asset),
    ...instructionOf({ receipt, known, now: view.state.time }, format),
    ...figuresOf(view, format),
  } as const;
}

/** What happens at maturity by the receipt's instruction and the present terms, and until when it can be changed. */
function instructionOf(
  { receipt, known, now }: { receipt: Receipt; known: TimeState; now: number },
  format: MailFormat,
): Pick<Maturity, "notes" | "term" | "rate" | "rollEnd"> {
  const { terms, state } = known.current;
  const note = rollNotes[receipt.roll];
  const term = receipt.roll === 0 ? undefined : terms[receipt.rollTermId];
  const unit = timeUnits[term?.unit ?? -1];
  const notes: MailNote[] = note === undefined ? [] : [note];
  // From maturity on anyone may carry out the instruction, so that only before it a change is sure to be in time.
  const changeable: MailNote[] = now < receipt.maturity ? ["change_before"] : [];
  if (term === undefined || unit === undefined) return { notes: [...notes, ...changeable] };
  const isOpen = term.open && state.status === 0;
  return {
    notes: [...notes, isOpen ? "roll_open" : "roll_closed", ...changeable],
    term: format.term(term.count, unit),
    rate: format.percent(term.rate),
    rollEnd: format.dateTime((receipt.maturity + autoRollWindow) * 1_000),
  };
}
