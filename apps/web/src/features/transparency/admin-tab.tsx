import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import Acts from "./acts.tsx";
import { Contracts } from "./contracts.tsx";
import { KnownSummary } from "./known-summary.tsx";
import { NamedSection } from "./named-section.tsx";
import { Roles } from "./roles.tsx";
import { useTransparency } from "./summary.ts";

/** Shows who may change something, the contract addresses where that can be verified, and past acts. */
export default function AdminTab() {
  const summary = useTransparency();
  return (
    <>
      <KnownSummary>
        {(loaded) => (
          <>
            <NamedSection name="roles" intro={t("transparency.roles.intro")}>
              <div className="panel overflow-hidden">
                {loaded.roles.length === 0 ? (
                  <Empty title={t("transparency.roles.none")} />
                ) : (
                  <Roles roles={loaded.roles} />
                )}
              </div>
            </NamedSection>
            {loaded.contracts.length > 0 && (
              <NamedSection name="contracts" intro={t("transparency.contracts.intro")}>
                <Contracts summary={loaded} />
              </NamedSection>
            )}
          </>
        )}
      </KnownSummary>
      <Acts summary={summary.data} />
    </>
  );
}
