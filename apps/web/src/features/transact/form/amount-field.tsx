import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface AmountFieldProps {
  /** Anchor for links on the page. */
  id?: string;
  label: string;
  text: string;
  onText: (text: string) => void;
  symbol: string;
  /** "Balance 1,000.00 tUSD"; null while unknown. */
  available: string | null;
  /** Null when there is no amount to fill in. */
  onMax: (() => void) | null;
  maxLabel: string;
  error: string | null;
  /**
   * True during an action. The field stays focusable, since a disabled field would lose the focus while the wallet
   * prompts.
   */
  locked: boolean;
}

/** An amount with its unit, the available balance and a button that fills in the whole balance. */
export function AmountField(props: AmountFieldProps) {
  const { id, label, text, onText, symbol, available, onMax, maxLabel, error, locked } = props;
  return (
    <TextField
      {...(id && { id })}
      label={label}
      labelEnd={available !== null && <span className="text-14 text-muted">{available}</span>}
      figures
      // Decimal keyboard on phones; type="number" would drop separators and lose digits of a pasted amount.
      type="text"
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={60}
      placeholder={formatAmount("0", { minDigits: 2 })}
      value={text}
      readOnly={locked}
      error={error}
      onChange={(event) => onText(event.target.value)}
      end={
        <>
          <span className="text-14 text-muted">{symbol}</span>
          <Button
            size="small"
            look="secondary"
            aria-label={maxLabel}
            disabled={locked || onMax === null}
            onClick={() => onMax?.()}
          >
            {t("transact.max")}
          </Button>
        </>
      }
    />
  );
}
