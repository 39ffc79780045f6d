import type { DemandDetail } from "@aqua/sdk/api/product";
import { t } from "../../i18n/i18n.ts";
import { anchors } from "../../paths.ts";
import { Section } from "../../ui/section.tsx";
import { usePerformance } from "../products/performance.ts";
import { useAnchor } from "../readings/anchors.ts";
import { Walk } from "../readings/evidence-chain.tsx";

const nothing = /^0x0*$/;

/**
 * Traces the newest reported gain with evidence back to a signed reading. Renders nothing if no report has evidence.
 */
export default function Links({ product }: { product: DemandDetail }) {
  const reports = usePerformance(product.short_id, "all").data?.reports;
  const newest = reports?.find(({ delta, evidence_root }) => !delta.startsWith("-") && !nothing.test(evidence_root));
  const anchor = useAnchor<HTMLDivElement>(anchors.walk, newest !== undefined);
  if (!newest) return null;
  return (
    <div ref={anchor} id={anchors.walk} className="min-w-0 scroll-mt-20">
      <Section title={t("readings.walk")} intro={t("readings.walk.intro")}>
        <div className="panel overflow-hidden">
          <Walk shortId={product.short_id} hash={newest.hash} unit={product.asset.symbol} />
        </div>
      </Section>
    </div>
  );
}
