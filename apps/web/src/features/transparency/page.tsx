import { type ComponentType, lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import type { Namespace } from "../../i18n/namespaces.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LinkTabs } from "../products/link-tabs.tsx";
import { sectionNames, type TabName, tabNames, tabOf } from "./sections.ts";
import { useNamedPart } from "./use-named-part.ts";

type Content = Promise<{ default: ComponentType }>;
const withTexts = (content: Content, ...texts: Namespace[]) =>
  Promise.all([content, loadTexts(...texts)]).then(([module]) => module);

/** Only the chosen tab's code, texts and figures are loaded. */
const contents: Record<TabName, ComponentType> = {
  products: lazy(() => import("./products-tab.tsx")),
  devices: lazy(() => withTexts(import("./devices-tab.tsx"), "evidence", "readings", "forms")),
  anchors: lazy(() => withTexts(import("./anchors.tsx"), "evidence", "readings", "forms")),
  verify: lazy(() => withTexts(import("./verify-yourself.tsx"), "evidence", "readings", "forms")),
  admin: lazy(() => import("./admin-tab.tsx")),
};

const tabs = () =>
  tabNames.map((tab) => ({
    tab,
    to: tab === "products" ? paths.transparency : `${paths.transparency}?tab=${tab}`,
    label: t(`transparency.tab.${tab}`),
  }));

export default function TransparencyPage() {
  usePageTitle(t("transparency.title"), t("transparency.lead"));
  useNamedPart(sectionNames);
  const tab = tabOf(useLocation());
  const Tab = contents[tab];
  return (
    <>
      <PageHead seed="transparency" title={t("transparency.title")} lead={t("transparency.lead")} />
      <div className="page">
        <div className="border-b border-line pt-2">
          <LinkTabs label={t("transparency.tabs")} current={tab} tabs={tabs()} />
        </div>
        <div className="flex flex-col gap-12 pt-8">
          <Suspense
            fallback={
              <div aria-busy="true">
                <Skeleton className="h-[40rem] rounded-12" />
              </div>
            }
          >
            <Tab />
          </Suspense>
        </div>
      </div>
    </>
  );
}
