import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { useState } from "react";
import { formatAmount, formatDateTime } from "../../../i18n/format.ts";
import { language, t } from "../../../i18n/i18n.ts";
import type { Order } from "../../../wallet/chain/orders.ts";
import { exactAmount } from "../../../wallet/exact-amount.ts";
import { perform } from "../../../wallet/lazy/operations.ts";
import { readAmount } from "../form/amount-text.ts";
import { depositAmount } from "../form/deposit-amount.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure } from "../form/preview-list.tsx";
import { useDraft } from "../form/use-draft.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import type { FormProps } from "./form-props.ts";
import { previewOfDeposit } from "./preview.ts";

export function DepositForm({ product, terms, owner, position, pool, obstacle, action, drafts }: FormProps) {
  const [text, setText] = useDraft(drafts, "deposit", "");
  /** Empty and too small amounts are told only once somebody tried or left the field filled. */
  const [tried, setTried] = useState(false);
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);
  const shown = (value: bigint) => exactAmount(whole(value), decimals);

  const read = readAmount(text, { decimals, symbol, language: language() });
  const assets = read.kind === "amount" ? read.value : null;
  const preview = assets === null ? null : previewOfDeposit(assets, pool.pool);
  const most = position === null ? null : smaller(position.assetBalance, position.maxDeposit);
  const error = fieldError();

  const order: Order | null =
    terms !== null && owner !== null && preview !== null && error === null
      ? { action: "deposit", terms, owner, assets: preview.assets, minShares: preview.minShares }
      : null;
  const fee = useNetworkFee(obstacle === null && order !== null ? [order] : null, position?.gasPrice ?? null);

  function fieldError(): string | null {
    if (read.kind === "empty") return tried ? t("transact.error.empty") : null;
    if (read.kind === "error") return t(`transact.error.${read.code}`, { symbol, decimals });
    if (position !== null && read.value > position.assetBalance)
      return t("transact.error.overBalance", { balance: shown(position.assetBalance), symbol });
    const minimum = parseUnits(product.min_deposit, decimals);
    if (read.value < minimum) return t("transact.error.belowMinimum", { min: shown(minimum), symbol });
    if (position !== null && obstacle === null && read.value > position.maxDeposit)
      return t("transact.error.overMax", { max: shown(position.maxDeposit), symbol });
    return null;
  }

  async function submit() {
    setTried(true);
    if (order === null) return;
    const sent = await action.start((report) => perform([order], product.short_id, report));
    if (sent) {
      setText("");
      setTried(false);
    }
  }

  return (
    <OrderForm
      field={{
        id: depositAmount,
        label: t("transact.deposit.amount"),
        text,
        onText: setText,
        symbol,
        available:
          position === null
            ? null
            : t("transact.balance", { amount: formatAmount(whole(position.assetBalance)), symbol }),
        onMax: most === null || most === 0n ? null : () => setText(exactAmount(whole(most), decimals)),
        maxLabel: t("transact.deposit.max"),
        error,
      }}
      previewLabel={t("transact.preview")}
      rows={[
        {
          label: t("transact.youPay"),
          value: <Figure value={preview && whole(preview.assets)} unit={symbol} digits={decimals} />,
        },
        {
          label: t("transact.youGet"),
          value: <Figure value={preview && shares(preview.shares)} unit={product.share.symbol} />,
          strong: true,
        },
        {
          label: t("transact.price"),
          value: t("transact.priceOf", {
            share: product.share.symbol,
            price: formatAmount(formatUnits(previewOfDeposit(1n, pool.pool).price, 18), { digits: 6 }),
            symbol,
          }),
          note: formatDateTime(pool.time),
        },
        {
          label: t("transact.minimumReceived"),
          value: <Figure value={preview && shares(preview.minShares)} unit={product.share.symbol} />,
        },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.deposit.arrival") },
      ]}
      obstacle={obstacle}
      submitLabel={
        assets === null ? t("transact.deposit") : t("transact.deposit.submit", { amount: shown(assets), symbol })
      }
      busy={action.busy}
      onSubmit={submit}
    />
  );

  function shares(value: bigint) {
    return formatUnits(value, product.share.decimals);
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
