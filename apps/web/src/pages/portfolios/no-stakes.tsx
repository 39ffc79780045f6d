import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";

/** Nothing of this type is held: for its owner with the way to a first deposit. */
export function NoStakes({ type, own }: { type: "demand_deposit" | "time_deposit"; own: boolean }) {
  return (
    <Empty
      title={t(type === "demand_deposit" ? "stakes.holdings.none" : "stakes.time.none")}
      actions={
        own && (
          <Link to={`${paths.products}?type=${type}`} className={buttonClasses()}>
            {t("stakes.holdings.explore")}
          </Link>
        )
      }
    >
      {own
        ? t(type === "demand_deposit" ? "stakes.holdings.noneOwn" : "stakes.time.noneOwn")
        : t("stakes.holdings.noneOther")}
    </Empty>
  );
}
