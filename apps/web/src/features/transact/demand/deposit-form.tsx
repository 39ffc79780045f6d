import type { Order } from "@aqua/sdk/chain/orders";
import { formatUnits, parseUnits, smaller } from "@aqua/sdk/maths/units";
import { formatAmount, formatDateTime, formatRate } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { isZero } from "../../decimal.ts";
import { useAnnouncements } from "../../products/announcements.ts";
import { depositAmount } from "../form/deposit-amount.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure } from "../form/preview-list.tsx";
import { auditWarning, exampleAmount } from "../form/risk-lines.ts";
import { useAmountForm } from "../form/use-amount-form.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import { depositLines } from "./deposit-lines.ts";
import type { FormProps } from "./form-props.ts";
import { previewOfDeposit } from "./preview.ts";

/** Deposits into a vault. Expected earnings, the exit and the worst past loss are shown above the button. */
export function DepositForm({ product, terms, owner, position, pool, obstacle, action, drafts }: FormProps) {
  // Streaming income uses up room below the cap, so it is subtracted.
  const income = pool.soon.totalAssets - pool.pool.totalAssets;
  const room = position === null || position.maxDeposit <= income ? 0n : position.maxDeposit - income;
  const maxAmount = position === null ? null : smaller(position.assetBalance, room);
  const form = useAmountForm({ name: "deposit", drafts, product, action, max: obstacle === null ? maxAmount : null });
  const { amount: assets, exact } = form;
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);

  const preview = assets === null ? null : previewOfDeposit(assets, pool.pool);
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
  // Passes no wallets, since the page's own notice shows when a holder could have withdrawn before the change.
  const announced = useAnnouncements(product.short_id, []);
  const example = exampleAmount(product);

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
            : t("transact.balance", {
                amount: formatAmount(whole(position.assetBalance), { rounding: "down" }),
                symbol,
              }),
        onMax: maxAmount === null || maxAmount === 0n ? null : () => form.setText(exact(maxAmount)),
        maxLabel: t("transact.deposit.max"),
        error,
      }}
      summary={{
        caption: assets === null ? t("transact.example", { amount: exact(example), symbol }) : null,
        lines: depositLines(product, assets ?? example),
        warning: auditWarning(product),
      }}
      obstacle={obstacle}
      submitLabel={
        assets === null ? t("transact.deposit") : t("transact.deposit.submit", { amount: exact(assets), symbol })
      }
      busy={action.busy}
      onSubmit={() => form.submit(order && [order])}
      rows={[
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
        { label: t("transact.fees"), value: feesText(product.vault.fee), ...announcedFee(announced) },
        { label: t("transact.fee"), value: fee ?? "—" },
        { label: t("transact.arrival"), value: t("transact.deposit.arrival") },
      ]}
      more={
        <div className="flex flex-col gap-1 text-12 text-muted">
          {product.apy.annualised && (
            <p>{t("transact.line.year.how", { rate: formatRate(product.apy.value), days: product.apy.window_days })}</p>
          )}
          <p>{t("transact.line.wait.how")}</p>
        </div>
      }
    />
  );

  function shares(value: bigint) {
    return formatUnits(value, product.share.decimals);
  }
}

function feesText(fee: string): string {
  return isZero(fee) ? t("transact.fees.none") : t("transact.fees.performance", { fee: formatRate(fee) });
}

/** Note below the present fee: the next announced fee, or that announcements did not load. */
function announcedFee({ data, isError }: ReturnType<typeof useAnnouncements>): { note?: string } {
  if (data === undefined && isError) return { note: t("transact.fees.announcedUnknown") };
  const change = data?.changes.find(({ kind }) => kind === "fee");
  if (change?.kind !== "fee") return {};
  return {
    note: t("transact.fees.announced", {
      fee: formatRate(change.next.fee),
      from: formatDateTime(change.possible_from),
    }),
  };
}
