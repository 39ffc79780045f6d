import type { FormEvent, ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { AmountField } from "./amount-field.tsx";
import { PreviewList, type PreviewRow } from "./preview-list.tsx";

interface OrderFormProps {
  /** A choice shown before the amount. */
  before?: ReactNode;
  /** Undefined where there is no amount to choose. */
  field?: Omit<Parameters<typeof AmountField>[0], "locked">;
  previewLabel: string;
  rows: readonly PreviewRow[];
  /** What the visitor must know before pressing the button. */
  note?: ReactNode;
  /** Replaces the button while there is an obstacle. */
  obstacle: ReactNode | null;
  submitLabel: string;
  busy: boolean;
  onSubmit: () => void;
}

/** Amount, preview, button: the common layout of all actions. Enter in the field submits. */
export function OrderForm(props: OrderFormProps) {
  const { before, field, previewLabel, rows, note, obstacle, submitLabel, busy, onSubmit } = props;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && obstacle === null) onSubmit();
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
      {before}
      {field !== undefined && <AmountField {...field} locked={busy} />}
      <PreviewList label={previewLabel} rows={rows} />
      {note}
      {obstacle ?? (
        <Button type="submit" wide size="large" busy={busy}>
          {submitLabel}
        </Button>
      )}
    </form>
  );
}
