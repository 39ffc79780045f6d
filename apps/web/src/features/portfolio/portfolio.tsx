import { lazy, Suspense } from "react";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { cx } from "../../ui/class-names.ts";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Demand } from "./demand.tsx";
import { type PortfolioTab, readTab, tabFilters, tabs } from "./query.ts";
import type { Scope } from "./scope.ts";
import { Summary } from "./summary.tsx";
import { useAddressBar } from "./use-address-bar.ts";

const Announced = lazy(() =>
  Promise.all([import("./announced.tsx"), loadTexts("announcements")]).then(([module]) => module),
);
const Time = lazy(() => import("./time.tsx"));
const Requests = lazy(() => import("./requests.tsx"));
const Activity = lazy(() => import("./activity.tsx"));
const Statements = lazy(() => import("./statements.tsx"));

/**
 * The portfolio of one wallet or of several together. `own` says whether the visitor's connected wallet is among them.
 */
export default function Portfolio({ scope, own }: { scope: Scope; own: boolean }) {
  const [search, change] = useAddressBar();
  const panel: Record<PortfolioTab, () => React.ReactNode> = {
    demand: () => <Demand scope={scope} own={own} />,
    time: () => <Time scope={scope} own={own} />,
    requests: () => <Requests scope={scope} own={own} />,
    activity: () => <Activity scope={scope} own={own} />,
    statements: () => <Statements scope={scope} />,
  };
  const open = readTab(search);
  return (
    <>
      {/* A printed statement contains only the statement. */}
      <div className={cx("contents", open === "statements" && "print:hidden")}>
        <Suspense>
          <Announced scope={scope} />
        </Suspense>
        <Summary scope={scope} />
      </div>
      <Tabs<PortfolioTab>
        label={t("positions.tabs")}
        value={open}
        onChange={(tab) => {
          const forgotten = Object.fromEntries(tabFilters.map((name) => [name, ""]));
          change({ ...forgotten, tab: tab === "demand" ? "" : tab });
        }}
        tabs={tabs.map((tab) => ({
          value: tab,
          label: t(`positions.tab.${tab}`),
          panel: open === tab && (
            <div className="pt-6">
              <Suspense
                fallback={
                  <div className="panel">
                    <TableSkeleton rows={4} />
                  </div>
                }
              >
                {panel[tab]()}
              </Suspense>
            </div>
          ),
        }))}
      />
    </>
  );
}
