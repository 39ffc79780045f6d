import type { Reserves } from "@aqua/sdk/api/transparency";
import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useTransparency } from "./summary.ts";

/** The typed values. They are stored while another kind of check is open. */
export interface ReceiptTyped {
  /** The short id of a product; empty for the first one. */
  product: string;
  id: string;
}

/** Parses a receipt's number as people write it. Null if the text is not a number. */
export function receiptNumber(text: string): string | null {
  const [, digits] = /^(?:#|№)?\s*0*(\d{1,77})$/.exec(text.trim()) ?? [];
  return digits ?? null;
}

interface AskReceiptProps {
  typed: ReceiptTyped;
  onType: (typed: ReceiptTyped) => void;
  onAsk: (product: Reserves, id: string) => void;
}

/** Asks for the receipt to check: a time deposit and a number. */
export function AskReceipt({ typed, onType, onAsk }: AskReceiptProps) {
  const summary = useTransparency();
  const [wrong, setWrong] = useState<string | null>(null);
  if (summary.data === undefined)
    return summary.isError ? (
      <ErrorState error={summary.error} busy={summary.isFetching} onRetry={() => summary.refetch()} />
    ) : (
      <Skeleton className="h-40" />
    );
  const { reserves } = summary.data;
  const deposits = reserves.filter(({ type }) => type === "time_deposit");
  const linkedProduct = reserves.find(({ short_id }) => short_id === typed.product);
  const product = typed.product === "" ? deposits[0] : deposits.find(({ short_id }) => short_id === typed.product);
  if (deposits.length === 0) return <p className="text-14 text-muted">{t("evidence.receipt.noProducts")}</p>;
  function submit() {
    const id = receiptNumber(typed.id);
    if (!product) return setWrong(null);
    setWrong(id === null ? t("evidence.receipt.notNumber") : null);
    if (id !== null) onAsk(product, id);
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="grid max-w-160 gap-4"
    >
      <SelectField
        label={t("products.tx.product")}
        value={product?.short_id ?? ""}
        onChange={(next) => onType({ ...typed, product: next })}
        options={[
          ...(product ? [] : [{ value: "", label: t("evidence.receipt.choose") }]),
          ...deposits.map(({ short_id, name }) => ({ value: short_id, label: name })),
        ]}
      />
      {!product && (
        <p role="alert" className="text-14 text-negative">
          {linkedProduct
            ? t("evidence.receipt.demand", { product: linkedProduct.name })
            : t("evidence.receipt.unknown", { product: typed.product })}
        </p>
      )}
      <TextField
        label={t("evidence.receipt.number")}
        hint={t("evidence.receipt.number.hint")}
        inputMode="numeric"
        autoComplete="off"
        value={typed.id}
        error={wrong}
        onChange={(event) => {
          setWrong(null);
          onType({ ...typed, id: event.target.value });
        }}
      />
      <div>
        <Button type="submit" disabled={typed.id.trim() === "" || !product}>
          {t("evidence.verify.check")}
        </Button>
      </div>
    </form>
  );
}
