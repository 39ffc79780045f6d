import type { Liquidity } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { Details } from "../../ui/details.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useProduct } from "../products/detail.ts";
import { Capacity } from "./capacity.tsx";
import { Exits } from "./exits.tsx";
import { InflowAhead, MaturitiesAhead } from "./expected-flows.tsx";
import { History } from "./history.tsx";
import { Queue } from "./queue.tsx";
import { Waiting } from "./waiting.tsx";
import { WhenPaid } from "./when-paid.tsx";

/**
 * Shows when an amount would be paid, the amount available now, the queue, the expected inflow, and the records behind
 * these figures.
 */
export default function Body({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const product = useProduct(liquidity.short_id).data;
  const demand = liquidity.type === "demand_deposit";
  return (
    <>
      {liquidity.as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      {liquidity.winding_down && (
        <Notice look="error" title={t("product.notice.windingDown")}>
          {t("product.notice.windingDown.text")}
        </Notice>
      )}
      {product?.status === "closed" && <Notice title={t("products.closed.title")}>{t("liquidity.closed")}</Notice>}
      {demand && product && <WhenPaid liquidity={liquidity} asset={product.asset} />}
      <Capacity liquidity={liquidity} unit={unit} />
      {demand && !liquidity.queue && (
        <Notice title={t("liquidity.noQueue.title")}>{t("liquidity.noQueue.text")}</Notice>
      )}
      <Waiting liquidity={liquidity} unit={unit} />
      {demand ? (
        <InflowAhead liquidity={liquidity} unit={unit} />
      ) : (
        <MaturitiesAhead liquidity={liquidity} unit={unit} />
      )}
      <div className="divide-y divide-line border-y border-line">
        {liquidity.queue && (
          <Details label={t("liquidity.places")}>
            <Queue liquidity={liquidity} unit={unit} />
          </Details>
        )}
        {liquidity.scenarios.length > 0 && (
          <Details label={t("liquidity.whatIf")}>
            <Exits liquidity={liquidity} unit={unit} />
          </Details>
        )}
        <Details label={t("liquidity.past")}>
          <History liquidity={liquidity} unit={unit} />
        </Details>
      </div>
    </>
  );
}
