import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";

/** The empty state for this type of product. The owner also sees a link to make a first deposit. */
export function NoPositions({ type, own }: { type: "demand_deposit" | "time_deposit"; own: boolean }) {
  return (
    <Empty
      title={t(type === "demand_deposit" ? "positions.holdings.none" : "positions.time.none")}
      actions={
        own && (
          <Link to={`${paths.products}?type=${type}`} className={buttonClasses()}>
            {t("positions.holdings.explore")}
          </Link>
        )
      }
    >
      {own
        ? t(type === "demand_deposit" ? "positions.holdings.noneOwn" : "positions.time.noneOwn")
        : t("positions.holdings.noneOther")}
    </Empty>
  );
}
