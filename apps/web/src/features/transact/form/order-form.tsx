import type { ComponentProps, FormEvent, ReactNode } from "react";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Details } from "../../../ui/details.tsx";
import { KeyLines } from "../../../ui/key-lines.tsx";
import { AmountField } from "./amount-field.tsx";
import { PreviewList, type PreviewRow } from "./preview-list.tsx";

interface OrderFormProps {
  /** Undefined for an action without an amount. */
  field?: Omit<Parameters<typeof AmountField>[0], "locked">;
  /** A choice beside the amount. */
  choice?: ReactNode;
  /** The figures on which the visitor decides. */
  summary?: Omit<ComponentProps<typeof KeyLines>, "label">;
  /** Information that the visitor needs before pressing the button. */
  note?: ReactNode;
  /** Effects that cannot be undone; stays above the button. */
  final?: string | null;
  /** Replaces the button while there is an obstacle. */
  obstacle: ReactNode | null;
  submitLabel: string;
  busy: boolean;
  onSubmit: () => void;
  /** Shown under "Details". */
  rows: readonly PreviewRow[];
  more?: ReactNode;
}

/**
 * The common layout of all actions: amount, figures, button, details. Enter in the field submits. In a panel, the
 * button stays at the bottom of the visible part of the form.
 */
export function OrderForm(props: OrderFormProps) {
  const { field, choice, summary, note, final, obstacle, submitLabel, busy, onSubmit, rows, more } = props;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && obstacle === null) onSubmit();
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
      {field !== undefined && <AmountField {...field} locked={busy} />}
      {choice}
      {summary !== undefined && <KeyLines label={t("transact.preview")} {...summary} />}
      {note}
      <div className="z-10 bg-surface py-2 in-[[data-panel]]:sticky in-[[data-panel]]:bottom-0 in-[[data-panel]]:-mx-5 in-[[data-panel]]:px-5">
        {final && <p className="mb-1.5 text-14 font-strong text-caution">{final}</p>}
        {obstacle ?? (
          <Button type="submit" wide size="large" busy={busy} className="h-auto! min-h-12 py-1.5 whitespace-normal!">
            {submitLabel}
          </Button>
        )}
      </div>
      <Details label={t("transact.details")}>
        <PreviewList label={t("transact.details")} rows={rows} />
        {more}
      </Details>
    </form>
  );
}
