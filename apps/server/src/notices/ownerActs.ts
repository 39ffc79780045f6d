import type { Announcement } from "@aqua/sdk/api/notices";
import type { LanguageCode } from "@aqua/sdk/languages";
import { parseUnits } from "@aqua/sdk/maths/units";
import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import type { MailNote } from "../mail/texts.ts";
import { nameOf } from "../portfolio/holdings.ts";
import { productsOf } from "../product/store.ts";
import { addressesOf } from "../records/store.ts";
import { scheduledCalls } from "../transparency/announcements.ts";
import { changesOf, type Exit, exitOfWallets } from "./announcements.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { holdersOf } from "./store.ts";

/** `exit` is the date by which the reader could exit. It is omitted if unknown; a note then explains why. */
interface OwnerChange extends ChainFacts {
  product: string;
  from: string;
  exit?: string;
}
interface CustodianChange extends OwnerChange {
  custodian: string;
  formerCustodian: string;
  buffer: string;
  formerBuffer: string;
}

export const ownerMails = {
  fee_change: defineMail<OwnerChange & { fee: string; formerFee: string }>({
    action: "action.product",
    required: true,
  }),
  custodian_change: defineMail<CustodianChange>({ action: "action.product", required: true }),
};
type OwnerMail = ContentOf<typeof ownerMails>;

const RATE_DECIMALS = 18;

/** Notifies every holder of a scheduled change of fee or custodian, with the date by which this holder could exit. */
export async function ownerActs(view: ChainView): Promise<Notice<OwnerMail>[]> {
  const { tx, chain, state, states } = view;
  const { chainId } = chain;
  const calls = await scheduledCalls(tx, { chainId, products: await productsOf(tx, [chainId]), now: state.time });
  const notices: Notice<OwnerMail>[] = [];
  if (calls.length === 0) return notices;
  for (const known of state.products.values()) {
    if (known.type !== "demand_deposit") continue;
    const { current } = known;
    const changes = changesOf(current, calls);
    if (changes.length === 0) continue;
    const holders = await holdersOf(tx, current.product);
    for (const change of changes) {
      for (const { accountId } of holders) {
        notices.push({
          accountId,
          kind: "owner_acts",
          key: `${change.kind}:${chainId}:${change.operation}:${change.nonce}`,
          async compose(language) {
            const wallets = await addressesOf(tx, accountId);
            const exit = await exitOfWallets(tx, { states, chain, state, current, wallets });
            const product = nameOf(current, view.documents, language);
            const path = `/product/${current.product.shortId}`;
            return contentOf({ view, change, exit, language, product, path });
          },
        });
      }
    }
  }
  return notices;
}

function contentOf(of: {
  view: ChainView;
  change: Announcement;
  exit: Exit;
  language: LanguageCode;
  product: string;
  path: string;
}): OwnerMail {
  const { view, change, exit, language, product, path } = of;
  const format = mailFormat(language);
  const percent = (fraction: string) => format.percent(parseUnits(fraction, RATE_DECIMALS));
  const common = {
    path,
    product,
    from: format.date(change.possible_from),
    ...(exit.exit === null ? {} : { exit: format.date(view.asOf.time + exit.exit.p90) }),
    notes: [noteOf(exit)],
    ...figuresOf(view, format),
  };
  if (change.kind === "fee")
    return { kind: "fee_change", ...common, fee: percent(change.next.fee), formerFee: percent(change.present.fee) };
  const { present, next } = change;
  const changed: MailNote[] = [
    ...(present.custodian === next.custodian ? [] : (["custodian_new"] as const)),
    ...(present.buffer === next.buffer ? [] : (["buffer_new"] as const)),
  ];
  return {
    kind: "custodian_change",
    ...common,
    notes: [...changed, ...common.notes],
    custodian: next.custodian ?? "—",
    formerCustodian: present.custodian ?? "—",
    buffer: percent(next.buffer),
    formerBuffer: percent(present.buffer),
  };
}

function noteOf({ exit, unknown }: Exit): MailNote {
  if (exit !== null) return exit.p90 === 0 ? "exit_now" : "exit_by";
  return unknown === "restricted" ? "exit_restricted" : "exit_no_estimate";
}
