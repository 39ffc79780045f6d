import type { TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import type { Order } from "@aqua/sdk/chain/orders";
import type { TermPosition } from "@aqua/sdk/chain/term-position";
import { capRoomOf, fundedRoomOf } from "@aqua/sdk/maths/receipts";
import type { Term } from "@aqua/sdk/maths/term";
import { openingAt } from "@aqua/sdk/maths/term-orders";
import { formatUnits, parseUnits, smaller } from "@aqua/sdk/maths/units";
import type { ReactNode } from "react";
import { formatAmount, formatDateTime, formatRate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { useNow } from "../../../ui/use-now.ts";
import { openTerms } from "../../products/deposit-state.ts";
import { depositAmount } from "../form/deposit-amount.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure } from "../form/preview-list.tsx";
import { termsOf } from "../form/product-terms.ts";
import { auditWarning, exampleAmount } from "../form/risk-lines.ts";
import { useAmountForm } from "../form/use-amount-form.ts";
import { type Drafts, useDraft } from "../form/use-draft.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import type { ActionState } from "../progress/use-action.ts";
import { DaySlider } from "./day-slider.tsx";
import { openLines } from "./open-lines.tsx";
import { lengthOf, rateText, TermChoice } from "./term-choice.tsx";

/**
 * The term that the form selects first: the term whose rate is the product's headline or, if that one is not open, the
 * first open term. Null if no term is open.
 */
export function preselectedTerm(product: Pick<TimeDetail, "status" | "books" | "term" | "terms">): TermOffer | null {
  const { term } = product;
  const open = openTerms(product);
  return open.find(({ value, unit }) => value === term?.value && unit === term.unit) ?? open[0] ?? null;
}

/** Converts an offer of the API to a term, for visitors without a wallet. */
function termOf(offer: TermOffer): Term {
  return {
    count: offer.value,
    unit: offer.unit,
    rate: parseUnits(offer.rate, 18),
    breakRate: parseUnits(offer.break_rate, 18),
    penalty: parseUnits(offer.penalty, 18),
  };
}

interface OpenFormProps {
  product: TimeDetail;
  owner: `0x${string}` | null;
  /** Null without a wallet, while loading, and when the chain does not respond. */
  position: TermPosition | null;
  obstacle: ReactNode | null;
  action: ActionState;
  drafts: Drafts;
}

/** Opens a time deposit: term, amount, and before signing all payouts with their dates, for any day. */
export function OpenForm({ product, owner, position, obstacle, action, drafts }: OpenFormProps) {
  const offers = openTerms(product);
  const [chosen, setChosen] = useDraft<number | null>(drafts, "term", null);
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);

  const terms = termsOf(product);
  const offer = offers.find((candidate) => candidate.term_id === chosen) ?? preselectedTerm(product);
  const term = offer === null ? null : termOf(offer);
  const now = useNow(60_000);
  // The deposit starts with its own block. On a quiet chain the newest block may be old, and block times may be ahead
  // of this clock, so the later of the two is used.
  const at = BigInt(Math.floor(Math.max(position?.time ?? product.as_of.time, now) / 1_000));
  const rooms = roomsOf();
  const maxAmount =
    rooms === null || position === null ? null : smaller(position.assetBalance, smaller(rooms.cap, rooms.funded));
  const form = useAmountForm({ name: "open", drafts, product, action, max: obstacle === null ? maxAmount : null });
  const { amount: principal, exact } = form;
  const opening = principal === null || term === null ? null : openingAt(principal, term, at);
  const minimum = position?.minDeposit ?? parseUnits(product.min_deposit, decimals);
  const error = form.errorOf((amount) => {
    if (position !== null && amount > position.assetBalance)
      return t("transact.error.overBalance", { balance: exact(position.assetBalance), symbol });
    if (amount < minimum) return t("transact.error.belowMinimum", { min: exact(minimum), symbol });
    if (opening !== null && opening.interest === 0n) return t("transact.reason.earnsNothing");
    if (rooms !== null && amount > rooms.cap) return t("transact.error.overTerm", { max: exact(rooms.cap), symbol });
    if (rooms !== null && amount > rooms.funded)
      return t("transact.error.overFunded", { max: exact(rooms.funded), symbol });
    return null;
  });

  const order: Order | null =
    terms !== null && owner !== null && offer !== null && opening !== null && error === null
      ? {
          action: "open",
          terms,
          owner,
          termId: offer.term_id,
          assets: opening.principal,
          latestMaturity: opening.latestMaturity,
        }
      : null;
  const fee = useNetworkFee(obstacle === null && order !== null ? [order] : null, position?.gasPrice ?? null);

  function roomsOf(): { cap: bigint; funded: bigint } | null {
    const live = position?.terms.find((candidate) => candidate.id === offer?.term_id);
    if (position === null || live === undefined) return null;
    const { longest } = openingAt(1n, live, at);
    return { cap: capRoomOf(live, position), funded: fundedRoomOf(live.rate, position, longest) };
  }

  const asset = (value: bigint | null | undefined) => (
    <Figure value={value == null ? null : whole(value)} unit={symbol} digits={decimals} />
  );
  const minPayout = opening && opening.principal + opening.minInterest;
  const shownPrincipal = principal ?? exampleAmount(product);
  return (
    <OrderForm
      choice={
        offers.length > 0 && (
          <TermChoice
            label={t("transact.term.choose")}
            options={offers.map((option) => {
              const optionTerm = termOf(option);
              return {
                id: option.term_id,
                term: optionTerm,
                opening: openingAt(shownPrincipal, optionTerm, at),
                from: at,
              };
            })}
            value={offer?.term_id ?? null}
            onChange={setChosen}
            locked={action.busy}
            asset={product.asset}
          />
        )
      }
      field={{
        id: depositAmount,
        label: t("transact.deposit.amount"),
        text: form.text,
        onText: form.setText,
        symbol,
        available:
          position === null
            ? null
            : t("transact.balance", {
                amount: formatAmount(whole(position.assetBalance), { rounding: "down" }),
                symbol,
              }),
        onMax: maxAmount === null || maxAmount === 0n ? null : () => form.setText(exact(maxAmount)),
        maxLabel: t("transact.deposit.max"),
        error,
      }}
      summary={
        term === null
          ? { lines: [] }
          : {
              caption: principal === null ? t("transact.example", { amount: exact(shownPrincipal), symbol }) : null,
              lines: openLines(product, { principal: shownPrincipal, term, at }),
              warning: auditWarning(product),
            }
      }
      rows={[
        { label: t("transact.term.interest"), value: asset(opening?.interest) },
        {
          label: t("transact.term.rate"),
          value: term === null ? "—" : rateText(term.rate),
          note: t("transact.term.fixed"),
        },
        {
          label: t("transact.term.quoted"),
          value: formatRate(opening?.apy ?? offer?.apy),
          note: t("transact.term.quoted.how"),
        },
        {
          label: t("transact.term.maturity"),
          value: formatDateTime(opening && Number(opening.maturity) * 1_000),
          ...(opening && {
            note: t("transact.term.latest", { time: formatDateTime(Number(opening.latestMaturity) * 1_000) }),
          }),
        },
        { label: t("transact.minimumReceived"), value: asset(minPayout), note: t("transact.term.minimum") },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.open.arrival") },
      ]}
      more={
        principal !== null &&
        term !== null &&
        error === null && (
          <DaySlider
            key={offer?.term_id}
            principal={principal}
            term={term}
            openedAt={at}
            symbol={symbol}
            decimals={decimals}
          />
        )
      }
      obstacle={obstacle}
      submitLabel={
        principal === null || term === null
          ? t("transact.deposit")
          : t("transact.open.submit", { amount: exact(principal), symbol, term: lengthOf(term) })
      }
      busy={action.busy}
      onSubmit={() => form.submit(order && [order])}
    />
  );
}
