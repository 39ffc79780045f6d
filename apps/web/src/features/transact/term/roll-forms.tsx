import type { RolloverChoice } from "@aqua/sdk/chain/orders";
import type { ChainTerm, TermPosition } from "@aqua/sdk/chain/term-position";
import { interestOf, openingAt, rollingAt } from "@aqua/sdk/maths/term-orders";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useState } from "react";
import { formatDateTime } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Segmented } from "../../../ui/segmented.tsx";
import { OrderForm } from "../form/order-form.tsx";
import { Figure, type PreviewRow } from "../form/preview-list.tsx";
import { useNetworkFee } from "../form/use-network-fee.ts";
import { type ReadyReceipt, type ReceiptFormProps, readyReceipt } from "./receipt-props.ts";
import { dateText, lengthOf, rateText, TermChoice } from "./term-choice.tsx";
import { instructionObstacle, rolloverObstacle } from "./term-eligibility.ts";

type Part = "principal" | "all";

/** Rolls over a matured receipt. The visitor selects the part and the term. */
export function RolloverForm({ circumstances, notice, busy, onOrder }: ReceiptFormProps) {
  const ready = readyReceipt(circumstances);
  const [what, setWhat] = useState<Part>("all");
  const choice = useTerm(ready, { before: null, part: what, at: ready?.at });
  const { term } = choice;
  const obstacle = rolloverObstacle(circumstances, term, what);
  const rolling = ready && term && rollingAt({ receipt: ready.receipt, term, what, at: ready.at });
  const order =
    ready && term && rolling
      ? ({
          action: "rollover",
          terms: ready.terms,
          owner: ready.owner,
          id: ready.receipt.id,
          termId: term.id,
          // A term's rate never changes. A lower rate would belong to a term other than the shown one.
          minRate: term.rate,
          roll: what,
          expected: rolling.principal,
        } as const)
      : null;
  const fee = useNetworkFee(obstacle === null && order ? [order] : null, ready?.position.gasPrice ?? null);
  const { symbol, decimals } = circumstances.product.asset;
  const asset = (value: bigint | null | undefined) => (
    <Figure value={value == null ? null : formatUnits(value, decimals)} unit={symbol} digits={decimals} />
  );
  return (
    <OrderForm
      choice={
        <>
          <WhatRolls value={what} onChange={setWhat} />
          <TermChoice
            label={t("transact.term.choose")}
            options={choice.options}
            value={term?.id ?? null}
            onChange={choice.choose}
            locked={busy}
            asset={circumstances.product.asset}
          />
        </>
      }
      summary={{
        lines: [
          { label: t("transact.roll.rolledOver"), value: asset(rolling?.principal) },
          { label: t("transact.roll.paid"), value: asset(rolling?.paid) },
          {
            label:
              rolling && ready
                ? t("transact.term.atMaturity", { date: dateText(rolling.maturity, ready.at) })
                : t("transact.term.maturity"),
            value: asset(rolling && rolling.principal + rolling.interest),
          },
        ],
      }}
      rows={[
        { label: t("transact.term.rate"), value: term ? rateText(term.rate) : "—", note: t("transact.term.fixed") },
        { label: t("transact.term.interest"), value: asset(rolling?.interest) },
        {
          label: t("transact.term.maturity"),
          value: formatDateTime(rolling && Number(rolling.maturity) * 1_000),
        },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.open.arrival") },
      ]}
      obstacle={notice(obstacle)}
      submitLabel={t("transact.roll.submit", { term: term ? lengthOf(term) : "" })}
      busy={busy}
      onSubmit={() => order && void onOrder(order)}
    />
  );
}

/** Sets the action at maturity: none, or a rollover. */
export function InstructionForm({ circumstances, notice, busy, onOrder }: ReceiptFormProps) {
  const ready = readyReceipt(circumstances);
  const [chosen, setChosen] = useState<RolloverChoice | null>(null);
  const storedRoll = ready?.receipt.roll ?? "none";
  const roll = chosen ?? storedRoll;
  const choice = useTerm(ready, {
    before: storedRoll === "none" ? null : (ready?.receipt.rollTermId ?? null),
    part: roll === "all" ? "all" : "principal",
    // After maturity, the rollover starts when it is carried out.
    at: ready && ready.at > ready.receipt.maturity ? ready.at : ready?.receipt.maturity,
  });
  const { term } = choice;
  const obstacle = instructionObstacle(circumstances);
  const same = roll === storedRoll && (roll === "none" || term?.id === ready?.receipt.rollTermId);
  const order =
    ready && (roll === "none" || term)
      ? ({
          action: "autoRoll",
          terms: ready.terms,
          owner: ready.owner,
          id: ready.receipt.id,
          termId: roll === "none" ? ready.receipt.term.id : (term?.id ?? 0),
          minRate: roll === "none" ? 0n : (term?.rate ?? 0n),
          roll,
        } as const)
      : null;
  const fee = useNetworkFee(obstacle === null && order && !same ? [order] : null, ready?.position.gasPrice ?? null);
  const maturity = ready?.receipt.maturity;
  const rows: PreviewRow[] = [
    {
      label: t("transact.term.maturity"),
      value: formatDateTime(maturity === undefined ? null : Number(maturity) * 1_000),
    },
    ...(roll === "none"
      ? []
      : [{ label: t("transact.term.rate"), value: term ? rateText(term.rate) : "—", note: t("transact.term.fixed") }]),
    { label: t("transact.fee"), value: fee ?? "—" },
  ];
  return (
    <OrderForm
      choice={
        <>
          <Segmented<RolloverChoice>
            label={t("transact.receipt.instruct")}
            value={roll}
            onChange={setChosen}
            options={[
              { value: "none", label: t("transact.roll.none") },
              { value: "principal", label: t("transact.roll.principal") },
              { value: "all", label: t("transact.roll.all") },
            ]}
          />
          {roll !== "none" && (
            <TermChoice
              label={t("transact.term.choose")}
              options={choice.options}
              value={term?.id ?? null}
              onChange={choice.choose}
              locked={busy}
              asset={circumstances.product.asset}
            />
          )}
        </>
      }
      rows={rows}
      note={
        <p className="text-14 text-muted">
          {t(roll === "none" ? "transact.instruct.none" : `transact.instruct.${roll}`)}{" "}
          {roll !== "none" && t("transact.instruct.how")}
        </p>
      }
      obstacle={
        notice(obstacle) ?? (same ? <p className="text-14 font-strong">{t("transact.instruct.same")}</p> : null)
      }
      submitLabel={t(roll === "none" ? "transact.instruct.clear" : "transact.instruct.submit")}
      busy={busy}
      onSubmit={() => order && void onOrder(order)}
    />
  );
}

function WhatRolls({ value, onChange }: { value: Part; onChange: (value: Part) => void }) {
  return (
    <Segmented<Part>
      label={t("transact.roll.what")}
      value={value}
      onChange={onChange}
      options={[
        { value: "principal", label: t("transact.roll.principal") },
        { value: "all", label: t("transact.roll.all") },
      ]}
    />
  );
}

interface Rolled {
  /** The term that was chosen before. */
  before: number | null;
  part: Part;
  /** The time of the rollover, Unix seconds. */
  at: bigint | undefined;
}

/** The open terms for a rollover, the receipt's own first. */
function useTerm(ready: ReadyReceipt | null, { before, part, at }: Rolled) {
  const [chosen, setChosen] = useState<number | null>(null);
  const open = ready === null ? [] : openTerms(ready.position);
  const wanted = chosen ?? before ?? ready?.receipt.term.id ?? null;
  const term = open.find((openTerm) => openTerm.id === wanted) ?? open[0] ?? null;
  const options =
    ready === null || at === undefined
      ? []
      : open.map((openTerm) => {
          const { receipt } = ready;
          const principal = part === "all" ? receipt.principal + interestOf(receipt) : receipt.principal;
          return { id: openTerm.id, term: openTerm, opening: openingAt(principal, openTerm, at), from: ready.at };
        });
  return { term, options, choose: setChosen };
}

function openTerms(position: TermPosition): ChainTerm[] {
  return position.terms.filter((term) => term.open);
}
