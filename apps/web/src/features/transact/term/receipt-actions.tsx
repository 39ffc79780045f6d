import type { Holding } from "@aqua/sdk/api/portfolio";
import type { TimeDetail } from "@aqua/sdk/api/product";
import { useEffect, useEffectEvent, useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { perform } from "../../../wallet/lazy/operations.ts";
import { useProduct } from "../../products/detail.ts";
import { useActionContext } from "../eligibility/use-action-context.tsx";
import { Progress } from "../progress/progress.tsx";
import { CloseForm, DrawForm, ExitForm } from "./receipt-forms.tsx";
import type { ReceiptFormProps } from "./receipt-props.ts";
import { InstructionForm, RolloverForm } from "./roll-forms.tsx";
import { type Choice, choicesOf, type ReceiptCase } from "./term-eligibility.ts";
import { useTermPosition } from "./use-term-position.ts";

const forms = {
  close: CloseForm,
  rollover: RolloverForm,
  instruct: InstructionForm,
  exit: ExitForm,
  draw: DrawForm,
} as const satisfies Record<Choice, unknown>;

interface ReceiptActionsProps {
  holding: Holding;
  /** True when the receipt is closed and only its outcome remains to be read. */
  isUnlisted: boolean;
  /** Called when the visitor dismisses the outcome, or when there is none. */
  onRead: () => void;
}

/** The actions that a receipt's owner has now; each shows its payout before signing. */
export function ReceiptActions(props: ReceiptActionsProps) {
  const { data: product } = useProduct(props.holding.short_id);
  if (product === undefined) return <Skeleton className="h-9" />;
  if (product.type !== "time_deposit" || props.holding.deposit_id === null) return null;
  return <Actions {...props} product={product} id={props.holding.deposit_id} />;
}

function Actions({
  product,
  holding,
  id,
  isUnlisted,
  onRead,
}: ReceiptActionsProps & { product: TimeDetail; id: string }) {
  const [choice, setChoice] = useState<Choice | null>(null);
  /** When the form was opened, Unix milliseconds. */
  const [openedAt, setOpenedAt] = useState(0);
  const scope = `${product.short_id}/${id}`;
  const { wallet, now, visitor, action, notice } = useActionContext(product, scope);
  // The list shows the server's data. The chain is read only for the receipt that the visitor acts on.
  const read = useTermPosition(product, wallet.address, { receipt: id, wanted: choice !== null });

  // An earlier read may be from before the last transaction, and its whole principal more than the receipt now has.
  const isReading = read.isLoading || (read.isFetching && read.dataUpdatedAt < openedAt);

  function toggle(option: Choice) {
    setChoice(option === openChoice ? null : option);
    if (option === openChoice || wallet.address === null) return;
    setOpenedAt(Date.now());
    void read.refetch();
  }

  const isIdle = action.transaction === null && action.stage.stage === "idle";
  const reportRead = useEffectEvent(onRead);
  useEffect(() => {
    if (isUnlisted && isIdle) reportRead();
  }, [isUnlisted, isIdle]);

  const position = read.data ?? null;
  const receipt = position?.receipt ?? null;
  const circumstances: ReceiptCase = {
    product,
    wallet,
    position: position ?? (read.isError ? "error" : null),
    visitor,
    now,
    receipt,
    holder: holding.wallet,
  };
  const choices = isUnlisted ? [] : choicesOf(circumstances, holding);
  // The choice may have become impossible in the meantime. Sending a transaction closes it.
  const openChoice = choice !== null && choices.includes(choice) ? choice : null;
  const Form = openChoice === null ? null : forms[openChoice];

  const props: ReceiptFormProps = {
    circumstances,
    holding,
    notice: (obstacle) => notice(obstacle, read.refetch),
    busy: action.busy,
    onOrder: async (order) => {
      if (await action.start((report) => perform([order], scope, report))) setChoice(null);
    },
  };
  return (
    <div className="flex flex-col gap-3" data-testid={`receipt-${id}`}>
      <div className="flex flex-wrap gap-2">
        {choices.map((option) => (
          <Button
            key={option}
            size="small"
            look={option === choices[0] && option !== "instruct" && openChoice === null ? "primary" : "secondary"}
            aria-expanded={option === openChoice}
            aria-label={t("transact.receipt.actionOf", { action: t(`transact.receipt.${option}`), receipt: id })}
            onClick={() => toggle(option)}
          >
            {t(`transact.receipt.${option}`)}
          </Button>
        ))}
      </div>
      {/* The form opens together with its figures, since a form that grew later would push its button out of view. */}
      {Form && isReading && (
        <div aria-busy="true">
          <Skeleton className="h-56" />
        </div>
      )}
      {Form && !isReading && (
        <div key={openChoice} ref={intoView}>
          <Form {...props} />
        </div>
      )}
      <Progress action={action} product={product} />
    </div>
  );
}

/** Scrolls to a form that opens below the visible area, since its button would be hidden too. */
function intoView(form: HTMLDivElement | null) {
  form?.scrollIntoView({ block: "nearest" });
}
