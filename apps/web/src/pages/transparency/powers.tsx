import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Contracts } from "./contracts.tsx";
import { NamedSection } from "./named-section.tsx";
import { Roles } from "./roles.tsx";

/** Who may change something, and the contract addresses where that can be read. */
export default function Powers({ summary }: { summary: TransparencySummary }) {
  const { roles, contracts } = summary;
  return (
    <>
      <NamedSection name="roles" intro={t("transparency.roles.intro")}>
        <div className="panel overflow-hidden">
          {roles.length === 0 ? <Empty title={t("transparency.roles.none")} /> : <Roles roles={roles} />}
        </div>
      </NamedSection>
      {contracts.length > 0 && (
        <NamedSection name="contracts" intro={t("transparency.contracts.intro")}>
          <Contracts summary={summary} />
        </NamedSection>
      )}
    </>
  );
}
