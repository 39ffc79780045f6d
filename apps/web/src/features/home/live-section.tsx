import type { Home } from "@aqua/sdk/api/home";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { ProductCard } from "../products/card.tsx";
import { Events } from "./events.tsx";
import { FollowedReport } from "./followed-report.tsx";

/** Below the first screen: three open products, one report followed to its end, and the latest events. */
export function LiveSection({ home }: { home: Home }) {
  return (
    <>
      {home.featured.length > 0 && (
        <Section title={t("home.open")}>
          <div className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
            {home.featured.map((product) => (
              <ProductCard key={product.short_id} product={product} brief />
            ))}
          </div>
        </Section>
      )}
      <div className="grid items-start gap-x-14 gap-y-12 lg:grid-cols-2">
        <FollowedReport report={home.report} />
        <Events events={home.events} />
      </div>
    </>
  );
}
