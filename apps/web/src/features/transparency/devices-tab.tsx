import { t } from "../../i18n/i18n.ts";
import { Feeds } from "./feeds.tsx";
import { FeedTable, Fleet } from "./fleet.tsx";
import { KnownSummary } from "./known-summary.tsx";
import { NamedSection } from "./named-section.tsx";
import { Refused } from "./refused-readings.tsx";

/** Shows the devices of all products, the age of the data from devices and operators, and refused readings. */
export default function DevicesTab() {
  return (
    <>
      <Fleet />
      <FeedTable />
      <KnownSummary>
        {({ reserves }) =>
          reserves.length > 0 && (
            <NamedSection name="reports" intro={t("transparency.feeds.intro")}>
              <div className="panel overflow-hidden">
                <Feeds reserves={reserves} />
              </div>
            </NamedSection>
          )
        }
      </KnownSummary>
      <Refused />
    </>
  );
}
