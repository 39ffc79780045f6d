import { DAY_MS } from "@aqua/sdk/durations";
import type { Rounding } from "@aqua/sdk/maths/rounding";
import { exitAt, exitLimit, interestOf } from "@aqua/sdk/maths/term-orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type ComponentProps, useState } from "react";
import { formatAmount, formatDateTime } from "../../../i18n/format.ts";
import { language, t } from "../../../i18n/i18n.ts";
import { Amount } from "../../../ui/amount.tsx";
import { Button } from "../../../ui/button.tsx";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { presentText, readAmount, type Typed, typed } from "../form/amount-text.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure } from "../form/preview-list.tsx";
import { useNetworkFee } from "../form/use-network-fee.ts";
import { DaySlider } from "./day-slider.tsx";
import { type ReadyReceipt, type ReceiptFormProps, readyReceipt } from "./receipt-props.ts";
import { rateText } from "./term-choice.tsx";
import { closeObstacle, drawObstacle, earlyExitObstacle } from "./term-eligibility.ts";

/**
 * The maximum delay of a demanded payment, and the time after which it must be demanded again; both are constants of
 * the contract.
 */
const demandGrace = 3 * DAY_MS;
const demandWindow = 5 * DAY_MS;

/** Pays a matured receipt, or demands the payment when the cash for it is missing. */
export function CloseForm({ circumstances, holding, notice, busy, onOrder }: ReceiptFormProps) {
  const { symbol, decimals } = circumstances.product.asset;
  const ready = readyReceipt(circumstances);
  const obstacle = closeObstacle(circumstances);
  const interest = ready && interestOf(ready.receipt);
  const total = ready && interest !== null ? ready.receipt.principal + interest : null;
  const order =
    ready && total !== null
      ? ({ action: "close", terms: ready.terms, owner: ready.owner, id: ready.receipt.id, expected: total } as const)
      : null;
  const fee = useNetworkFee(obstacle === null && order ? [order] : null, ready?.position.gasPrice ?? null);
  const asset = assetFigure(symbol, decimals);
  return (
    <>
      <OrderForm
        summary={{ lines: [{ label: t("transact.leavesNow"), value: asset(total) }] }}
        rows={[
          { label: t("transact.receipt.principal"), value: asset(ready?.receipt.principal) },
          { label: t("transact.term.interest"), value: asset(interest) },
          { label: t("transact.fee"), value: fee ?? "—" },
          { label: t("transact.arrival"), value: t("transact.withdraw.arrival") },
        ]}
        obstacle={notice(obstacle)}
        submitLabel={t("transact.claim.submit", { amount: amountText(total, decimals), symbol })}
        busy={busy}
        onSubmit={() => order && void onOrder(order)}
      />
      {obstacle?.code === "noCash" && ready && (
        <Demand
          since={holding.receipt?.demanded_at ?? null}
          now={circumstances.now}
          busy={busy}
          onDemand={() =>
            void onOrder({ action: "demand", terms: ready.terms, owner: ready.owner, id: ready.receipt.id })
          }
        />
      )}
    </>
  );
}

interface DemandProps {
  /** Time of the demand, Unix milliseconds; null without one. */
  since: number | null;
  now: number;
  busy: boolean;
  onDemand: () => void;
}

function Demand({ since, now, busy, onDemand }: DemandProps) {
  if (since !== null && now < since + demandGrace)
    return (
      <p className="text-14 text-muted">
        {t("transact.demand.since", { since: formatDateTime(since), until: formatDateTime(since + demandGrace) })}
      </p>
    );
  const again = since !== null && now <= since + demandWindow;
  return (
    <div className="flex flex-col gap-2 text-14 text-muted">
      <p>{t(again ? "transact.demand.againText" : "transact.demand.text")}</p>
      <Button look={again ? "danger" : "secondary"} busy={busy} onClick={onDemand}>
        {t(again ? "transact.demand.again" : "transact.demand.submit")}
      </Button>
    </div>
  );
}

/** Early exit of a part or all of the principal: its payout now, its cost, and the payout on any later day. */
export function ExitForm({ circumstances, notice, busy, onOrder }: ReceiptFormProps) {
  const { symbol, decimals } = circumstances.product.asset;
  const ready = readyReceipt(circumstances);
  const amount = useExitAmount(ready, { symbol, decimals });
  const { principal } = amount;
  const obstacle = earlyExitObstacle(circumstances, principal);
  const rest =
    ready && principal !== null ? { ...ready.receipt, principal: ready.receipt.principal - principal } : null;
  const exit = ready && principal !== null ? exitAt({ ...ready.receipt, principal }, ready.at) : null;
  const order =
    ready && exit && principal !== null
      ? ({
          action: "exitEarly",
          terms: ready.terms,
          owner: ready.owner,
          id: ready.receipt.id,
          principal,
          // The payout only grows from now to maturity, so a later block pays no less.
          minOut: exit.payout,
        } as const)
      : null;
  const fee = useNetworkFee(obstacle === null && order ? [order] : null, ready?.position.gasPrice ?? null);
  const asset = assetFigure(symbol, decimals);
  const rounded = (value: bigint | null | undefined, rounding: Rounding) => (
    <Amount value={value == null ? null : formatUnits(value, decimals)} unit={symbol} rounding={rounding} />
  );
  const due = ready && rest && ready.receipt.principal - rest.principal + interestOf(ready.receipt) - interestOf(rest);
  return (
    <OrderForm
      {...(ready && { field: { ...amount.field, symbol } })}
      summary={{
        lines: [
          { label: t("transact.leavesNow"), value: rounded(exit?.payout, "down") },
          { label: t("transact.exit.forgone"), value: rounded(due !== null && exit ? due - exit.payout : null, "up") },
          { label: t("transact.exit.stays"), value: rounded(rest?.principal, "down") },
        ],
      }}
      final={t("transact.exit.final")}
      rows={[
        { label: t("transact.receipt.principal"), value: asset(principal) },
        {
          label: t("transact.exit.interest"),
          value: asset(exit?.interest),
          ...(ready && { note: t("transact.exit.rate", { rate: rateText(ready.receipt.term.breakRate) }) }),
        },
        {
          label: t("transact.exit.penalty"),
          value: asset(exit && -exit.penalty),
          ...(ready && { note: t("transact.exit.part", { part: rateText(ready.receipt.term.penalty) }) }),
        },
        { label: t("transact.minimumReceived"), value: asset(exit?.payout), strong: true },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.withdraw.arrival") },
      ]}
      more={
        ready && (
          <DaySlider
            principal={principal ?? ready.receipt.principal}
            term={ready.receipt.term}
            openedAt={ready.receipt.openedAt}
            from={ready.at}
            symbol={symbol}
            decimals={decimals}
          />
        )
      }
      obstacle={notice(obstacle)}
      submitLabel={
        exit
          ? t("transact.exit.submit", { amount: amountText(exit.payout, decimals), symbol })
          : t("transact.receipt.exit")
      }
      busy={busy}
      onSubmit={() => (order === null ? amount.onEmptySubmit() : void onOrder(order))}
    />
  );
}

/**
 * The amount field of an early exit, which starts with the receipt's whole principal. `principal` is null while the
 * field has no amount or one that the contract would refuse.
 */
function useExitAmount(
  ready: ReadyReceipt | null,
  asset: { symbol: string; decimals: number },
): {
  principal: bigint | null;
  field: Omit<NonNullable<ComponentProps<typeof OrderForm>["field"]>, "symbol">;
  onEmptySubmit: () => void;
} {
  const { symbol, decimals } = asset;
  /** Null for the whole receipt. */
  const [draft, setDraft] = useState<Typed | null>(null);
  const [tried, setTried] = useState(false);
  const whole = ready?.receipt.principal ?? null;
  const text = draft === null ? amountText(whole, decimals) : presentText(draft, asset);
  const read = readAmount(text, { ...asset, language: language() });
  const value = draft === null ? whole : read.kind === "amount" ? read.value : null;
  const error = errorText();
  return {
    principal: error === null ? value : null,
    field: {
      label: t("transact.exit.amount"),
      text,
      onText: (next) => setDraft(typed(next)),
      available: whole === null ? null : t("transact.exit.whole", { amount: amountText(whole, decimals), symbol }),
      onMax: () => setDraft(null),
      maxLabel: t("transact.exit.max"),
      error,
    },
    onEmptySubmit: () => setTried(true),
  };

  function errorText(): string | null {
    if (ready === null || draft === null) return null;
    if (read.kind === "empty") return tried ? t("transact.error.empty") : null;
    if (read.kind === "error") return t(`transact.error.${read.code}`, asset);
    const { receipt, at, position } = ready;
    const limit = exitLimit({ receipt, principal: read.value, at, accounts: position });
    if (limit?.code === "principal")
      return t("transact.error.overPrincipal", { max: amountText(limit.room, decimals), symbol });
    if (limit?.code !== "rest") return null;
    const min = amountText(position.minDeposit, decimals);
    return limit.room > 0n
      ? t("transact.error.restBelowMinimum", { min, max: amountText(limit.room, decimals), symbol })
      : t("transact.error.wholeOnly", { min, symbol });
  }
}

/** Draws the receipt's share of the assets in a wind-down. */
export function DrawForm({ circumstances, notice, busy, onOrder }: ReceiptFormProps) {
  const { symbol, decimals } = circumstances.product.asset;
  const ready = readyReceipt(circumstances);
  const obstacle = drawObstacle(circumstances);
  const claimable = ready?.receipt.claimable ?? null;
  const order =
    ready && claimable !== null
      ? ({ action: "draw", terms: ready.terms, owner: ready.owner, id: ready.receipt.id, expected: claimable } as const)
      : null;
  const fee = useNetworkFee(obstacle === null && order ? [order] : null, ready?.position.gasPrice ?? null);
  const asset = assetFigure(symbol, decimals);
  return (
    <OrderForm
      summary={{
        lines: [
          { label: t("transact.leavesNow"), value: asset(claimable) },
          {
            label: t("transact.draw.owed"),
            value: asset(ready && ready.receipt.principal + interestOf(ready.receipt) - ready.receipt.paid),
          },
        ],
      }}
      rows={[
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.withdraw.arrival") },
      ]}
      note={<p className="text-14 text-muted">{t("transact.draw.text")}</p>}
      obstacle={notice(obstacle)}
      submitLabel={t("transact.claim.submit", { amount: amountText(claimable, decimals), symbol })}
      busy={busy}
      onSubmit={() => order && void onOrder(order)}
    />
  );
}

function assetFigure(symbol: string, decimals: number) {
  return (value: bigint | null | undefined) => (
    <Figure value={value == null ? null : formatUnits(value, decimals)} unit={symbol} digits={decimals} />
  );
}

/** Every significant digit; "—" while unknown. */
function amountText(value: bigint | null | undefined, decimals: number): string {
  return value == null ? formatAmount(null) : exactAmount(formatUnits(value, decimals), decimals);
}
