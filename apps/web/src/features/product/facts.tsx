import type { DemandDetail, ProductDetail } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { formatAmount, formatCount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Amount } from "../../ui/amount.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Term } from "../../ui/term.tsx";
import { isZero, sumAmounts } from "../decimal.ts";
import { partText } from "../part-text.ts";
import { proofAge } from "../products/product-labels.ts";

/** Decimals of the API's share price. */
const priceDecimals = 18;

/** The value of shares at the current price, rounded down, in units of the asset. */
function worth(shares: string | null, { share, asset }: DemandDetail): string | null {
  if (shares === null || share.price === null) return null;
  const value = parseUnits(shares, share.decimals) * parseUnits(share.price, priceDecimals);
  return formatUnits(value / 10n ** BigInt(share.decimals + priceDecimals - asset.decimals), asset.decimals);
}

/** Shows where the money is, the fees, and the waiting queue. */
function DemandFacts({ product }: { product: DemandDetail }) {
  const { vault, share, asset } = product;
  const assets = sumAmounts([vault.settled, vault.streaming]);
  // Income that is not yet in the share price, and therefore not in total deposits.
  const unstreamed = sumAmounts([assets, product.tvl && `-${product.tvl}`]);
  return (
    <>
      <Figure
        size="small"
        label={<Term name="custodian">{t("product.deployed")}</Term>}
        note={
          isZero(vault.deployed)
            ? t("product.deployed.none")
            : t("product.deployed.note", { part: partText(vault.deployed, assets) })
        }
      >
        <Amount value={vault.deployed} unit={asset.symbol} />
      </Figure>
      <Figure size="small" label={t("product.buffer")} note={t("product.buffer.note")}>
        {formatRate(vault.buffer)}
      </Figure>
      <Figure
        size="small"
        label={t("product.queue")}
        note={
          vault.queue
            ? t("product.queue.note", {
                shares: formatAmount(vault.queue.shares, { digits: 2, minDigits: 0 }),
                unit: share.symbol,
              })
            : t("product.queue.none")
        }
      >
        {vault.queue ? <Amount value={worth(vault.queue.shares, product)} unit={asset.symbol} /> : "—"}
      </Figure>
      <Figure size="small" label={t("product.streaming")} note={t("product.streaming.note")}>
        <Amount value={unstreamed} unit={asset.symbol} />
      </Figure>
      <Figure size="small" label={t("product.supply")}>
        <Amount value={share.supply} unit={share.symbol} />
      </Figure>
    </>
  );
}

export function Facts({ product }: { product: ProductDetail }) {
  const unit = product.asset.symbol;
  const demand = product.type === "demand_deposit";
  const fee = demand ? product.vault.fee : "0";
  return (
    <Section title={t("product.facts")}>
      <dl className="panel grid grid-cols-2 gap-x-6 gap-y-5 p-5 md:grid-cols-3">
        <Figure size="small" label={t("products.minimum")}>
          <Amount value={product.min_deposit} unit={unit} minDigits={0} />
        </Figure>
        <Figure
          size="small"
          label={t("product.fees")}
          note={demand ? !isZero(fee) && t("product.fees.note") : t("product.fees.time")}
        >
          {isZero(fee) ? t("product.fees.none") : formatRate(fee)}
        </Figure>
        {demand && <DemandFacts product={product} />}
        <Figure size="small" label={t("product.holders")}>
          {formatCount(product.holders)}
        </Figure>
        <Figure size="small" label={t("products.proof")}>
          {proofAge(product)}
        </Figure>
        <Figure size="small" label={t("product.inception")}>
          {formatDate(product.inception)}
        </Figure>
      </dl>
    </Section>
  );
}
