import { formatUnits } from "@aqua/sdk/maths/units";
import { useState } from "react";
import { formatAmount, formatDateTime } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";
import type { WithdrawalOrder } from "../../wallet/chain/vault.ts";
import { exactAmount } from "../../wallet/exact-amount.ts";
import { withdraw } from "../../wallet/operations.ts";
import { readAmount } from "./amount-text.ts";
import type { FormProps } from "./form-props.ts";
import { OrderForm } from "./order-form.tsx";
import { previewOfExit, previewOfWithdrawal } from "./preview.ts";
import { Figure } from "./preview-list.tsx";
import { useNetworkFee } from "./use-network-fee.ts";

export function WithdrawForm({ product, terms, owner, position, pool, obstacle, action }: FormProps) {
  const [text, setText] = useState("");
  /** All shares, whatever they are worth when the block comes: nothing is left behind. */
  const [all, setAll] = useState(false);
  const [tried, setTried] = useState(false);
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);
  const shares = (value: bigint) => formatUnits(value, product.share.decimals);
  const shown = (value: bigint) => exactAmount(whole(value), decimals);

  const exit = all && position !== null ? previewOfExit(position.maxRedeem, pool.pool) : null;
  const field = exit === null ? text : shown(exit.assets);
  const read = readAmount(field, { decimals, symbol, language: language() });
  const preview = exit ?? (read.kind === "amount" ? previewOfWithdrawal(read.value, pool.pool) : null);
  const error = fieldError();
  const order = orderOf();
  const fee = useNetworkFee(obstacle === null ? order : null, position?.gasPrice ?? null);

  function orderOf(): WithdrawalOrder | null {
    if (terms === null || owner === null || position === null || preview === null || error !== null) return null;
    const { assets, maxShares, minAssets } = preview;
    if (minAssets !== null) return { terms, owner, allShares: position.maxRedeem, minAssets, expected: assets };
    return maxShares === null ? null : { terms, owner, assets, maxShares };
  }

  function fieldError(): string | null {
    if (exit !== null) return null;
    if (read.kind === "empty") return tried ? t("transact.error.empty") : null;
    if (read.kind === "error") return t(`transact.error.${read.code}`, { symbol, decimals });
    if (position !== null && obstacle === null && read.value > position.maxWithdraw)
      return t("transact.error.overWithdrawable", { max: shown(position.maxWithdraw), symbol });
    return null;
  }

  async function submit() {
    setTried(true);
    if (order === null) return;
    const sent = await action.start((report) => withdraw(order, report));
    if (sent) {
      setText("");
      setAll(false);
      setTried(false);
    }
  }

  return (
    <OrderForm
      field={{
        label: t("transact.withdraw.amount"),
        text: field,
        onText: (next) => {
          setAll(false);
          setText(next);
        },
        symbol,
        available:
          position === null
            ? null
            : t("transact.withdrawable", { amount: formatAmount(whole(position.maxWithdraw)), symbol }),
        onMax: position === null || position.maxRedeem === 0n ? null : () => setAll(true),
        maxLabel: t("transact.withdraw.max"),
        error,
      }}
      previewLabel={t("transact.preview")}
      rows={[
        {
          label: t("transact.youGive"),
          value: <Figure value={preview && shares(preview.shares)} unit={product.share.symbol} />,
        },
        {
          label: t("transact.youGet"),
          value: <Figure value={preview && whole(preview.assets)} unit={symbol} digits={decimals} />,
          strong: true,
        },
        {
          label: t("transact.price"),
          value: t("transact.priceOf", {
            share: product.share.symbol,
            price: formatAmount(formatUnits(previewOfExit(1n, pool.pool).price, 18), { digits: 6 }),
            symbol,
          }),
          note: formatDateTime(pool.time),
        },
        preview?.maxShares
          ? {
              label: t("transact.maximumGiven"),
              value: <Figure value={shares(preview.maxShares)} unit={product.share.symbol} />,
            }
          : {
              label: t("transact.minimumReceived"),
              value: (
                <Figure value={preview?.minAssets ? whole(preview.minAssets) : null} unit={symbol} digits={decimals} />
              ),
            },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.withdraw.arrival") },
      ]}
      obstacle={obstacle}
      submitLabel={submitLabel()}
      busy={action.busy}
      onSubmit={submit}
    />
  );

  function submitLabel(): string {
    if (exit !== null) return t("transact.withdraw.all");
    if (read.kind !== "amount") return t("transact.withdraw");
    return t("transact.withdraw.submit", { amount: shown(read.value), symbol });
  }
}
