import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Badge } from "../../ui/badge.tsx";

/** Papers on the asset: issuer, date, expiry and hash. `now` in Unix milliseconds. */
export function Evidence({ evidence, now }: { evidence: ProductDetail["evidence"]; now: number }) {
  if (evidence.length === 0)
    return <p className="border-t border-line p-5 text-14 text-muted">{t("products.evidence.none")}</p>;
  return (
    <div className="border-t border-line">
      <h3 className="px-5 pt-4 text-12 font-normal text-muted">{t("products.evidence")}</h3>
      <ul className="divide-y divide-line">
        {evidence.map((paper) => {
          const expired = paper.expires !== null && Date.parse(paper.expires) < now;
          return (
            <li
              key={`${paper.title}-${paper.issued}`}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 text-14"
            >
              <div className="min-w-0">
                <p className="font-strong">{paper.title}</p>
                <p className="text-12 text-muted">
                  {t("products.evidence.by", { issuer: paper.issuer, date: formatDate(Date.parse(paper.issued)) })}
                </p>
              </div>
              <div className="flex flex-wrap items-center gap-3">
                {paper.expires && (
                  <Badge look={expired ? "negative" : "plain"}>
                    {t(expired ? "products.evidence.expired" : "products.evidence.expires", {
                      date: formatDate(Date.parse(paper.expires)),
                    })}
                  </Badge>
                )}
                {paper.hash && <Address address={paper.hash} what={t("products.hash")} />}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
