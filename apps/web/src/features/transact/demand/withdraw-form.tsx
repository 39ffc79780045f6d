import type { Order } from "@aqua/sdk/chain/orders";
import { meansAll } from "@aqua/sdk/maths/rounding";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatDateTime } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { Orders } from "../../../wallet/chain/operations.ts";
import { OrderForm } from "../form/order-form.tsx";
import { Figure, type PreviewRow } from "../form/preview-list.tsx";
import { useAmountForm } from "../form/use-amount-form.ts";
import { useDraft } from "../form/use-draft.ts";
import { useNetworkFee } from "../form/use-network-fee.ts";
import type { FormProps } from "./form-props.ts";
import { type ExitPlan, planOfExit, previewOfExit, previewOfWithdrawal } from "./preview.ts";
import { exampleSplit, splitOf, withdrawalLines } from "./withdrawal-lines.tsx";

/**
 * Withdraws from a vault: pays at once what liquidity allows and sends the rest through the queue, if the vault has
 * one.
 */
export function WithdrawForm({ product, terms, owner, position, pool, obstacle, action, drafts }: FormProps) {
  const form = useAmountForm({ name: "withdraw", drafts, product, action });
  const { amount, exact } = form;
  /** Redeems all shares at their value in the transaction's block, so that no remainder is left. */
  const [all, setAll] = useDraft(drafts, "all", false);
  const { symbol, decimals } = product.asset;
  const whole = (value: bigint) => formatUnits(value, decimals);
  const shares = (value: bigint) => formatUnits(value, product.share.decimals);

  const hasQueue = position !== null && position.queue !== null;
  // Without a queue, only the amount that is liquid now can be withdrawn.
  const maxAmount =
    position === null ? null : hasQueue ? previewRedeem(position.shares, pool.pool) : position.maxWithdraw;
  const everything = all || (amount !== null && maxAmount !== null && meansAll(amount, maxAmount, decimals));
  const plan = planOf();
  const field = all && plan !== null ? exact(assetsOf(plan)) : form.text;
  const error = everything ? null : form.errorOf(overMaxText);
  const orders = ordersOf();
  const fee = useNetworkFee(obstacle === null ? orders : null, position?.gasPrice ?? null);
  const queued = error === null ? (plan?.queued ?? null) : null;
  const fullExit = planOfAll();

  function planOfAll(): ExitPlan | null {
    const all = position && planOfExit("all", position, pool);
    return all?.now || all?.queued ? all : null;
  }

  function planOf(): ExitPlan | null {
    if (everything) return planOfAll();
    if (amount === null) return null;
    if (position === null || maxAmount === null || amount > maxAmount)
      return { now: previewOfWithdrawal(amount, pool.pool), queued: null };
    return planOfExit(amount, position, pool);
  }

  function ordersOf(): Orders | null {
    if (terms === null || owner === null || position === null || plan === null || error !== null) return null;
    const steps: Order[] = [];
    if (plan.now !== null) {
      const { assets, maxShares, minAssets } = plan.now;
      if (minAssets !== null)
        steps.push({ action: "redeem", terms, owner, shares: plan.now.shares, minAssets, expected: assets });
      else if (maxShares !== null) steps.push({ action: "withdraw", terms, owner, assets, maxShares });
    }
    if (plan.queued !== null)
      steps.push({ action: "request", terms, owner, shares: plan.queued.shares, expected: plan.queued.assets });
    const [first, ...rest] = steps;
    return first === undefined ? null : [first, ...rest];
  }

  function overMaxText(value: bigint): string | null {
    if (maxAmount === null || obstacle !== null || value <= maxAmount) return null;
    return t(hasQueue ? "transact.error.overHolding" : "transact.error.overWithdrawable", {
      max: exact(maxAmount),
      symbol,
    });
  }

  async function submit() {
    const done = await form.submit(orders);
    if (done > 0 && done === orders?.length) setAll(false);
    // After a withdrawal was paid in part, the form offers only the remaining amount.
    else if (done > 0 && !all && plan?.queued) form.setText(exact(plan.queued.assets));
  }

  return (
    <OrderForm
      field={{
        label: t("transact.withdraw.amount"),
        text: field,
        onText: (next) => {
          setAll(false);
          form.setText(next);
        },
        symbol,
        available: availableText(),
        onMax: fullExit === null ? null : () => setAll(true),
        maxLabel: t("transact.withdraw.max"),
        error,
      }}
      summary={summary()}
      final={queued !== null ? t("transact.queue.final") : null}
      obstacle={obstacle}
      submitLabel={submitLabel()}
      busy={action.busy}
      onSubmit={submit}
      rows={rows()}
      more={
        queued !== null && (
          <ul className="list-disc pl-4 text-12 text-muted">
            <li>{t("transact.queue.price")}</li>
            <li>{t("transact.queue.earning")}</li>
            <li>{t("transact.line.wait.how")}</li>
          </ul>
        )
      }
    />
  );

  /** The amounts paid now and queued, with dates: for the typed amount, else for all shares, else for an example. */
  function summary() {
    if (plan !== null) return { lines: withdrawalLines(product, error === null ? splitOf(plan) : null) };
    if (fullExit !== null) {
      const caption = t("transact.example.all", { amount: formatAmount(whole(assetsOf(fullExit))), symbol });
      return { caption, lines: withdrawalLines(product, splitOf(fullExit)) };
    }
    const { amount: example, split } = exampleSplit(product);
    return {
      caption: t("transact.example", { amount: exact(example), symbol }),
      lines: withdrawalLines(product, split),
    };
  }

  function availableText(): string | null {
    if (position === null) return null;
    const amount = formatAmount(whole(position.maxWithdraw), { rounding: "down" });
    return hasQueue ? t("transact.availableNow", { amount, symbol }) : t("transact.withdrawable", { amount, symbol });
  }

  function rows(): PreviewRow[] {
    // An amount that cannot be paid must not look payable.
    const possible = error === null ? plan : null;
    const now = possible?.now ?? null;
    const totalShares = possible && (now?.shares ?? 0n) + (possible.queued?.shares ?? 0n);
    const price: PreviewRow = {
      label: t("transact.price"),
      value: t("transact.priceOf", {
        share: product.share.symbol,
        price: formatAmount(formatUnits(previewOfExit(1n, pool.pool).price, 18), { digits: 6 }),
        symbol,
      }),
      note: priceNote(now !== null),
    };
    const limit: PreviewRow = now?.maxShares
      ? {
          label: t("transact.maximumGiven"),
          value: <Figure value={shares(now.maxShares)} unit={product.share.symbol} />,
        }
      : {
          label: t("transact.minimumReceived"),
          value: <Figure value={now?.minAssets ? whole(now.minAssets) : null} unit={symbol} digits={decimals} />,
        };
    const asset = (value: bigint | null) => (
      <Figure value={value === null ? null : whole(value)} unit={symbol} digits={decimals} />
    );
    return [
      {
        label: t("transact.youGive"),
        value: <Figure value={totalShares === null ? null : shares(totalShares)} unit={product.share.symbol} />,
      },
      ...(queued === null
        ? [{ label: t("transact.youGet"), value: asset(now?.assets ?? null), strong: true }]
        : [
            { label: t("transact.leavesNow"), value: asset(now?.assets ?? 0n), strong: now !== null },
            { label: t("transact.waits"), value: asset(queued.assets), strong: true },
          ]),
      price,
      ...(queued === null || now !== null ? [limit] : []),
      { label: t("transact.fee"), value: fee ?? "—" },
      {
        label: t("transact.arrival"),
        value: t(queued === null ? "transact.withdraw.arrival" : "transact.queue.arrival"),
      },
    ];
  }

  /**
   * A holder who knows of a loss before its report still withdraws at the earlier price. The note shows this to
   * everyone.
   */
  function priceNote(atOnce: boolean): string {
    const report = product.vault.last_report;
    if (!atOnce || report === null) return formatDateTime(pool.time);
    return t("transact.price.report", { time: formatDateTime(report) });
  }

  function submitLabel(): string {
    if (queued !== null && plan !== null) {
      const values = { now: exact(plan.now?.assets ?? 0n), later: exact(queued.assets), symbol };
      return t(plan.now === null ? "transact.queue.submit" : "transact.queue.submitBoth", values);
    }
    if (everything) return t("transact.withdraw.all");
    if (amount === null) return t("transact.withdraw");
    return t("transact.withdraw.submit", { amount: exact(amount), symbol });
  }
}

function assetsOf({ now, queued }: ExitPlan): bigint {
  return (now?.assets ?? 0n) + (queued?.assets ?? 0n);
}
