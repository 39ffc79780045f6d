import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Feeds } from "./feeds.tsx";
import { NamedSection } from "./named-section.tsx";
import { ReserveCard } from "./reserves.tsx";

/** What each product owns and owes, and the age of the report behind it. */
export default function Body({ summary }: { summary: TransparencySummary }) {
  const { reserves, contracts } = summary;
  return (
    <>
      <NamedSection name="reserves" intro={t("transparency.reserves.intro")}>
        {reserves.length === 0 ? (
          <div className="panel">
            <Empty title={t("products.none.title")}>{t("transparency.reserves.none")}</Empty>
          </div>
        ) : (
          <div className="grid gap-6">
            {reserves.map((row) => (
              <ReserveCard key={row.short_id} reserves={row} contracts={contracts} />
            ))}
          </div>
        )}
      </NamedSection>
      {reserves.length > 0 && (
        <NamedSection name="reports" intro={t("transparency.feeds.intro")}>
          <div className="panel overflow-hidden">
            <Feeds reserves={reserves} />
          </div>
        </NamedSection>
      )}
    </>
  );
}
