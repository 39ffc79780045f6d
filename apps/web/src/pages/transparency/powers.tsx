import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";
import { Contracts } from "./contracts.tsx";
import { Roles } from "./roles.tsx";

/** Who may change something, and at which addresses it can be read. */
export default function Powers({ summary }: { summary: TransparencySummary }) {
  const { roles, contracts } = summary;
  return (
    <>
      <Section title={t("transparency.roles")} intro={t("transparency.roles.intro")}>
        <div className="panel overflow-hidden">
          {roles.length === 0 ? <Empty title={t("transparency.roles.none")} /> : <Roles roles={roles} />}
        </div>
      </Section>
      {contracts.length > 0 && (
        <Section title={t("transparency.contracts")} intro={t("transparency.contracts.intro")}>
          <Contracts summary={summary} />
        </Section>
      )}
    </>
  );
}
