import type { Liquidity } from "@aqua/sdk/api/product";
import { useProduct } from "../../features/products/detail.ts";
import { t } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { Capacity } from "./capacity.tsx";
import { Exits } from "./exits.tsx";
import { History } from "./history.tsx";
import { Queue } from "./queue.tsx";
import { Waiting } from "./waiting.tsx";

/** Liquidity now, the queue, how long an exit takes, and their history. */
export default function Body({ liquidity, unit }: { liquidity: Liquidity; unit: string }) {
  const product = useProduct(liquidity.short_id).data;
  return (
    <>
      {liquidity.as_of.stale && (
        <Notice look="caution" title={t("products.stale.title")}>
          {t("products.stale.text")}
        </Notice>
      )}
      {liquidity.winding_down && (
        <Notice look="error" title={t("liquidity.windingDown.title")}>
          {t("liquidity.windingDown.text")}
        </Notice>
      )}
      {product?.status === "closed" && <Notice title={t("products.closed.title")}>{t("liquidity.closed")}</Notice>}
      <Capacity liquidity={liquidity} unit={unit} />
      {liquidity.type === "demand_deposit" && !liquidity.queue && (
        <Notice title={t("liquidity.noQueue.title")}>{t("liquidity.noQueue.text")}</Notice>
      )}
      <Waiting liquidity={liquidity} unit={unit} />
      <Exits liquidity={liquidity} unit={unit} />
      <History liquidity={liquidity} unit={unit} />
      {liquidity.queue && <Queue liquidity={liquidity} unit={unit} />}
    </>
  );
}
