import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatDateTime } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { Order } from "../../../wallet/chain/orders.ts";
import { depositAmount } from "../form/deposit-amount.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure } from "../form/preview-list.tsx";
import { useAmountForm } from "../form/use-amount-form.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import type { FormProps } from "./form-props.ts";
import { previewOfDeposit } from "./preview.ts";

export function DepositForm({ product, terms, owner, position, pool, obstacle, action, drafts }: FormProps) {
  const form = useAmountForm({ name: "deposit", drafts, product, action });
  const { amount: assets, exact } = form;
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);

  const preview = assets === null ? null : previewOfDeposit(assets, pool.pool);
  const most = position === null ? null : smaller(position.assetBalance, position.maxDeposit);
  const error = form.errorOf((amount) => {
    if (position !== null && amount > position.assetBalance)
      return t("transact.error.overBalance", { balance: exact(position.assetBalance), symbol });
    const minimum = parseUnits(product.min_deposit, decimals);
    if (amount < minimum) return t("transact.error.belowMinimum", { min: exact(minimum), symbol });
    if (position !== null && obstacle === null && amount > position.maxDeposit)
      return t("transact.error.overMax", { max: exact(position.maxDeposit), symbol });
    return null;
  });

  const order: Order | null =
    terms !== null && owner !== null && preview !== null && error === null
      ? { action: "deposit", terms, owner, assets: preview.assets, minShares: preview.minShares }
      : null;
  const fee = useNetworkFee(obstacle === null && order !== null ? [order] : null, position?.gasPrice ?? null);

  return (
    <OrderForm
      field={{
        id: depositAmount,
        label: t("transact.deposit.amount"),
        text: form.text,
        onText: form.setText,
        symbol,
        available:
          position === null
            ? null
            : t("transact.balance", { amount: formatAmount(whole(position.assetBalance)), symbol }),
        onMax: most === null || most === 0n ? null : () => form.setText(exact(most)),
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
        assets === null ? t("transact.deposit") : t("transact.deposit.submit", { amount: exact(assets), symbol })
      }
      busy={action.busy}
      onSubmit={() => form.submit(order && [order])}
    />
  );

  function shares(value: bigint) {
    return formatUnits(value, product.share.decimals);
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
